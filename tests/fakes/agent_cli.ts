/**
 * An AI CLI played by a test: it shows a prompt, tells its state by OSC 7501, reads what is typed line by line, and does
 * then what its behaviour says; left out, it works until the test ends its turn.
 */
import type { ProgramStatus } from "../../core/ports/terminal_state.ts";
import type { FakeProgram, FakePty } from "./pty.ts";

export interface FakeCli {
  readonly program: FakeProgram;
  /** What was submitted, oldest first. */
  readonly lines: readonly string[];
  /** What stands in its input and was not submitted. */
  draft(): string;
  interrupts(): number;
  /** Its state, as OSC 7501. */
  says(status: ProgramStatus, message?: string): void;
  print(text: string): void;
  /** Clears the screen and shows this. */
  show(text: string): void;
  title(title: string): void;
}

export interface CliBehaviour {
  /** Left out: asks for bracketed paste, shows its prompt and says idle. */
  readonly start?: (cli: FakeCli) => void;
  /** A line was submitted. Left out: says working, and no more. */
  readonly line?: (cli: FakeCli, line: string) => void;
  readonly interrupt?: (cli: FakeCli) => void;
  /** false: this Enter has no effect. */
  readonly takesEnter?: () => boolean;
  /** false: what is typed is not shown. */
  readonly echo?: boolean;
  /** false: what is typed is thrown away. */
  readonly takesInput?: () => boolean;
}

/** A program of that path exists from now on; gives all that were started, oldest first. */
export function installFakeCli(pty: FakePty, path: string, behaviour: CliBehaviour = {}): readonly FakeCli[] {
  const started: FakeCli[] = [];
  pty.install(path, (program) => {
    const cli = createCli(program, behaviour);
    started.push(cli);
    // A real program takes longer to its first output than the one who started it to listen.
    setTimeout(() => {
      if (!program.hasEnded()) (behaviour.start ?? startReady)(cli);
    });
  });
  return started;
}

export function startReady(cli: FakeCli): void {
  cli.print("\u001b[?2004h❯ ");
  cli.says("idle");
}

function createCli(program: FakeProgram, behaviour: CliBehaviour): FakeCli {
  const { line: onLine, interrupt, takesEnter, takesInput, echo = true } = behaviour;
  const lines: string[] = [];
  let draft = "";
  let isPasting = false;
  let interrupts = 0;

  function read(bytes: Uint8Array): void {
    if (takesInput?.() === false) return;
    const text = new TextDecoder().decode(bytes);
    if (echo) cli.print(text.replaceAll(/[^\P{Cc}\n]/gu, ""));
    for (let rest = text; rest !== "" && !program.hasEnded();) rest = rest.slice(takeKey(rest));
  }

  /** How much of the text it took. */
  function takeKey(text: string): number {
    if (text.startsWith("\u001b[200~") || text.startsWith("\u001b[201~")) {
      isPasting = text.startsWith("\u001b[200~");
      return 6;
    }
    const [key = ""] = text;
    // Terminals send the line breaks of a paste as Enter.
    if (isPasting) draft += key === "\r" ? "\n" : key;
    else if (key === "\r") submit();
    else if (key === "\u0015") draft = draft.slice(0, draft.lastIndexOf("\n") + 1).slice(0, -1);
    else if (key === "\u001b") {
      interrupts++;
      interrupt?.(cli);
    } else draft += key;
    return key.length;
  }

  function submit(): void {
    if (takesEnter?.() === false) return;
    const line = draft;
    draft = "";
    // Enter on an empty input does nothing.
    if (line === "") return;
    lines.push(line);
    if (onLine === undefined) cli.says("working");
    else onLine(cli, line);
  }

  const cli: FakeCli = {
    program,
    lines,
    draft: () => draft,
    interrupts: () => interrupts,
    says(status, message) {
      const text = message === undefined ? "" : `:msg=${new TextEncoder().encode(message).toBase64()}`;
      program.emit(`\u001b]7501;state=${status}:app=fake${text}\u001b\\`);
    },
    print: (text) => {
      if (text !== "") program.emit(text.replaceAll("\n", "\r\n"));
    },
    show: (text) => cli.print(`\u001b[2J\u001b[H${text}`),
    title: (title) => program.emit(`\u001b]0;${title}\u0007`),
  };
  program.onInput(read);
  return cli;
}
