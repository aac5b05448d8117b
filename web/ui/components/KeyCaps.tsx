/** A shortcut as key caps. */
import type { JSX } from "preact";
import { isMacOf, keyCaps, type Shortcut } from "../state/shortcuts.ts";

export function KeyCaps({ shortcut }: { readonly shortcut: Shortcut }): JSX.Element {
  return (
    <span class="key-caps">
      {keyCaps(shortcut, isMacOf(navigator)).map((cap) => <kbd key={cap}>{cap}</kbd>)}
    </span>
  );
}
