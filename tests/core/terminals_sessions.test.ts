import assert from "node:assert/strict";
import { type AgentId, createId } from "../../core/ids.ts";
import { attach, createWindow, openPlayed, projectId, settle, setup, size } from "./terminals_setup.ts";

Deno.test("a terminal opens with the person's shell and login environment", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  assert.deepEqual(program.options.argv, ["/bin/zsh"]);
  assert.deepEqual(program.options.env, {
    HOME: "/home/ann",
    SHELL: "/bin/zsh",
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    TERM_PROGRAM: "IdeA",
  });
  assert.deepEqual(parts.terminals.get(sessionId), {
    sessionId,
    projectId,
    pid: 1001,
    title: "zsh",
    size,
    startedAtMs: parts.clock.nowMs(),
  });
  assert.deepEqual(parts.published, [{ kind: "sessionOpened", projectId, sessionId }]);
});

Deno.test("what the caller gives comes before the login environment", async () => {
  const parts = setup();
  const agentId = createId("agent", "a1");
  const opened = await parts.terminals.open({
    projectId,
    agentId,
    argv: ["claude", "--resume"],
    cwd: "/w",
    env: { TERM: "xterm", IDEA: "1" },
    size,
    title: "Ada",
  });
  assert.ok(opened.ok);
  assert.equal(opened.value.agentId, agentId);
  assert.equal(opened.value.title, "Ada");
  const { env } = parts.pty.programs[0]?.options ?? assert.fail();
  assert.deepEqual([env["TERM"], env["IDEA"], env["HOME"]], ["xterm", "1", "/home/ann"]);
});

Deno.test("a program that cannot be started leaves no session", async () => {
  const parts = setup();
  const opened = await parts.terminals.open({ projectId, argv: ["missing"], cwd: "/", size });
  assert.deepEqual(opened, { ok: false, error: { kind: "programNotFound", program: "missing" } });
  assert.deepEqual(parts.terminals.list(), []);
  assert.deepEqual(parts.published, []);
});

Deno.test("no more sessions than the limit, also when they are opened at once", async () => {
  const parts = setup({ maxSessions: 2 });
  const open = () => parts.terminals.open({ projectId, cwd: "/", size });
  const opened = await Promise.all([open(), open(), open()]);
  assert.deepEqual(opened.map(({ ok }) => ok), [true, true, false]);
  assert.deepEqual(opened[2], { ok: false, error: { kind: "tooManySessions", limit: 2 } });
  const [first] = opened;
  assert.ok(first?.ok);
  await parts.terminals.close(first.value.sessionId);
  assert.equal((await open()).ok, true);
});

Deno.test("an ended program stays readable until its session is closed", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  program.output("last words");
  program.exit({ kind: "exited", code: 1 });
  const text = await parts.terminals.read(sessionId, 0);
  assert.ok(text.ok);
  assert.equal(text.value.screen[0], "last words");
  assert.deepEqual(parts.terminals.get(sessionId)?.exit, { kind: "exited", code: 1 });
  assert.deepEqual(parts.terminals.write(sessionId, "x", "person"), { ok: false, error: { kind: "closed" } });
  const window = createWindow();
  attach(parts.terminals, sessionId, window);
  await settle();
  assert.deepEqual(window.exit(), { kind: "exited", code: 1 });
  const closed = await parts.terminals.close(sessionId);
  assert.deepEqual(closed, { ok: true, value: { kind: "exited", code: 1 } });
  assert.equal(window.frames.at(-1), "closed");
  assert.deepEqual(parts.published.map(({ kind }) => kind), ["sessionOpened", "sessionExited", "sessionClosed"]);
});

Deno.test("closing ends the program, once, however often it is asked for", async () => {
  const parts = setup();
  const { sessionId } = await openPlayed(parts);
  const closed = await Promise.all([parts.terminals.close(sessionId), parts.terminals.close(sessionId)]);
  assert.deepEqual(closed[0], { ok: true, value: { kind: "signalled", signal: 1 } });
  assert.deepEqual(closed[1], closed[0]);
  assert.deepEqual(await parts.terminals.close(sessionId), {
    ok: false,
    error: { kind: "sessionNotFound", sessionId },
  });
  assert.deepEqual(parts.terminals.list(), []);
  assert.equal(parts.published.filter(({ kind }) => kind === "sessionClosed").length, 1);
  assert.equal(parts.clock.pendingTimers(), 0);
});

Deno.test("disposing closes every session and opens no more", async () => {
  const parts = setup();
  await openPlayed(parts);
  const late = parts.terminals.open({ projectId, cwd: "/", size });
  await parts.terminals[Symbol.asyncDispose]();
  assert.equal((await late).ok, false);
  assert.deepEqual(parts.terminals.list(), []);
});

Deno.test("a session that is not there is an error by name, at every door", async () => {
  const { terminals } = setup();
  const sessionId = createId("session", "nobody");
  const error = { ok: false, error: { kind: "sessionNotFound", sessionId } };
  assert.deepEqual(terminals.write(sessionId, "x", "script"), error);
  assert.deepEqual(terminals.paste(sessionId, "x", "script"), error);
  assert.deepEqual(terminals.resize(sessionId, size), error);
  assert.deepEqual(terminals.attach(sessionId, createWindow().viewer), error);
  assert.deepEqual(terminals.listen(sessionId, {}), error);
  assert.deepEqual(await terminals.read(sessionId, 0), error);
  assert.deepEqual(await terminals.waitText(sessionId, { pattern: "x", timeoutMs: 1 }), error);
});

Deno.test("a paste is framed when the program has asked for it", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  parts.terminals.paste(sessionId, "a\nb", "person");
  state.signal({ kind: "mode", mode: "bracketedPaste", on: true });
  parts.terminals.paste(sessionId, "c\x1b[201~d", "delivery");
  assert.equal(program.input(), "a\rb\x1b[200~cd\x1b[201~");
});

Deno.test("listeners hear signals, output once a turn, input and the exit; one that throws harms nobody", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  const heard: string[] = [];
  parts.terminals.listen(sessionId, {
    onSignal() {
      throw new Error("broken listener");
    },
  });
  const listening = parts.terminals.listen(sessionId, {
    onSignal: (signal) => heard.push(`signal ${signal.kind}`),
    onOutput: () => heard.push("output"),
    onInput: (source, input) => heard.push(`input ${source} ${String(input)}`),
    onExit: (exit) => heard.push(`exit ${exit.kind}`),
  });
  assert.ok(listening.ok);
  program.output("a");
  program.output("b");
  state.signal({ kind: "bell" });
  await settle();
  program.output("c");
  await settle();
  parts.terminals.write(sessionId, "ls\r", "person");
  program.exit({ kind: "exited", code: 0 });
  assert.deepEqual(heard, ["signal bell", "output", "output", "input person ls\r", "exit exited"]);
  assert.equal(parts.defects.length, 1);
});

Deno.test("title and bell become events, not more often than a person can see", async () => {
  const parts = setup();
  const { sessionId, state } = await openPlayed(parts);
  const kinds = () =>
    parts.published.slice(1).map((event) => event.kind === "sessionTitled" ? event.title : event.kind);
  for (const title of ["one", "two", "three"]) state.signal({ kind: "title", title });
  for (let n = 0; n < 5; n++) state.signal({ kind: "bell" });
  assert.deepEqual(kinds(), ["one", "sessionRang"]);
  assert.equal(parts.terminals.get(sessionId)?.title, "three");
  parts.clock.advance(10_000);
  assert.deepEqual(kinds(), ["one", "sessionRang", "three", "sessionRang"]);
  assert.equal(parts.clock.pendingTimers(), 0);
  state.signal({ kind: "title", title: "" });
  assert.equal(parts.terminals.get(sessionId)?.title, "zsh");
});

Deno.test("a script's size is refused when it is none", async () => {
  const parts = setup();
  const { sessionId, program } = await openPlayed(parts);
  assert.deepEqual(parts.terminals.resize(sessionId, { cols: 0, rows: 5 }), {
    ok: false,
    error: { kind: "invalidSize" },
  });
  assert.deepEqual(parts.terminals.resize(sessionId, { cols: 90, rows: 9 }), { ok: true, value: undefined });
  assert.deepEqual(program.size(), { cols: 90, rows: 9 });
});

Deno.test("what a dead program left on is cleared where its command ends, in a plain shell", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  const window = createWindow();
  attach(parts.terminals, sessionId, window);
  await settle();
  state.staleModes = "\x1b[?1000l\x1b[?2004l";
  program.output("\x1b]133;D;0\x07no marks are known yet");
  state.signal({ kind: "mark", mark: "D" });
  state.signal({ kind: "mode", mode: "bracketedPaste", on: true });
  program.output("killed\x1b]133;D;137\x07\x1b[?2004h$ ");
  assert.ok(window.text().endsWith("killed\x1b]133;D;137\x07\x1b[?1000l\x1b[?2004l\x1b[?2004h$ "));
  assert.equal(window.offset(), state.offset());
  program.output("\x1b]133;D;0\x07");
  assert.ok(window.text().endsWith("$ \x1b]133;D;0\x07"));
});

Deno.test("in a shell that marks nothing, what a program left on is cleared once the shell is back and quiet", async () => {
  const parts = setup();
  const { sessionId, program, state } = await openPlayed(parts);
  const window = createWindow();
  attach(parts.terminals, sessionId, window);
  await settle();
  state.staleModes = "\x1b[?1000l";
  program.output("$ ");
  parts.clock.advance(1000);
  assert.deepEqual(state.clearedUpTo, [], "no program has run");
  program.foreground = "another";
  program.output("\x1b[?1000h");
  const programUpTo = state.offset();
  parts.clock.advance(1000);
  program.foreground = "itself";
  program.output("killed\r\n");
  parts.clock.advance(40);
  program.output("$ ");
  parts.clock.advance(40);
  assert.deepEqual(state.clearedUpTo, [], "it has said something just now");
  parts.clock.advance(60);
  assert.deepEqual(state.clearedUpTo, [programUpTo]);
  assert.ok(window.text().endsWith("killed\r\n$ \x1b[?1000l"));
  program.output("ls\r\n");
  parts.clock.advance(1000);
  assert.deepEqual(state.clearedUpTo, [programUpTo], "once");
});

Deno.test("a program that has the foreground again before the shell is quiet keeps what it switched on", async () => {
  const parts = setup();
  const { program, state } = await openPlayed(parts);
  for (const foreground of ["another", "itself", "another"] as const) {
    program.foreground = foreground;
    program.output("x");
  }
  parts.clock.advance(1000);
  program.exit({ kind: "exited", code: 0 });
  parts.clock.advance(1000);
  assert.deepEqual(state.clearedUpTo, []);
});

Deno.test("bash marks its prompts, other shells and agents are left as they are", async () => {
  const parts = setup();
  const open = async (argv: [string, ...string[]], more: { agentId?: AgentId; env?: Record<string, string> } = {}) => {
    assert.ok((await parts.terminals.open({ projectId, cwd: "/", size, argv, ...more })).ok);
    return parts.pty.programs.at(-1)?.options.env["PROMPT_COMMAND"];
  };
  assert.match(await open(["/usr/bin/bash", "-l"]) ?? "", /133;A/);
  assert.equal(await open(["/bin/zsh"]), undefined);
  assert.equal(await open(["bash"], { agentId: createId("agent", "a1") }), undefined);
  assert.equal(await open(["bash"], { env: { PROMPT_COMMAND: "mine" } }), "mine");
});
