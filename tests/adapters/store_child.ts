/**
 * A process of its own that owns a folder, for the tests that kill it:
 *
 *   store_child.ts write ROOT   writes and appends without end; says each thing once it was acknowledged
 *   store_child.ts lock ROOT    says "open" or "locked <pid>", then stays until it is killed
 */
import { createClock } from "../../adapters/clock/mod.ts";
import { createFolders } from "../../adapters/store/mod.ts";
import type { Folder } from "../../core/ports/folder.ts";

const [mode = "", root = ""] = Deno.args;

function say(line: string): void {
  const bytes = new TextEncoder().encode(`${line}\n`);
  let done = 0;
  while (done < bytes.length) done += Deno.stdout.writeSync(bytes.subarray(done));
}

async function writeForEver(folder: Folder): Promise<never> {
  const { value: lines } = ensure(await folder.readLines("log.jsonl"));
  for (let at = lines.lines.length;; at++) {
    // Long enough to be torn, of several writers at once as in the app.
    const line = JSON.stringify({ at, text: "é".repeat(at % 5_000) });
    const document = JSON.stringify({ version: 1, at, items: Array.from({ length: at % 500 }, (_, item) => item) });
    await Promise.all([
      folder.appendLine("log.jsonl", line).then(ensure).then(() => say(`appended ${at}`)),
      folder.writeText("document.json", document).then(ensure).then(() => say(`written ${at}`)),
    ]);
  }
}

function ensure<T extends { readonly ok: boolean }>(result: T): Extract<T, { readonly ok: true }> {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result as Extract<T, { readonly ok: true }>;
}

const opened = await createFolders(createClock()).open(root);
if (!opened.ok) say(opened.error.kind === "locked" ? `locked ${opened.error.pid}` : JSON.stringify(opened.error));
else say("open");
if (mode === "write" && opened.ok) await writeForEver(opened.value);
// Something to wait for, so that the process stays.
setInterval(() => {}, 60_000);
