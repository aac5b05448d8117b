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
const ctrlShift = (code: string): Shortcut => ({ code, ctrl: true, shift: true });

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
  focusLeft: altShift("ArrowLeft"),
  focusRight: altShift("ArrowRight"),
  focusUp: altShift("ArrowUp"),
  focusDown: altShift("ArrowDown"),
  growLeft: ctrlShift("ArrowLeft"),
  growRight: ctrlShift("ArrowRight"),
  growUp: ctrlShift("ArrowUp"),
  growDown: ctrlShift("ArrowDown"),
  sidebar: altShift("KeyB"),
  agentsPanel: altShift("KeyA"),
  conversationsPanel: altShift("KeyC"),
  delegations: altShift("KeyD"),
  needsYou: altShift("KeyY"),
  composer: altShift("Enter"),
  interrupt: altShift("KeyI"),
};

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
