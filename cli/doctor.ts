/**
 * `idea doctor`: what is installed, reachable and permitted, each finding with its fix. It looks without changing
 * anything, and works with and without a server.
 */
import { join } from "node:path";
import { findProgram } from "../adapters/process/find_program.ts";
import { err, ok, type Result } from "../core/result.ts";
import { VERSION } from "../core/version.ts";
import { referenceProfiles } from "../core/profiles/reference.ts";
import { createApiClient } from "../web/api/client.ts";
import type { RunningServer } from "../web/server/instance.ts";
import type { Parsed } from "./arguments.ts";
import { printTo } from "./context.ts";
import type { Failure } from "./failure.ts";
import { findServer } from "./server.ts";
import type { World } from "./world.ts";

export interface Finding {
  readonly what: string;
  /** ok; missing: something that is not needed by all; problem: IdeA does not work as it should. */
  readonly state: "ok" | "missing" | "problem";
  readonly detail: string;
  readonly fix?: string;
}

export async function doctor(parsed: Parsed, world: World): Promise<Result<void, Failure>> {
  const server = await findServer(world.dataFolder);
  const findings = [
    system(),
    await dataFolder(world.dataFolder),
    serverFinding(server, world.dataFolder),
    ...permissions(),
    program("git", { path: world.env["PATH"] ?? "", fix: "install git: without it a project has no history in IdeA" }),
    ...await agentClis(server, world.env["PATH"] ?? ""),
  ];
  const json = parsed.options["json"] === true;
  printTo(world, { json, value: findings, text: findings.map(format).join("\n") });
  const problems = findings.filter(({ state }) => state === "problem").length;
  return problems === 0 ? ok() : err({ kind: "problemsFound", count: problems });
}

function format({ what, state, detail, fix }: Finding): string {
  const line = `${state.padEnd(7)}  ${what}: ${detail}`;
  return fix === undefined ? line : `${line}\n         ${fix}`;
}

function system(): Finding {
  const { os, arch } = Deno.build;
  const detail = `IdeA ${VERSION}, Deno ${Deno.version.deno}, ${os} ${arch}`;
  return { what: "system", state: "ok", detail };
}

async function dataFolder(path: string): Promise<Finding> {
  const what = "data folder";
  try {
    const { isDirectory } = await Deno.stat(path);
    if (!isDirectory) return { what, state: "problem", detail: `${path} is no folder`, fix: "move that file away" };
    // A probe of its own name: nothing of IdeA's is touched.
    const probe = await Deno.makeTempFile({ dir: path, prefix: ".doctor-" });
    await Deno.remove(probe);
    return { what, state: "ok", detail: path };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { what, state: "ok", detail: `${path}, made at the first start` };
    const fix = "give yourself permission to write there, or set IDEA_HOME to another folder";
    return { what, state: "problem", detail: `${path}: ${String(error)}`, fix };
  }
}

function serverFinding(server: RunningServer | undefined, folder: string): Finding {
  const what = "server";
  if (server !== undefined) return { what, state: "ok", detail: `runs at ${server.url}, process ${server.pid}` };
  if (!exists(join(folder, "server.json"))) {
    return { what, state: "missing", detail: "does not run", fix: "start it with: idea" };
  }
  const fix = "it was killed, or it hangs; starting IdeA again mends it: idea";
  return { what, state: "missing", detail: "left its file behind and does not answer", fix };
}

function permissions(): readonly Finding[] {
  const needed = ["read", "write", "run", "ffi", "env"] as const;
  const denied = needed.filter((name) => Deno.permissions.querySync({ name }).state !== "granted");
  if (denied.length === 0) return [{ what: "permissions", state: "ok", detail: "all that are needed" }];
  const fix = "run it by deno task start, or the executable; from source by hand: deno run -P main.ts";
  return [{ what: "permissions", state: "problem", detail: `Deno does not permit ${denied.join(", ")}`, fix }];
}

function program(name: string, { path, fix }: { readonly path: string; readonly fix: string }): Finding {
  const found = findProgram(name, path);
  return found === undefined
    ? { what: name, state: "missing", detail: "not in PATH", fix }
    : { what: name, state: "ok", detail: found };
}

/** By the running server, which knows the login environment and runs each CLI; else by looking into PATH. */
async function agentClis(server: RunningServer | undefined, path: string): Promise<readonly Finding[]> {
  if (server !== undefined) {
    const api = createApiClient({ baseUrl: server.url, token: server.token });
    const detected = await api.call("GET /api/profiles/detected");
    if (detected.ok) {
      return detected.value.items.map(({ profile, installed, program, version }) =>
        cliFinding(
          profile.name,
          installed ? [program, version].filter((part) => part !== undefined).join(", ") : undefined,
        )
      );
    }
  }
  return referenceProfiles.map(({ name, command }) => cliFinding(name, findProgram(command, path)));
}

function cliFinding(name: string, found: string | undefined): Finding {
  return found === undefined
    ? { what: name, state: "missing", detail: "not installed", fix: "install it if you want agents of it" }
    : { what: name, state: "ok", detail: found };
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
}
