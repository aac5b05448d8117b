/** The file of --token-file: the token that opens the server, kept by whoever starts it (a service, a container). */
import { Buffer } from "node:buffer";
import { err, ok, type Result } from "../core/result.ts";
import type { Failure } from "./failure.ts";

const TOKEN_BYTES = 32;
/** Too short to guess is what a token must be; it goes into headers and an address, so nothing but these. */
const TOKEN = /^[A-Za-z0-9_-]{32,256}$/;

/** The token of the file; a file that is missing is made with a fresh one, for its owner only. */
export async function readOrMakeToken(path: string): Promise<Result<string, Failure>> {
  const failed = (reason: string): Result<never, Failure> =>
    err({ kind: "file", doing: "take the token from", path, reason });
  try {
    const token = (await Deno.readTextFile(path)).trim();
    return TOKEN.test(token) ? ok(token) : failed("it is not one token of 32 or more letters, digits, - and _");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return failed(String(error));
  }
  const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString("base64url");
  try {
    await Deno.writeTextFile(path, `${fresh}\n`, { createNew: true, mode: 0o600 });
    return ok(fresh);
  } catch (error) {
    return failed(String(error));
  }
}
