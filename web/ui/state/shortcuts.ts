/**
 * The keys of the page. A terminal wants nearly every key for itself, so all of ours but the palette's are in one family
 * that terminal programs leave alone: Alt+Shift, by the place of the key and not by its letter.
 */

export type CommandId =
  | "palette"
  | "newAgent"
  | "newTerminal"
  | "openProject"
  | "closeProject"
  | "nextProject"
  | "previousProject"
  | "splitRight"
  | "splitDown"
  | "closeCell"
  | "maximise"
  | "undoLayout"
  | "redoLayout"
  | "newLayout"
  | "renameLayout"
  | "removeLayout"
  | "mergeLeft"
  | "mergeRight"
  | "mergeUp"
  | "mergeDown"
  | "unmerge"
  | "rowAbove"
  | "rowBelow"
  | "columnLeft"
  | "columnRight"
  | "deleteRow"
  | "deleteColumn"
  | "focusLeft"
  | "focusRight"
  | "focusUp"
  | "focusDown"
  | "growLeft"
  | "growRight"
  | "growUp"
  | "growDown"
  | "sidebar"
  | "agentsPanel"
  | "conversationsPanel"
  | "delegations"
  | "needsYou"
  | "settings"
  | "profiles"
  | "shortcuts"
  | "theme"
  | "composer"
  | "moveLeft"
  | "moveRight"
  | "moveUp"
  | "moveDown"
  | "interrupt";

export interface Shortcut {
  /** KeyboardEvent.code. */
  readonly code: string;
  /** Control, or Command on a Mac. */
  readonly ctrl?: true;
  readonly alt?: true;
  readonly shift?: true;
}

const altShift = (code: string): Shortcut => ({ code, alt: true, shift: true });

export const shortcuts: Readonly<Partial<Record<CommandId, Shortcut>>> = {
  palette: { code: "KeyK", ctrl: true },
  settings: { code: "Comma", ctrl: true },
  newAgent: altShift("KeyN"),
  newTerminal: altShift("KeyT"),
  openProject: altShift("KeyP"),
  nextProject: altShift("PageDown"),
  previousProject: altShift("PageUp"),
  splitRight: altShift("KeyE"),
  splitDown: altShift("KeyO"),
  closeCell: altShift("KeyW"),
  maximise: altShift("KeyM"),
  undoLayout: altShift("KeyZ"),
  redoLayout: altShift("KeyR"),
  focusLeft: altShift("ArrowLeft"),
  focusRight: altShift("ArrowRight"),
  focusUp: altShift("ArrowUp"),
  focusDown: altShift("ArrowDown"),
  growLeft: altShift("KeyH"),
  growDown: altShift("KeyJ"),
  growUp: altShift("KeyK"),
  growRight: altShift("KeyL"),
  sidebar: altShift("KeyB"),
  agentsPanel: altShift("KeyA"),
  conversationsPanel: altShift("KeyC"),
  delegations: altShift("KeyD"),
  needsYou: altShift("KeyY"),
  composer: altShift("Enter"),
  interrupt: altShift("KeyI"),
};

/** Keys that a terminal takes itself (web/ui/terminal), to be shown: on a Mac with Command alone. */
export function terminalShortcut(key: "find" | "previousPrompt" | "nextPrompt", isMac: boolean): Shortcut {
  const code = { find: "KeyF", previousPrompt: "ArrowUp", nextPrompt: "ArrowDown" }[key];
  return isMac ? { code, ctrl: true } : { code, ctrl: true, shift: true };
}

export function isMacOf(navigator: { readonly userAgent: string }): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

export interface KeyPress {
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
}

const entries = Object.entries(shortcuts);

/** On a Mac Control belongs to the terminal and Command is ours. */
export function commandOf(key: KeyPress, isMac: boolean): CommandId | undefined {
  const ctrl = isMac ? key.metaKey : key.ctrlKey;
  const other = isMac ? key.ctrlKey : key.metaKey;
  const found = entries.find(([, shortcut]) =>
    !other && shortcut.code === key.code && (shortcut.ctrl ?? false) === ctrl &&
    (shortcut.alt ?? false) === key.altKey && (shortcut.shift ?? false) === key.shiftKey
  );
  return found !== undefined && isCommandId(found[0]) ? found[0] : undefined;
}

function isCommandId(name: string): name is CommandId {
  return name in shortcuts;
}

const keyNames: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Comma: ",",
  Enter: "Enter",
  PageDown: "PgDn",
  PageUp: "PgUp",
};

/** The keys one by one, to be shown as key caps. */
export function keyCaps({ code, ctrl, alt, shift }: Shortcut, isMac: boolean): readonly string[] {
  const key = keyNames[code] ?? code.replace(/^(Key|Digit)/, "");
  return [
    ...(ctrl ? [isMac ? "⌘" : "Ctrl"] : []),
    ...(alt ? [isMac ? "⌥" : "Alt"] : []),
    ...(shift ? [isMac ? "⇧" : "Shift"] : []),
    key,
  ];
}
