/**
 * What every TerminalStates must do, the fake and the real one: signals and answers in stream order and once, text of
 * the screen, and viewers that can be brought from anywhere to now.
 */
import assert from "node:assert/strict";
import type { TerminalSignal, TerminalState, TerminalStates } from "../../core/ports/terminal_state.ts";

const encoder = new TextEncoder();
const SIZE = { cols: 40, rows: 6 };

interface Heard {
  readonly signals: TerminalSignal[];
  readonly answers: string[];
}

function open(states: TerminalStates): { state: TerminalState; heard: Heard } {
  const heard: Heard = { signals: [], answers: [] };
  const state = states.create({
    size: SIZE,
    scrollback: 100,
    answer: (reply) => heard.answers.push(reply),
    onSignal: (signal) => heard.signals.push(signal),
  });
  return { state, heard };
}

/** All bytes of parts that came in order. */
function textOf(parts: readonly { kind: string; bytes?: Uint8Array }[] | undefined): string | undefined {
  if (parts === undefined) return undefined;
  const decoder = new TextDecoder();
  return parts.map((part) => (part.bytes ? decoder.decode(part.bytes, { stream: true }) : "")).join("");
}

export function terminalStateContract(name: string, makeStates: () => TerminalStates): void {
  function check(what: string, run: (opened: ReturnType<typeof open>) => Promise<void> | void): void {
    Deno.test(`terminal state (${name}): ${what}`, async () => {
      const opened = open(makeStates());
      using _state = opened.state;
      await run(opened);
    });
  }

  function checkOutput(what: string, output: string, expected: Partial<Heard>): void {
    check(what, ({ state, heard }) => {
      state.write(encoder.encode(output));
      if (expected.signals) assert.deepEqual(heard.signals, expected.signals);
      if (expected.answers) assert.deepEqual(heard.answers, expected.answers);
    });
    check(`${what}, byte by byte`, ({ state, heard }) => {
      for (const byte of encoder.encode(output)) state.write(new Uint8Array([byte]));
      if (expected.signals) assert.deepEqual(heard.signals, expected.signals);
      if (expected.answers) assert.deepEqual(heard.answers, expected.answers);
    });
  }

  check("reads the screen, the lines above it and the cursor", async ({ state }) => {
    state.write(encoder.encode(Array.from({ length: 9 }, (_, line) => `line ${line}  `).join("\r\n")));
    const text = await state.read(2);
    assert.deepEqual(text.screen, ["line 3", "line 4", "line 5", "line 6", "line 7", "line 8"]);
    assert.deepEqual(text.scrollback, ["line 1", "line 2"]);
    assert.deepEqual(text.cursor, { col: 8, row: 5 });
    assert.deepEqual(text.size, SIZE);
    assert.equal(text.offset, state.offset());
    assert.deepEqual((await state.read(0)).scrollback, []);
    assert.equal((await state.read(Infinity)).scrollback.length, 3);
  });

  check("copies what it takes", async ({ state }) => {
    const bytes = encoder.encode("kept");
    state.write(bytes);
    bytes.fill(0x78);
    assert.equal((await state.read(0)).screen[0], "kept");
    assert.equal(textOf(state.since(0)), "kept");
  });

  check("gives the output after an offset", ({ state }) => {
    state.write(encoder.encode("abc"));
    state.resize({ cols: 30, rows: 6 });
    state.write(encoder.encode("déf"));
    assert.equal(state.offset(), 7);
    assert.equal(textOf(state.since(1)), "bcdéf");
    assert.deepEqual(state.since(4)?.filter((part) => part.kind === "resize"), []);
    assert.deepEqual(state.since(3)?.[0], { kind: "resize", size: { cols: 30, rows: 6 } });
    assert.equal(textOf(state.since(7)), "");
    assert.equal(state.since(8), undefined);
  });

  check("gives a snapshot that stands for all before it", async ({ state }) => {
    state.write(encoder.encode("one\r\ntwo"));
    const snapshot = await state.snapshot(Infinity);
    assert.equal(snapshot.offset, 8);
    assert.deepEqual(snapshot.size, SIZE);
    assert.match(textOf(snapshot.parts) ?? "", /one[^]*two/);
  });

  check("has digested everything when it says so", async ({ state }) => {
    state.write(encoder.encode("x".repeat(10_000)));
    await state.digested();
    assert.equal(state.backlogBytes(), 0);
  });

  checkOutput("tells title, folder and bell", "\x1b]0;one\x07\x1b]2;two\x1b\\\x1b]2;two\x07\x1b]7;file://h/a%20b\x07", {
    signals: [
      { kind: "title", title: "one" },
      { kind: "title", title: "two" },
      { kind: "folder", path: "/a b" },
    ],
  });
  checkOutput(
    "tells progress, marks and notifications",
    "\x1b]9;4;1;50\x07\x1b]133;A\x07\x1b]133;D;3\x07\x1b]9;hi\x07",
    {
      signals: [
        { kind: "progress", state: "normal", percent: 50 },
        { kind: "mark", mark: "A" },
        { kind: "mark", mark: "D", exitCode: 3 },
        { kind: "notification", title: "", body: "hi" },
      ],
    },
  );
  checkOutput("takes clipboard writes and never reads", "\x1b]52;c;aMOp\x07\x1b]52;c;?\x07", {
    signals: [{ kind: "clipboard", text: "hé" }],
    answers: [],
  });
  checkOutput(
    "tells the program's status",
    "\x1b]7501;state=blocked:app=claude:kind=permission:msg=d2FpdA==\x1b\\\x1b]7501;state=odd\x1b\\",
    {
      signals: [{
        kind: "programStatus",
        status: "blocked",
        app: "claude",
        reason: "permission",
        message: "wait",
      }],
    },
  );
  checkOutput("tells of bracketed paste and the alternate screen", "\x1b[?2004h\x1b[?1049h\x1b[?2004;1049l", {
    signals: [
      { kind: "mode", mode: "bracketedPaste", on: true },
      { kind: "mode", mode: "alternateScreen", on: true },
      { kind: "mode", mode: "bracketedPaste", on: false },
      { kind: "mode", mode: "alternateScreen", on: false },
    ],
  });

  check("rings once for many bells of one write", ({ state, heard }) => {
    state.write(encoder.encode("\x07\x07x\x07"));
    state.write(encoder.encode("\x07"));
    assert.deepEqual(heard.signals, [{ kind: "bell" }, { kind: "bell" }]);
  });

  checkOutput("answers in the order of the questions", "\x1b]7501;?\x1b\\\x1b[c\x1b[5nab\x1b[6n\r\n\x1b[?6n\x1b[?u", {
    answers: [
      "\x1b]7501;?\x1b\\",
      "\x1b[?62;4;22;52c",
      "\x1b[0n",
      "\x1b[1;3R",
      "\x1b[?2;1R",
      "\x1b[?0u",
    ],
  });
  checkOutput("reports modes", "\x1b[?2004$p\x1b[?2004h\x1b[?2004$p\x1b[?77$p\x1b[4$p", {
    answers: ["\x1b[?2004;2$y", "\x1b[?2004;1$y", "\x1b[?77;0$y", "\x1b[4;2$y"],
  });

  check("answers with the window's colours and those a program set", ({ state, heard }) => {
    state.setColors({ foreground: "#102030", background: "#ffffff", cursor: "#000000", palette: [] });
    state.write(encoder.encode("\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]4;1;#123456\x07\x1b]4;1;?\x07\x1b[?996n"));
    assert.deepEqual(heard.answers, [
      "\x1b]10;rgb:1010/2020/3030\x07",
      "\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
      "\x1b]4;1;rgb:1212/3434/5656\x07",
      "\x1b[?997;2n",
    ]);
  });

  check("keeps the keyboard flags of both screens", async ({ state, heard }) => {
    state.write(encoder.encode("\x1b[>1u\x1b[>3u\x1b[?u\x1b[?1049h\x1b[?u\x1b[=5u\x1b[?u\x1b[?1049l\x1b[<u\x1b[?u"));
    assert.deepEqual(heard.answers, ["\x1b[?3u", "\x1b[?0u", "\x1b[?5u", "\x1b[?1u"]);
    assert.equal((await state.read(0)).modes.kittyKeyboard, 1);
  });

  check("clears the input modes that a dead program left", async ({ state }) => {
    state.write(encoder.encode("shell\r\n\x1b[?1049h\x1b[?1003;1006;1004;2004h\x1b[>1u\x1b[?1hTUI"));
    const before = state.offset();
    const sent = state.clearStaleModes(Infinity);
    assert.equal(state.offset(), before + sent.length);
    const text = await state.read(0);
    assert.deepEqual(text.modes, {
      bracketedPaste: false,
      applicationCursorKeys: false,
      alternateScreen: false,
      mouseTracking: false,
      focusEvents: false,
      kittyKeyboard: 0,
    });
    assert.equal(text.screen[0], "shell");
    assert.equal(state.clearStaleModes(Infinity).length, 0);
  });

  check("ignores strings that are too long", ({ state, heard }) => {
    state.write(encoder.encode(`\x1b]2;${"x".repeat(1 << 21)}\x07\x1b]2;short\x07`));
    assert.deepEqual(heard.signals, [{ kind: "title", title: "short" }]);
  });
}
