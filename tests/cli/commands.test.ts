import assert from "node:assert/strict";
import { join } from "node:path";
import { createId } from "../../core/ids.ts";
import { ok } from "../../core/result.ts";
import { createFakeApp } from "../fakes/app.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { token } from "../web/server_setup.ts";
import { createShell, serve } from "./cli_setup.ts";

async function setup() {
  const clock = createFakeClock();
  const app = createFakeApp(clock);
  const shell = await createShell();
  const server = await serve(shell, { app, clock });
  return {
    app,
    url: server.url,
    run: shell.run,
    dataFolder: shell.dataFolder,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await shell[Symbol.asyncDispose]();
    },
  };
}

Deno.test("cli: agents are listed as a table for people and as JSON for programs", async () => {
  await using idea = await setup();
  const listed = await idea.run(["agents"]);
  assert.deepEqual(listed, {
    code: 0,
    out: "NAME  PROFILE      STATE    QUEUE  WORKS ON\n" +
      "Ada   Claude Code  stopped  0\n" +
      "Bob   Claude Code  stopped  0\n",
    err: "",
  });
  const json = await idea.run(["agents", "--json"]);
  assert.deepEqual(JSON.parse(json.out).map(({ name }: { name: string }) => name), ["Ada", "Bob"]);
});

Deno.test("cli: the life of an agent, with what is refused said and coded", async () => {
  await using idea = await setup();
  assert.deepEqual(await idea.run(["launch", "Ada"]), { code: 0, out: "Ada is idle\n", err: "" });
  const again = await idea.run(["launch", "ada"]);
  assert.equal(again.code, 5);
  assert.match(again.err, /^idea: cannot launch Ada\n {2}\S.*\n {2}\S/);
  assert.deepEqual(await idea.run(["stop", "Ada"]), { code: 0, out: "Ada is stopped\n", err: "" });
  assert.deepEqual(
    (await idea.run(["screen", "Ada"])).err,
    "idea: Ada does not run\n  start it with: idea launch Ada\n",
  );
  const unknown = await idea.run(["stop", "Eve"]);
  assert.deepEqual(unknown, { code: 4, out: "", err: 'idea: there is no agent "Eve"\n  this project has: Ada, Bob\n' });
});

Deno.test("cli: a failure is JSON on standard error when JSON is asked for", async () => {
  await using idea = await setup();
  const failed = await idea.run(["stop", "Eve", "--json"]);
  assert.equal(failed.out, "");
  assert.deepEqual(JSON.parse(failed.err), {
    error: { kind: "noSuchAgent", what: 'there is no agent "Eve"', why: "this project has: Ada, Bob", exitCode: 4 },
  });
});

Deno.test("cli: ask prints the answer, and nothing else", async () => {
  await using idea = await setup();
  const asking = idea.run(["ask", "Ada", "-", "--from", "script"], { stdin: "how much\nis 17 × 23?" });
  await waitFor("the task is there", () => idea.app.received.length > 0);
  const [first] = idea.app.received;
  assert.deepEqual(first?.command, {
    name: "ask",
    input: { target: "ada", task: "how much\nis 17 × 23?", waitSeconds: 600 },
  });
  assert.deepEqual(first?.requester.party, { kind: "external", name: "script" });
  const [ticket] = idea.app.ticketsOf(first?.command.name === "ask" ? (await adaId(idea.app)) : assert.fail());
  idea.app.reply(ticket?.id ?? assert.fail(), "391");
  assert.deepEqual(await asking, { code: 0, out: "391\n", err: "" });
});

async function adaId(app: ReturnType<typeof createFakeApp>) {
  const [project] = app.projects.list();
  const agents = app.agents.list(project?.projectId ?? assert.fail());
  return agents.ok ? agents.value[0]?.agentId ?? assert.fail() : assert.fail();
}

Deno.test("cli: ask without patience gives the ticket: asked so it is fine, else it is a timeout", async () => {
  await using idea = await setup();
  assert.deepEqual(await idea.run(["ask", "Ada", "x", "--wait", "0"]), {
    code: 0,
    out: "ticket t1 is queued\n",
    err: "",
  });
  const sent = await idea.run(["send", "Bob", "hello"]);
  assert.deepEqual(sent, { code: 0, out: "ticket t2 is queued\n", err: "" });
});

Deno.test("cli: a limit is told, held, ended, and shown", async () => {
  await using idea = await setup();
  const limit = (...argv: string[]) => idea.run(["limit", "Ada", ...argv]);
  assert.deepEqual(await limit(), { code: 0, out: "Ada has no usage limit\n", err: "" });
  assert.equal((await limit("--over")).code, 5);
  const until = await limit("--until", "2h 15m", "--json");
  const resetsAtMs: number = JSON.parse(until.out).limit.resetsAtMs;
  assert.ok(Math.abs(resetsAtMs - Date.now() - 135 * 60_000) < 60_000);
  const said = `Ada has a usage limit until ${new Date(resetsAtMs).toISOString()}; it`;
  assert.equal((await limit()).out, `${said} goes on by itself at ${new Date(resetsAtMs).toISOString()}\n`);
  assert.match((await idea.run(["explain", "Ada"])).out, /^Ada is limited since .*, its limit ends 20/);
  assert.equal((await limit("--hold")).out, `${said} does not go on by itself\n`);
  assert.equal((await limit("--over")).out, "Ada has no usage limit\n");
  assert.deepEqual((await limit("--until", "soon")).err.split("\n").slice(0, 2), [
    'idea: "soon" does not fit --until',
    "  it must be a time or a duration, as 15:40, 3pm, 2h 15m or 2026-12-01 09:00",
  ]);
  assert.match((await limit("--over", "--hold")).err, /^idea: only one of --until, --hold, --over can be given\n/);
});

Deno.test("cli: a ticket that needs attention is delivered again", async () => {
  await using idea = await setup();
  await idea.run(["send", "Ada", "hello"]);
  idea.app.needAttention(createId("ticket", "t1"));
  assert.deepEqual(await idea.run(["redeliver", "t1"]), { code: 0, out: "ticket t1 is queued\n", err: "" });
  assert.equal((await idea.run(["redeliver", "t2"])).code, 4);
  assert.match((await idea.run(["redeliver", "../x"])).err, /^idea: there is no ticket "\.\.\/x"\n {2}idea explain/);
});

Deno.test("cli: layouts are listed and changed; what is no operation is said before anything is asked", async () => {
  await using idea = await setup();
  assert.equal(
    (await idea.run(["layouts"])).out,
    "LAYOUT  KIND      CELLS         NAME\nl1      terminal  1      shown  Main\n",
  );
  assert.deepEqual(await idea.run(["layouts", "rename", "Main", "Day"]), { code: 0, out: "l1\n", err: "" });
  assert.equal(JSON.parse((await idea.run(["layouts", "--json"])).out)[0].name, "Day");
  const merge = JSON.stringify({ op: "merge", cellId: "c1", otherId: "c2" });
  const refused = await idea.run(["layouts", "change", "l1", merge]);
  assert.deepEqual(refused.err.split("\n").slice(0, 2), [
    "idea: cannot change the layout Day",
    "  A cell is too thin for a line of its own.",
  ]);
  assert.equal(refused.code, 5);
  for (const operation of [["add", "Night"], ["remove", "l1"], ["show", "l1"], ["undo", "l1"], ["redo", "l1"]]) {
    assert.equal((await idea.run(["layouts", ...operation])).code, 5, operation.join(" "));
  }
  const unknown = await idea.run(["layouts", "remove", "Main"]);
  assert.deepEqual(unknown, { code: 4, out: "", err: 'idea: there is no layout "Main"\n  this project has: Day\n' });
  const wrong = await idea.run(["layouts", "change", "l1", '{"op":"split","cellId":"c1","side":"up"}']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /it must be an operation of a layout; side: /);
  assert.match((await idea.run(["layouts", "change", "l1", "{"])).err, /it must be JSON/);
});

Deno.test("cli: a terminal is opened, typed into, waited for, read, resized, closed", async () => {
  await using idea = await setup();
  const opened = await idea.run(["terminals", "open", "--size", "100x30", "--title", "mine", "--", "htop", "-d", "5"]);
  assert.deepEqual(opened, { code: 0, out: "s1\n", err: "" });
  assert.equal((await idea.run(["terminals", "write", "s1", "one\ntwo", "--enter"])).code, 0);
  assert.equal((await idea.run(["terminals", "write", "s1", "-", "--paste"], { stdin: "three" })).code, 0);
  const read = await idea.run(["terminals", "read", "s1"]);
  assert.deepEqual(read, { code: 0, out: "one\ntwo\r[paste three]\n", err: "" });
  assert.deepEqual(await idea.run(["terminals", "wait", "s1", "^tw"]), {
    code: 0,
    out: "two\r[paste three]\n",
    err: "",
  });
  const waited = await idea.run(["terminals", "wait", "s1", "never", "--timeout", "0"]);
  assert.deepEqual(waited, { code: 6, out: "", err: "idea: no line matched never in time\n" });
  assert.equal((await idea.run(["terminals", "resize", "s1", "90x20"])).code, 0);
  const listed = await idea.run(["terminals"]);
  assert.match(listed.out, /^TERMINAL {2}PID {3}SIZE {3}STATE {4}TITLE\ns1 {8}1001 {2}90x20 {2}running {2}mine\n$/);
  assert.deepEqual(await idea.run(["terminals", "close", "s1"]), { code: 0, out: "signal 1\n", err: "" });
  assert.equal((await idea.run(["terminals", "read", "s1"])).code, 4);
  assert.equal((await idea.run(["terminals", "read", "../x"])).code, 4);
});

Deno.test("cli: explain says state, authority and signals", async () => {
  await using idea = await setup();
  const explained = await idea.run(["explain", "Ada"]);
  assert.equal(explained.code, 0);
  assert.match(explained.out, /^Ada is stopped since \d{4}-.*Z\nwho has the say: programStatus\n$/);
});

Deno.test("cli: the project is the one around the folder, the one that is named, or the only one that is open", async () => {
  await using idea = await setup();
  assert.equal((await idea.run(["agents"], { cwd: "/home/me/one/deep/er" })).code, 0);
  assert.equal((await idea.run(["agents"], { cwd: "/elsewhere" })).code, 0);
  assert.equal((await idea.run(["agents", "--project", "p1"], { cwd: "/elsewhere" })).code, 0);
  assert.equal((await idea.run(["agents", "--project", "one"], { cwd: "/home/me" })).code, 0);
  const unknown = await idea.run(["agents", "--project", "nope"]);
  assert.equal(unknown.code, 4);
  assert.match(unknown.err, /^idea: there is no project "nope"\n {2}known: /);
});

Deno.test("cli: without a server, and with one that is gone, it says how to start one", async () => {
  await using shell = await createShell();
  const none = await shell.run(["agents"]);
  assert.deepEqual({ code: none.code, out: none.out }, { code: 3, out: "" });
  assert.match(none.err, /^idea: no server runs\n.*\n {2}start it with: idea\n$/);
  for (
    const left of [
      "half a fi",
      JSON.stringify({ version: 1, pid: 1, startedAtMs: 1, url: "http://127.0.0.1:9", token }),
    ]
  ) {
    await Deno.writeTextFile(join(shell.dataFolder, "server.json"), left);
    assert.equal((await shell.run(["agents"])).code, 3);
  }
});

Deno.test("cli: open gives the folder to the server that runs, and says the address where no window can be shown", async () => {
  await using idea = await setup();
  const opened = await idea.run(["open", "one"], { cwd: "/home/me" });
  assert.equal(opened.code, 0);
  assert.match(opened.out, /is open\n$/);
  assert.equal(opened.err, `Open ${idea.url}/?token=${token}\n`);
  const missing = await idea.run(["open", "nowhere"], { cwd: "/home/me" });
  assert.equal(missing.code, 4);
  assert.match(missing.err, /^idea: cannot open \/home\/me\/nowhere as a project\n/);
});

Deno.test("cli: serve hands on what it was told, with the token of its file", async () => {
  await using shell = await createShell();
  const tokenFile = join(shell.dataFolder, "token");
  const given: unknown[] = [];
  const argv = ["serve", "--port", "4711", "--no-open", "--token-file", tokenFile];
  const served = await shell.run(argv, {
    async serve({ onReady, ...options }) {
      given.push(options);
      await onReady({ pid: 1, startedAtMs: 1, url: "http://127.0.0.1:4711", token: "t" }, "take care");
      return ok();
    },
  });
  const token = (await Deno.readTextFile(tokenFile)).trim();
  assert.match(token, /^[\w-]{43}$/);
  if (Deno.build.os !== "windows") assert.equal((await Deno.stat(tokenFile)).mode ?? 0 & 0o777, 0o100600);
  assert.deepEqual(given, [{ dataFolder: shell.dataFolder, port: 4711, token }]);
  const err = "take care\nOpen http://127.0.0.1:4711/?token=t\n";
  assert.deepEqual(served, { code: 0, out: "IdeA runs at http://127.0.0.1:4711\n", err });
  await Deno.writeTextFile(tokenFile, "short");
  assert.equal((await shell.run(argv)).code, 1);
});

Deno.test("cli: mcp is the agent's own bridge where its launcher said so, else the person's, for a project", async () => {
  await using idea = await setup();
  const targets: unknown[] = [];
  const bridge = ({ url, secret }: { readonly url: string; readonly secret: string }) => {
    targets.push({ url, secret });
    return Promise.resolve(ok());
  };
  const secretFile = join(idea.dataFolder, "secret");
  await Deno.writeTextFile(secretFile, "s3\n");
  await idea.run(["mcp"], { bridge, env: { IDEA_MCP_URL: "http://x/mcp", IDEA_MCP_SECRET: "s1" } });
  await idea.run(["mcp-server"], { bridge, env: { IDEA_MCP_URL: "http://x/mcp", IDEA_MCP_SECRET_FILE: secretFile } });
  await idea.run(["mcp"], { bridge });
  assert.deepEqual(targets, [
    { url: "http://x/mcp", secret: "s1" },
    { url: "http://x/mcp", secret: "s3" },
    { url: `${idea.url}/mcp?project=p1`, secret: token },
  ]);
  const stopped = await idea.run(["mcp", "--agent", "Ada"], { bridge });
  assert.equal(stopped.code, 5);
});

Deno.test("cli: doctor names each finding with its fix", async () => {
  await using idea = await setup();
  const said = await idea.run(["doctor"], { env: { PATH: "/nowhere" } });
  assert.equal(said.code, 0, said.err);
  assert.match(said.out, new RegExp(`ok +server: runs at ${idea.url}`));
  assert.match(said.out, /missing +git: not in PATH\n +install git/);
  assert.match(said.out, /ok +Claude Code: \/usr\/bin\/claude/);
  const file = join(idea.dataFolder, "file");
  await Deno.writeTextFile(file, "");
  const findings = JSON.parse((await idea.run(["doctor", "--json"])).out);
  assert.ok(findings.every(({ state }: { state: string }) => state === "ok" || state === "missing"));
});
