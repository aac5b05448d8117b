import assert from "node:assert/strict";
import { parseCommandLine, readNumber, readSize } from "../../cli/arguments.ts";
import { COMMAND_NAMES } from "../../cli/commands.ts";
import { dataFolderOf } from "../../cli/data_folder.ts";
import { describe } from "../../cli/failure.ts";
import { formatHelp } from "../../cli/help.ts";
import { widerCommand } from "../../cli/wider_network.ts";
import { ok } from "../../core/result.ts";

function parsed(...argv: string[]) {
  const result = parseCommandLine(argv);
  return result.ok ? result.value : { kind: result.error.kind };
}

Deno.test("arguments: commands, groups, aliases, and what is meant by nothing", () => {
  assert.deepEqual(parsed(), { name: "open", args: [], options: {} });
  assert.deepEqual(parsed("open", "."), { name: "open", args: ["."], options: {} });
  assert.deepEqual(parsed("mcp-server", "--project", "p"), { name: "mcp", args: [], options: { project: "p" } });
  assert.deepEqual(parsed("terminals"), { name: "terminals list", args: [], options: {} });
  assert.deepEqual(parsed("terminals", "--json"), { name: "terminals list", args: [], options: { json: true } });
  assert.deepEqual(parsed("terminals", "close", "s1"), { name: "terminals close", args: ["s1"], options: {} });
  assert.deepEqual(parsed("--version"), { name: "version", args: [], options: {} });
  assert.deepEqual(parsed("-h"), { name: "help", args: [], options: {} });
  assert.deepEqual(parsed("ask", "--help"), { name: "help", args: ["ask"], options: {} });
  assert.deepEqual(parsed("terminals", "--help"), { name: "help", args: ["terminals"], options: {} });
});

Deno.test("arguments: options anywhere, with = or not, and everything after -- is an argument", () => {
  const expected = { name: "ask", args: ["Ada", "do it"], options: { wait: "5", json: true } };
  assert.deepEqual(parsed("ask", "--wait", "5", "Ada", "do it", "--json"), expected);
  assert.deepEqual(parsed("ask", "Ada", "--json", "--wait=5", "do it"), expected);
  assert.deepEqual(parsed("ask", "Ada", "--", "--json"), { name: "ask", args: ["Ada", "--json"], options: {} });
  assert.deepEqual(parsed("ask", "Ada", "-"), { name: "ask", args: ["Ada", "-"], options: {} });
  const program = { name: "terminals open", args: ["ls", "-l", "a"], options: {} };
  assert.deepEqual(parsed("terminals", "open", "--", "ls", "-l", "a"), program);
});

Deno.test("arguments: what is wrong has its kind", () => {
  const cases: readonly [readonly string[], string][] = [
    [["agnets"], "unknownCommand"],
    [["terminals", "opne"], "unknownCommand"],
    [["agents", "--wat"], "unknownOption"],
    [["agents", "-x"], "unknownOption"],
    [["ask", "Ada", "x", "--wait"], "missingValue"],
    [["agents", "--json=yes"], "unexpectedValue"],
    [["ask", "Ada"], "missingArgument"],
    [["agents", "extra"], "tooManyArguments"],
    [["toString"], "unknownCommand"],
  ];
  for (const [argv, kind] of cases) assert.deepEqual(parsed(...argv), { kind }, argv.join(" "));
});

Deno.test("arguments: every mistake is told with what to type instead", () => {
  const said = (...argv: string[]) => {
    const result = parseCommandLine(argv);
    return result.ok ? assert.fail() : describe(result.error);
  };
  assert.deepEqual(said("agnets"), {
    exitCode: 2,
    what: 'there is no command "agnets"',
    todo: "did you mean: idea agents",
  });
  assert.deepEqual(said("stop"), {
    exitCode: 2,
    what: "AGENT is missing",
    todo: "usage: idea stop AGENT [OPTIONS]",
  });
  assert.equal(said("ask", "Ada", "a", "b").why, "text with spaces must be quoted");
});

Deno.test("arguments: numbers and sizes are whole and bounded", () => {
  const number = (given: string) =>
    readNumber({ name: "ask", args: [], options: { wait: given } }, "wait", { min: 1, max: 9 });
  assert.deepEqual(number("7"), ok(7));
  for (const bad of ["0", "10", "-1", "1.5", "1e0", "", "x", " 5"]) assert.equal(number(bad).ok, false, bad);
  assert.deepEqual(readNumber({ name: "ask", args: [], options: {} }, "wait", { min: 1, max: 9 }), ok(undefined));
  const size = (given: string) => readSize("terminals open", "--size", given);
  assert.deepEqual(size("120x40"), ok({ cols: 120, rows: 40 }));
  for (const bad of ["0x1", "1x0", "1001x1", "120", "120x", "120X40", "12.5x4"]) assert.equal(size(bad).ok, false, bad);
});

Deno.test("help: every command has one, and an unknown one has none", () => {
  for (const name of COMMAND_NAMES) assert.match(formatHelp(name.split(" ")) ?? "", new RegExp(`idea \\[?${name}`));
  assert.match(formatHelp([]) ?? "", /Exit codes:\n +0 +done\n/);
  assert.match(formatHelp(["mcp-server"]) ?? "", /Also called: idea mcp-server/);
  assert.match(formatHelp(["terminals"]) ?? "", /idea terminals wait TERMINAL PATTERN/);
  assert.equal(formatHelp(["nothing"]), undefined);
});

Deno.test("data folder: IDEA_HOME, else the usual place of each system", () => {
  const home = "/home/me";
  assert.equal(dataFolderOf({ os: "linux", home, env: { IDEA_HOME: "/d", XDG_DATA_HOME: "/x" } }), "/d");
  assert.equal(dataFolderOf({ os: "linux", home, env: { XDG_DATA_HOME: "/x" } }), "/x/IdeA");
  assert.equal(dataFolderOf({ os: "linux", home, env: { XDG_DATA_HOME: "" } }), "/home/me/.local/share/IdeA");
  assert.equal(dataFolderOf({ os: "macos", home, env: {} }), "/home/me/Library/Application Support/IdeA");
  assert.ok(dataFolderOf({ os: "windows", home, env: { APPDATA: "C:\\R" } }).startsWith("C:\\R"));
});

Deno.test("wider network: one more address, and only where permissions are not built in", () => {
  const self = { execPath: "/deno", mainModule: "file:///m.ts", standalone: false, env: { A: "1" } };
  assert.deepEqual(widerCommand(self, "0.0.0.0"), {
    argv: [
      "/deno",
      "run",
      "--quiet",
      "-P",
      "--no-prompt",
      "--allow-net=127.0.0.1,localhost,[::1],0.0.0.0",
      "file:///m.ts",
    ],
    env: { A: "1" },
  });
  assert.deepEqual(widerCommand({ ...self, env: { IDEA_SELF: "/idea", DENO_DIR: "/ours" } }, "::"), {
    argv: ["/idea"],
    env: { IDEA_NET: "[::]" },
  });
  assert.equal(widerCommand({ ...self, standalone: true }, "0.0.0.0"), undefined);
});
