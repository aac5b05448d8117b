/** Twenty windows on one terminal, of which one is slow, one is stopped, and one has lost its network unknowingly. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { SessionId } from "../../core/ids.ts";
import { createTerminalConnection } from "../../web/ui/terminal/connection.ts";
import { startLink } from "../helpers/frozen_link.ts";
import { createNumberedLines, NUMBERED_LINES, type NumberedLines } from "../helpers/numbered_lines.ts";
import { program, requires } from "../helpers/requires.ts";
import { startTerminalServer, type TerminalServer } from "../helpers/terminal_server.ts";
import { waitFor } from "../helpers/wait_for.ts";

const PATIENCE_MS = 60_000;
const OUTAGE_MS = 90_000;
const GOOD_WINDOWS = 17;
/** Of output, ten times a second. */
const BLOCK_KB = 60;
const SLOW_BYTES_PER_SECOND = 1024;
/** A window's credit, a snapshot, and what else a runtime takes meanwhile. */
const MEMORY_BOUND_BYTES = 150_000_000;

interface Watcher extends Disposable {
  readonly lines: NumberedLines;
  undrawn(): number;
  draw(bytes: number): void;
}

/** paced: it draws only what the test lets it draw. */
function watch(socketUrl: string, sessionId: SessionId, paced = false): Watcher {
  const connection = createTerminalConnection({ url: socketUrl });
  const lines = createNumberedLines();
  let undrawn = 0;
  const stream = connection.attach({ sessionId, visible: true, focused: false }, {
    onSnapshotBegin: () => lines.restart(),
    onOutput(bytes) {
      lines.take(bytes);
      if (paced) undrawn += bytes.length;
      else stream.acknowledge(bytes.length);
    },
    onResize: () => {},
    onSnapshotEnd: () => {},
    onExit: () => {},
    onClosed: () => {},
  });
  return {
    lines,
    undrawn: () => undrawn,
    draw(bytes) {
      undrawn -= bytes;
      stream.acknowledge(bytes);
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

Deno.test({
  name: `a window stopped for ${OUTAGE_MS / 1000} s, one cut off, one slow: 17 others lose nothing, and all are whole`,
  ...requires(program("python3")),
  // The library and the signal of terminals stay for the whole process, whichever test came first.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using server = startTerminalServer(() => new Response(null, { status: 204 }));
    await using link = startLink(Number(new URL(server.url).port));
    const folder = await Deno.makeTempDir();
    const stopFile = join(folder, "stop");
    const sessionId = await server.openSession(["python3", "-c", NUMBERED_LINES, stopFile, String(BLOCK_KB)]);
    using stopped = startViewerProcess(server, sessionId);
    using slow = watch(server.socketUrl, sessionId, true);
    using cutOff = watch(server.socketUrl.replace(new URL(server.url).host, link.address), sessionId);
    using stack = new DisposableStack();
    const good = Array.from({ length: GOOD_WINDOWS }, () => stack.use(watch(server.socketUrl, sessionId)));
    await waitFor("all draw", () => {
      const all = [...good, slow, cutOff].every(({ lines }) => lines.restarts() > 0);
      return all && stopped.said() !== undefined && server.connections() === GOOD_WINDOWS + 3;
    }, PATIENCE_MS);

    Deno.kill(stopped.pid, "SIGSTOP");
    link.setFrozen(true);
    const memoryBefore = Deno.memoryUsage().rss;
    const connectionsWhileGone: number[] = [];
    const begunMs = performance.now();
    while (performance.now() - begunMs < OUTAGE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      slow.draw(Math.min(slow.undrawn(), SLOW_BYTES_PER_SECOND));
      connectionsWhileGone.push(server.connections());
    }
    const grown = Deno.memoryUsage().rss - memoryBefore;
    // The page of the one without network tries again through the same network, in vain.
    assert.ok(connectionsWhileGone.slice(20).every((count) => count <= GOOD_WINDOWS + 2), String(connectionsWhileGone));
    assert.ok(grown < MEMORY_BOUND_BYTES, `memory grew by ${grown} bytes`);
    for (const { lines } of [...good, slow]) assert.equal(lines.fault(), undefined);

    Deno.kill(stopped.pid, "SIGCONT");
    link.setFrozen(false);
    await Deno.writeTextFile(stopFile, "");
    await waitFor("the good ones have all", () => good.every(({ lines }) => lines.isComplete()), PATIENCE_MS);
    await waitFor("the others too", () => {
      slow.draw(slow.undrawn());
      return slow.lines.isComplete() && cutOff.lines.isComplete() && stopped.said()?.isComplete === true;
    }, PATIENCE_MS);
    for (const { lines } of [...good, slow, cutOff]) assert.equal(lines.fault(), undefined);
    assert.equal(stopped.said()?.fault, undefined);
    await server.terminals.close(sessionId);
    await stopped.ended;
    await Deno.remove(folder, { recursive: true });
    assert.deepEqual(server.defects, []);
  },
});

interface Said {
  readonly fault?: string;
  readonly isComplete: boolean;
}

function startViewerProcess(server: TerminalServer, sessionId: SessionId) {
  const script = join(import.meta.dirname ?? "", "../helpers/viewer_process.ts");
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script, server.socketUrl, sessionId],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let said: Said | undefined;
  let rest = "";
  const reading = (async () => {
    for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      const last = lines.at(-1);
      if (last !== undefined) said = JSON.parse(last);
    }
  })();
  return {
    pid: process.pid,
    said: () => said,
    ended: Promise.all([process.status, reading]),
    [Symbol.dispose]() {
      try {
        process.kill("SIGKILL");
      } catch {
        // It has ended, as it should.
      }
    },
  };
}
