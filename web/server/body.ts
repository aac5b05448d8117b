/** Reads a JSON body within bounds: bytes while they come, nesting before anything walks through it. */
import { err, ok, type Result } from "../../core/result.ts";
import type { DoorError } from "./errors.ts";

const MAX_NESTING = 64;

export async function readJson(request: Request, limitBytes: number): Promise<Result<unknown, DoorError>> {
  const contentType = request.headers.get("content-type") ?? undefined;
  if (contentType?.split(";")[0]?.trim().toLowerCase() !== "application/json") {
    await request.body?.cancel();
    return err({ kind: "wrongContentType", given: contentType });
  }
  const text = await readText(request, limitBytes);
  return text.ok ? parseJson(text.value) : text;
}

async function readText(request: Request, limitBytes: number): Promise<Result<string, DoorError>> {
  const tooLarge = err({ kind: "bodyTooLarge", limitBytes } as const);
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) {
    await request.body?.cancel();
    return tooLarge;
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  let text = "";
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength;
      // Leaving the loop cancels the stream, so the rest is not read.
      if (bytes > limitBytes) return tooLarge;
      text += decoder.decode(chunk, { stream: true });
    }
    return ok(text + decoder.decode());
  } catch {
    return err({ kind: "notJson", reason: "it is not UTF-8, or was cut off" });
  }
}

/** __proto__ as a key is refused: a spread of the value later must not change what it inherits. */
export function parseJson(text: string): Result<unknown, DoorError> {
  if (nestingOf(text) > MAX_NESTING) return err({ kind: "notJson", reason: `it is nested deeper than ${MAX_NESTING}` });
  let forbiddenKey = false;
  try {
    const value: unknown = JSON.parse(text, (key, item) => {
      if (key === "__proto__") forbiddenKey = true;
      return item;
    });
    return forbiddenKey ? err({ kind: "notJson", reason: "it has a key __proto__" }) : ok(value);
  } catch (error) {
    return err({ kind: "notJson", reason: error instanceof Error ? error.message : "it does not parse" });
  }
}

/** How deep brackets nest, strings left out; for text that is no JSON any number will do. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 0x5c) at++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x5b || char === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (char === 0x5d || char === 0x7d) depth--;
  }
  return deepest;
}
