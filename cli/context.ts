/** What a command that talks to the server has at hand, and how it prints. */
import { err, ok, type Result } from "../core/result.ts";
import { type ApiClient, type ApiError, createApiClient } from "../web/api/client.ts";
import type { RunningServer } from "../web/server/instance.ts";
import type { Parsed } from "./arguments.ts";
import type { Failure } from "./failure.ts";
import { findServer } from "./server.ts";
import type { World } from "./world.ts";

export interface Context {
  readonly parsed: Parsed;
  readonly world: World;
  readonly server: RunningServer;
  readonly api: ApiClient;
  /** Prints the value as JSON when --json is given, else the text. */
  print(value: unknown, text: string): void;
}

export async function connect(parsed: Parsed, world: World): Promise<Result<Context, Failure>> {
  const { dataFolder } = world;
  const server = await findServer(dataFolder);
  return server === undefined ? err({ kind: "noServer", dataFolder }) : ok(contextOf(server, { parsed, world }));
}

export function contextOf(
  server: RunningServer,
  { parsed, world }: { readonly parsed: Parsed; readonly world: World },
): Context {
  return {
    ...{ parsed, world, server },
    api: createApiClient({ baseUrl: server.url, token: server.token }),
    print: (value, text) => printTo(world, { json: parsed.options["json"] === true, value, text }),
  };
}

export function printTo(
  world: World,
  { json, value, text }: { readonly json: boolean; readonly value: unknown; readonly text: string },
): void {
  if (json) world.out(`${JSON.stringify(value, null, 2)}\n`);
  else if (text !== "") world.out(`${text}\n`);
}

/** Names what was being done when the server said no. */
export function during<T>(doing: string, result: Result<T, ApiError>): Result<T, Failure> {
  return result.ok ? result : err({ kind: "api", doing, error: result.error });
}

/** An option with a value. */
export function optionText({ options }: Parsed, name: string): string | undefined {
  const given = options[name];
  return typeof given === "string" ? given : undefined;
}

/** A positional argument that the table of commands requires, so it is there. */
export function argument({ args }: Parsed, index: number): string {
  const given = args[index];
  if (given === undefined) throw new Error(`the table of commands requires no argument ${index}`);
  return given;
}

/** The argument, or standard input when it is "-". */
export async function argumentOrStdin({ parsed, world }: Context, index: number): Promise<string> {
  const given = argument(parsed, index);
  return given === "-" ? await world.readStdin() : given;
}

/** Columns as wide as their widest entry; the last one is not padded. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row.map((cell, column) => column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
  ).join("\n");
}
