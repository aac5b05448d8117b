/** A line at the bottom of a terminal that asks or says something, without taking the terminal away. One at a time. */

export interface Notices extends Disposable {
  /** Resolves to false when it is refused, replaced by another notice, or the terminal goes. */
  ask(question: { readonly text: string; readonly yes: string; readonly no: string }): Promise<boolean>;
  tell(message: { readonly text: string; readonly dismiss: string }): void;
}

export function createNotices(element: HTMLElement, onClosed: () => void): Notices {
  let close: (answer: boolean) => void = () => {};

  function show(
    text: string,
    buttons: readonly { readonly label: string; readonly answer: boolean }[],
  ): Promise<boolean> {
    close(false);
    return new Promise((resolve) => {
      const bar = document.createElement("div");
      bar.className = "terminal-notice";
      bar.setAttribute("role", "alertdialog");
      bar.setAttribute("aria-label", text);
      const words = document.createElement("span");
      words.textContent = text;
      bar.append(words);
      for (const { label, answer } of buttons) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = label;
        button.className = answer ? "primary" : "";
        button.addEventListener("click", () => close(answer));
        bar.append(button);
      }
      bar.addEventListener("keydown", (event) => {
        event.stopPropagation();
        if (event.key === "Escape") close(false);
      });
      close = (answer) => {
        close = () => {};
        const hadFocus = bar.contains(document.activeElement);
        bar.remove();
        resolve(answer);
        if (hadFocus) onClosed();
      };
      element.append(bar);
    });
  }

  const focusFirst = () => element.querySelector<HTMLElement>(".terminal-notice button")?.focus();

  return {
    ask({ text, yes, no }) {
      const answered = show(text, [{ label: yes, answer: true }, { label: no, answer: false }]);
      focusFirst();
      return answered;
    },
    tell: ({ text, dismiss }) => void show(text, [{ label: dismiss, answer: false }]),
    [Symbol.dispose]: () => close(false),
  };
}
