/** Finding the server of this data folder, by the file it leaves there, and starting one that outlives us. */
import { join } from "node:path";
import { startDetached } from "../adapters/process/detached.ts";
import { selfCommand, thisProgram } from "../adapters/process/self_command.ts";
import { err, ok, type Result } from "../core/result.ts";
import { isServerAlive, parseServerFile, type RunningServer, SERVER_FILE } from "../web/server/instance.ts";
import type { Failure } from "./failure.ts";

const START_MS = 20_000;
/** Two bridges may start a server at once: the one that lost ends, and the other's answers a moment later. */
const AFTER_END_MS = 3_000;
const LOOK_AGAIN_MS = 50;

/** The server that runs for the data folder and answers; undefined when there is none. */
export async function findServer(dataFolder: string): Promise<RunningServer | undefined> {
  const server = await readServerFile(dataFolder);
  return server !== undefined && await isServerAlive(server) ? server : undefined;
}

async function readServerFile(dataFolder: string): Promise<RunningServer | undefined> {
  try {
    return parseServerFile(await Deno.readTextFile(join(dataFolder, SERVER_FILE)));
  } catch {
    // Missing, or not ours to read: there is no server for us.
    return undefined;
  }
}

/** Finds the server, or starts one in the background and waits until it answers. */
export async function findOrStartServer(dataFolder: string): Promise<Result<RunningServer, Failure>> {
  const running = await findServer(dataFolder);
  if (running !== undefined) return ok(running);
  const started = startDetached([...selfCommand(thisProgram()), "serve", "--no-open"]);
  if (!started.ok) return err({ kind: "serverNotStarted", dataFolder, exitCode: undefined });
  let exitCode: number | undefined;
  let endMs = performance.now() + START_MS;
  void started.value.ended.then((code) => {
    exitCode = code;
    endMs = Math.min(endMs, performance.now() + AFTER_END_MS);
  });
  while (performance.now() < endMs) {
    const server = await findServer(dataFolder);
    if (server !== undefined) return ok(server);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return err({ kind: "serverNotStarted", dataFolder, exitCode });
}
