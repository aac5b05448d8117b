/**
 * Real shells that mark nothing, in real terminals: a program is killed, and what it had switched on is off again when
 * the shell is back, while what the shell itself switches on stays.
 */
import assert from "node:assert/strict";
import { createClock } from "../../adapters/clock/mod.ts";
import { createPty } from "../../adapters/pty/mod.ts";
import { createTerminalStates } from "../../adapters/terminal_state/mod.ts";
import { openSession, type Session } from "../../core/app/terminal_session.ts";
import { createId } from "../../core/ids.ts";
import type { TerminalModes } from "../../core/ports/terminal_state.ts";
import { pathOf, program, requires } from "../helpers/requires.ts";
import { waitFor } from "../helpers/wait_for.ts";

/** Switches on what full-screen programs do, and stands still until it is killed. */
const PROGRAM = String
  .raw`printf '\033[?1049h\033[?1003;1006;1004;2004h\033[>1u\033[>4;2m\033[?1hTU\111'; read x; kill -9 $$`;

async function withShell(
  argv: readonly [string, ...string[]],
  run: (session: Session) => Promise<void>,
): Promise<void> {
  const defects: unknown[] = [];
  await using pty = createPty();
  const opened = openSession({
    pty,
    states: createTerminalStates(),
    clock: createClock(),
    publish() {},
    onDefect: (error) => void defects.push(error),
  }, {
    sessionId: createId("session", "s1"),
    projectId: createId("project", "p1"),
    argv,
    cwd: "/",
    env: { PATH: Deno.env.get("PATH") ?? "", TERM: "xterm-256color", PS1: "ready> ", LC_ALL: "C" },
    size: { cols: 80, rows: 24 },
    title: "shell",
    scrollback: 100,
    colors: undefined,
  });
  assert.ok(opened.ok, JSON.stringify(opened));
  try {
    await run(opened.value);
  } finally {
    await opened.value.close(1000);
  }
  assert.deepEqual(defects, []);
}

/** The line with the cursor: the prompt, when the shell waits. */
async function promptLine(session: Session): Promise<string> {
  const { screen, cursor } = await session.read(0);
  return screen[cursor.row] ?? "";
}

const modesOf = async (session: Session): Promise<TerminalModes> => (await session.read(0)).modes;

async function runAndKill(session: Session): Promise<void> {
  await waitFor("the prompt", async () => (await promptLine(session)).startsWith("ready>"));
  session.write(`sh -c '${PROGRAM.replaceAll("'", `'\\''`)}'\r`, "person");
  await waitFor("the program", async () => (await session.read(0)).screen.some((line) => line.includes("TUI")));
  const inside = await modesOf(session);
  assert.deepEqual([inside.alternateScreen, inside.mouseTracking, inside.focusEvents, inside.kittyKeyboard], [
    true,
    true,
    true,
    1,
  ]);
  session.write("\r", "person");
  await waitFor("the normal screen", async () => !(await modesOf(session)).alternateScreen);
}

const NOTHING: TerminalModes = {
  bracketedPaste: false,
  applicationCursorKeys: false,
  alternateScreen: false,
  mouseTracking: false,
  focusEvents: false,
  kittyKeyboard: 0,
};

Deno.test({
  name: "dash: what a killed program left on is off when the shell is back",
  ...requires(program("dash")),
  async fn() {
    await withShell([pathOf(program("dash")), "-i"], async (session) => {
      await runAndKill(session);
      assert.deepEqual(await modesOf(session), NOTHING);
    });
  },
});

Deno.test({
  name: "zsh: the same, and its own bracketed paste stays on",
  ...requires(program("zsh")),
  async fn() {
    await withShell([pathOf(program("zsh")), "-f", "-i"], async (session) => {
      await runAndKill(session);
      const modes = await modesOf(session);
      assert.deepEqual(modes, { ...NOTHING, bracketedPaste: modes.bracketedPaste });
      await waitFor("the prompt's own mode", async () => (await modesOf(session)).bracketedPaste);
    });
  },
});

Deno.test({
  name: "sh without jobs: a program that shares the shell's group keeps what it switched on",
  ...requires(program("dash")),
  async fn() {
    const script = String.raw`sh -c 'printf "\033[?1003hTU\111"; read x; printf more; read x'; exit 0`;
    await withShell([pathOf(program("dash")), "-c", script], async (session) => {
      const has = (text: string) => async () => (await session.read(0)).screen.some((line) => line.includes(text));
      await waitFor("the program", has("TUI"));
      session.write("\r", "person");
      await waitFor("its next word", has("more"));
      assert.equal((await modesOf(session)).mouseTracking, true);
    });
  },
});
