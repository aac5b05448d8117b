/** All commands in one list, found by typing. */
import type { JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { type Command, listCommands } from "../interactions/commands.ts";
import { searchBy } from "../state/search.ts";
import { useStore, useWords } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { KeyCaps } from "./KeyCaps.tsx";
import { useOpenDialog } from "./Modal.tsx";

export function Palette({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const store = useStore();
  const words = useWords();
  const id = useId();
  const dialog = useOpenDialog();
  const list = useRef<HTMLUListElement>(null);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const commands = listCommands(store).filter((command) => command.id !== "palette");
  const found = searchBy(commands, query, (command) => `${command.title} ${words.palette.groups[command.group]}`);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const select = (next: number) => {
    const index = (next + found.length) % Math.max(1, found.length);
    setAt(index);
    list.current?.children[index]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") select(at + 1);
    else if (event.key === "ArrowUp") select(at - 1);
    else if (event.key === "Enter") run(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={words.palette.label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div class="palette-box">
        <div class="palette-input">
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={found[at] === undefined ? undefined : `${id}-${at}`}
            aria-label={words.palette.label}
            placeholder={words.palette.placeholder}
            value={query}
            data-autofocus
            onInput={(event) => {
              setQuery(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <ul ref={list} id={`${id}-list`} role="listbox" aria-label={words.palette.label}>
          {found.map((command, index) => (
            <li
              key={command.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onPointerMove={() => setAt(index)}
              onClick={() => run(command)}
            >
              <span class="clip">{command.title}</span>
              <span class="grow" />
              {command.shortcut === undefined
                ? <span class="faint small">{words.palette.groups[command.group]}</span>
                : <KeyCaps shortcut={command.shortcut} />}
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="muted palette-none">{words.palette.none}</p>}
      </div>
    </dialog>
  );
}
