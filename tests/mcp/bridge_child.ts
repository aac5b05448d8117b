/** The bridge as a process, as `idea mcp` runs it: bridge_child.ts URL SECRET. */
import { runBridge } from "../../mcp/bridge.ts";

const [url = "", secret = ""] = Deno.args;
const ended = await runBridge({ url, secret });
Deno.exit(ended.ok ? 0 : 1);
