/**
 * The command line of IdeA: from words to an exit code. It is a client of the HTTP API, but for `serve`, `open` and
 * `mcp`, whose work main.ts hands in, so that no command loads more than it needs.
 */
import { err, ok, type Result } from "../core/result.ts";
import { VERSION } from "../core/version.ts";
import * as agentCommands from "./agent_commands.ts";
import { parseCommandLine, type Parsed } from "./arguments.ts";
import { type CommandName, EXIT } from "./commands.ts";
import { formatCompletions, isShell, SHELLS } from "./completions.ts";
import { argument, connect, type Context, printTo } from "./context.ts";
import { doctor } from "./doctor.ts";
import { describe, type Failure, formatFailure } from "./failure.ts";
import { formatHelp } from "./help.ts";
import * as layoutCommands from "./layout_commands.ts";
import { limit } from "./limit_command.ts";
import { type Bridge, mcp, open, type Serve, serveCommand } from "./server_commands.ts";
import { tail } from "./tail.ts";
import * as terminalCommands from "./terminal_commands.ts";
import { thisWorld, type World } from "./world.ts";

export interface CommandLineParts {
  readonly serve: Serve;
  readonly bridge: Bridge;
  /** Of this process when left out. */
  readonly world?: World;
}

type Done = Promise<Result<void, Failure>>;
type OnlineName = Exclude<CommandName, "open" | "serve" | "mcp" | "doctor" | "completions" | "version" | "help">;

/** Commands that need a running server, and never start one. */
const ONLINE: Readonly<Record<OnlineName, (context: Context) => Done>> = {
  "agents": agentCommands.agents,
  "launch": agentCommands.launch,
  "stop": agentCommands.stop,
  "ask": agentCommands.ask,
  "send": agentCommands.send,
  "screen": agentCommands.screen,
  "explain": agentCommands.explain,
  "limit": limit,
  "redeliver": agentCommands.redeliver,
  "tail": tail,
  "terminals list": terminalCommands.list,
  "terminals open": terminalCommands.open,
  "terminals write": terminalCommands.write,
  "terminals resize": terminalCommands.resize,
  "terminals read": terminalCommands.read,
  "terminals wait": terminalCommands.wait,
  "terminals close": terminalCommands.close,
  "layouts list": layoutCommands.list,
  "layouts add": layoutCommands.add,
  "layouts rename": layoutCommands.rename,
  "layouts remove": layoutCommands.remove,
  "layouts show": layoutCommands.show,
  "layouts undo": layoutCommands.undo,
  "layouts redo": layoutCommands.redo,
  "layouts change": layoutCommands.change,
};

/** Runs one command and gives its exit code; what went wrong is on standard error. */
export async function runCommandLine(argv: readonly string[], parts: CommandLineParts): Promise<number> {
  const world = parts.world ?? thisWorld();
  const parsed = parseCommandLine(argv);
  const result = parsed.ok ? await run(parsed.value, { ...parts, world }) : parsed;
  if (result.ok) return result.value;
  const words = describe(result.error);
  const { exitCode, ...said } = words;
  const isJson = argv.includes("--json");
  world.err(isJson ? JSON.stringify({ error: { kind: result.error.kind, ...said, exitCode } }) : formatFailure(words));
  return exitCode;
}

async function run(
  parsed: Parsed,
  { world, serve, bridge }: Required<CommandLineParts>,
): Promise<Result<number, Failure>> {
  switch (parsed.name) {
    case "serve":
      return await serveCommand(parsed, world, serve);
    case "open":
      return done(await open(parsed, world, serve));
    case "mcp":
      return done(await mcp(parsed, world, bridge));
    case "doctor":
      return done(await doctor(parsed, world));
    case "completions":
      return done(completions(parsed, world));
    case "help":
      return done(help(parsed, world));
    case "version": {
      const json = parsed.options["json"] === true;
      printTo(world, { json, value: { version: VERSION, deno: Deno.version.deno }, text: `idea ${VERSION}` });
      return ok(EXIT.ok);
    }
    default: {
      const context = await connect(parsed, world);
      return context.ok ? done(await ONLINE[parsed.name](context.value)) : context;
    }
  }
}

function done(result: Result<void, Failure>): Result<number, Failure> {
  return result.ok ? ok(EXIT.ok) : result;
}

function help(parsed: Parsed, world: World): Result<void, Failure> {
  const text = formatHelp(parsed.args);
  if (text === undefined) return err({ kind: "unknownCommand", given: parsed.args.join(" "), near: [] });
  world.out(`${text}\n`);
  return ok();
}

function completions(parsed: Parsed, world: World): Result<void, Failure> {
  const given = argument(parsed, 0);
  if (!isShell(given)) {
    return err({ kind: "invalidValue", command: parsed.name, of: "SHELL", given, expected: SHELLS.join(", ") });
  }
  world.out(formatCompletions(given));
  return ok();
}
