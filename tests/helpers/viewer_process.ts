/**
 * A window as a process of its own, so that a test can stop it: `viewer_process.ts SOCKET_URL SESSION_ID`. It reads
 * numbered lines (numbered_lines.ts), and says on standard output what it has, as one JSON line at a time.
 */
import { createId } from "../../core/ids.ts";
import { createTerminalConnection } from "../../web/ui/terminal/connection.ts";
import { createNumberedLines } from "./numbered_lines.ts";

const [url = "", session = ""] = Deno.args;
const lines = createNumberedLines();
let saidMs = 0;

function say(): void {
  saidMs = performance.now();
  console.log(JSON.stringify({ fault: lines.fault(), isComplete: lines.isComplete(), restarts: lines.restarts() }));
}

const connection = createTerminalConnection({ url });
const stream = connection.attach({ sessionId: createId("session", session), visible: true, focused: false }, {
  onSnapshotBegin: () => lines.restart(),
  onOutput(bytes) {
    lines.take(bytes);
    stream.acknowledge(bytes.length);
    if (performance.now() - saidMs > 100 || lines.isComplete()) say();
  },
  onResize: () => {},
  onSnapshotEnd: () => {},
  onExit: () => {},
  onClosed: () => Deno.exit(0),
});
