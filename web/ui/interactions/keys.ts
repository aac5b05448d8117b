/** Keys of the page, taken before a terminal sees them. */
import { commandOf, isMacOf } from "../state/shortcuts.ts";
import type { Store } from "../state/store.ts";
import { runCommand } from "./commands.ts";

/** While a dialog has the keyboard only the palette's key works, which closes the palette again. */
export function listenToKeys(store: Store, target: Window): Disposable {
  const isMac = isMacOf(target.navigator);
  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandOf(event, isMac);
    if (command === undefined) return;
    const dialog = store.view.dialog.value;
    if (dialog !== undefined && !(dialog.kind === "palette" && command === "palette")) return;
    event.preventDefault();
    event.stopPropagation();
    // A key that is held must not split a cell twenty times; only moving a border is meant to go on.
    if (!event.repeat || command.startsWith("grow")) runCommand(store, command);
  };
  target.addEventListener("keydown", onKeyDown, { capture: true });
  return { [Symbol.dispose]: () => target.removeEventListener("keydown", onKeyDown, { capture: true }) };
}
