/** A button with a menu: opened and walked by keyboard, closed by Escape or by a press elsewhere. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Shortcut } from "../state/shortcuts.ts";
import { IconButton } from "./Button.tsx";
import { Icon, type IconName } from "./Icon.tsx";
import { KeyCaps } from "./KeyCaps.tsx";

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly checked?: boolean;
  readonly shortcut?: Shortcut | undefined;
}

/** "line" parts groups. */
export type MenuEntry = MenuItem | "line";

export interface MenuProps {
  readonly label: string;
  readonly icon: IconName;
  readonly entries: readonly MenuEntry[];
  readonly class?: string;
}

export function Menu(props: MenuProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <span ref={anchor} class="menu-anchor" aria-expanded={undefined}>
      <IconButton
        icon={props.icon}
        label={props.label}
        class={`${props.class ?? ""} ${open ? "open" : ""}`}
        onClick={() => setOpen(!open)}
      />
      {open && <MenuList {...props} anchor={anchor.current} onClose={() => setOpen(false)} />}
    </span>
  );
}

interface MenuListProps extends MenuProps {
  readonly anchor: HTMLElement | null;
  readonly onClose: () => void;
}

const MARGIN_PX = 8;

function MenuList({ label, entries, anchor, onClose }: MenuListProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const menu = list.current;
    if (menu === null || anchor === null) return;
    menu.showPopover();
    placeUnder(menu, anchor.getBoundingClientRect());
    menu.querySelector<HTMLElement>("[role^=menuitem]:not(:disabled)")?.focus();
  }, []);
  const choose = (item: MenuItem) => {
    onClose();
    anchor?.querySelector("button")?.focus();
    item.onSelect();
  };
  return (
    <div
      ref={list}
      class="menu"
      role="menu"
      aria-label={label}
      popover="auto"
      onToggle={(event) => {
        if (event.newState === "closed") onClose();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape" || event.key === "Tab") {
          event.preventDefault();
          event.stopPropagation();
          onClose();
          anchor?.querySelector("button")?.focus();
        } else if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
      }}
    >
      {entries.map((entry, index) =>
        entry === "line" ? <div key={index} class="menu-line" role="separator" /> : (
          <button
            key={index}
            type="button"
            role={entry.checked === undefined ? "menuitem" : "menuitemradio"}
            aria-checked={entry.checked}
            class={entry.danger ? "danger" : ""}
            disabled={entry.disabled}
            tabIndex={-1}
            onClick={() => choose(entry)}
          >
            <span class="menu-icon">
              {entry.checked ? <Icon name="check" size={14} /> : entry.icon && <Icon name={entry.icon} size={14} />}
            </span>
            <span class="menu-label">{entry.label}</span>
            {entry.shortcut && <KeyCaps shortcut={entry.shortcut} />}
          </button>
        )
      )}
    </div>
  );
}

/** Below the button, or above it where there is no room; never outside the window. */
function placeUnder(menu: HTMLElement, button: DOMRect): void {
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.min(Math.max(MARGIN_PX, button.right - width), innerWidth - width - MARGIN_PX);
  const below = button.bottom + 4;
  const top = below + height + MARGIN_PX > innerHeight ? Math.max(MARGIN_PX, button.top - height - 4) : below;
  menu.style.left = `${left}px`;
  menu.style.top = `${top}px`;
}

/** Arrow keys, Home and End over what can be chosen; true when the key was one of them. */
export function moveFocus(list: HTMLElement, key: string): boolean {
  const items = [...list.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)")];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[key];
  if (next === undefined) return false;
  items[(next + items.length) % items.length]?.focus();
  return true;
}
