/** The line in which a person types what to find in a terminal. */
import type { Find } from "./find.ts";
import { terminalWords } from "./words.ts";

export interface FindBar extends Disposable {
  /** Opens it, or takes the keyboard into it when it is open; what is selected is looked for. */
  open(selected: string): void;
}

export function createFindBar(element: HTMLElement, find: Find, onClosed: () => void): FindBar {
  let bar: { readonly root: HTMLElement; readonly input: HTMLInputElement; readonly dispose: () => void } | undefined;

  function build() {
    const words = terminalWords();
    const root = document.createElement("div");
    root.className = "terminal-find";
    root.setAttribute("role", "search");
    const input = document.createElement("input");
    input.type = "text";
    input.setAttribute("aria-label", words.find);
    input.placeholder = words.find;
    const count = document.createElement("output");
    const matchCase = button("Aa", words.caseSensitive, () => {
      matchCase.setAttribute("aria-pressed", String(!isCaseSensitive()));
      void run("next");
    });
    matchCase.setAttribute("aria-pressed", "false");
    const isCaseSensitive = () => matchCase.getAttribute("aria-pressed") === "true";
    const run = (direction: "next" | "previous") =>
      find[direction]({ text: input.value, caseSensitive: isCaseSensitive() });
    input.addEventListener("input", () => void run("next"));
    root.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") close();
      if (event.key !== "Enter" || event.target !== input) return;
      event.preventDefault();
      void run(event.shiftKey ? "previous" : "next");
    });
    root.append(
      input,
      count,
      matchCase,
      button("↑", words.previous, () => void run("previous")),
      button("↓", words.next, () => void run("next")),
      button("×", words.close, close),
    );
    const dispose = find.results.subscribe((results) => {
      count.textContent = results === undefined || input.value === ""
        ? ""
        : results.count === 0
        ? words.noMatches
        : words.matches(results.index, results.count);
    });
    element.append(root);
    return { root, input, dispose };
  }

  function close(): void {
    if (bar === undefined) return;
    bar.dispose();
    bar.root.remove();
    bar = undefined;
    find.clear();
    onClosed();
  }

  return {
    open(selected) {
      bar ??= build();
      if (selected !== "" && !selected.includes("\n")) bar.input.value = selected;
      bar.input.focus();
      bar.input.select();
    },
    [Symbol.dispose]: () => {
      bar?.dispose();
      bar?.root.remove();
      bar = undefined;
    },
  };
}

function button(text: string, label: string, onClick: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.title = label;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", onClick);
  return made;
}
