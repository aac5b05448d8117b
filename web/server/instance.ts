/**
 * server.json in the data folder: which server runs for it, where, and the token that opens it. One server a data
 * folder: the folder's lock decides, this file tells the others where to go.
 */
import { z } from "zod";
import type { Folder, FolderError } from "../../core/ports/folder.ts";
import { ok, type Result } from "../../core/result.ts";

export const SERVER_FILE = "server.json";
const VERSION = 1;
const PROBE_MS = 2_000;

const ServerFileSchema = z.looseObject({
  version: z.literal(VERSION),
  pid: z.number().int().positive(),
  startedAtMs: z.number(),
  url: z.url(),
  token: z.string().min(1),
});

export interface RunningServer {
  readonly pid: number;
  readonly startedAtMs: number;
  /** http://127.0.0.1:4711 */
  readonly url: string;
  readonly token: string;
}

/** Undefined for text that is no server.json of ours: then nothing can be said of a server. */
export function parseServerFile(text: string): RunningServer | undefined {
  try {
    const parsed = ServerFileSchema.safeParse(JSON.parse(text));
    if (!parsed.success) return undefined;
    const { pid, startedAtMs, url, token } = parsed.data;
    return { pid, startedAtMs, url, token };
  } catch {
    return undefined;
  }
}

/** Says where the server is, until disposed. The file of another server, should there be one by then, stays. */
export async function announceServer(
  folder: Folder,
  server: RunningServer,
): Promise<Result<AsyncDisposable, FolderError>> {
  const text = `${JSON.stringify({ version: VERSION, ...server }, null, 2)}\n`;
  const written = await folder.writeText(SERVER_FILE, text, { secret: true });
  if (!written.ok) return written;
  return ok({
    async [Symbol.asyncDispose]() {
      const current = await folder.readText(SERVER_FILE);
      if (current.ok && current.value?.text === text) await folder.remove(SERVER_FILE);
    },
  });
}

/** What an earlier server of this folder left when it was killed: its token may go on, so that open windows find back. */
export async function readLeftServer(folder: Folder): Promise<RunningServer | undefined> {
  const file = await folder.readText(SERVER_FILE);
  return file.ok && file.value !== undefined ? parseServerFile(file.value.text) : undefined;
}

/** Whether that very server answers: a port may have gone to another program, so the token has to fit. */
export async function isServerAlive(server: RunningServer): Promise<boolean> {
  try {
    const response = await fetch(`${server.url}/api/health`, {
      headers: { authorization: `Bearer ${server.token}` },
      signal: AbortSignal.timeout(PROBE_MS),
      redirect: "error",
    });
    const health: unknown = await response.json();
    return response.ok && z.looseObject({ status: z.literal("ok") }).safeParse(health).success;
  } catch {
    return false;
  }
}

/** The address that signs a browser in, to be shown to the person on their terminal only: never an argument, or logged. */
export function openingUrl(server: Pick<RunningServer, "url" | "token">): string {
  return `${server.url}/?token=${encodeURIComponent(server.token)}`;
}

/** The same with a code of web/api/opening.ts: for the arguments of a browser, which others can read. */
export function codeUrl(server: Pick<RunningServer, "url">, code: string): string {
  return `${server.url}/?code=${encodeURIComponent(code)}`;
}
