/**
 * A window as a process of its own, so that a test can stop it: `viewer_process.ts SOCKET_URL SESSION_ID`. It draws by
 * counting, and says on standard output what it has, as one JSON line at a time.
 */
import { createId } from "../../core/ids.ts";
import { createTerminalConnection } from "../../web/ui/terminal/connection.ts";

const [url = "", session = ""] = Deno.args;
const say = (line: Record<string, unknown>) => console.log(JSON.stringify(line));
let tail = "";
let saidMs = 0;

const connection = createTerminalConnection({ url });
connection.state.subscribe((state) => say({ state }));
const stream = connection.attach({ sessionId: createId("session", session), visible: true, focused: false }, {
  onSnapshotBegin: () => {},
  onOutput(bytes) {
    tail = (tail + new TextDecoder().decode(bytes.slice(-200))).slice(-200);
    stream.acknowledge(bytes.length);
    const nowMs = performance.now();
    if (nowMs - saidMs < 100 && !tail.includes("ALLDONE")) return;
    saidMs = nowMs;
    say({ tail });
  },
  onResize: () => {},
  onSnapshotEnd: () => {},
  onExit: () => {},
  onClosed: () => Deno.exit(0),
});
