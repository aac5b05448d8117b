/**
 * The program. The command line is a client of the server; the server itself, and the bridge that speaks MCP, are loaded
 * only by the commands that run them, so that the others start fast.
 */
import { runCommandLine } from "./cli/command_line.ts";

if (import.meta.main) {
  Deno.exit(
    await runCommandLine(Deno.args, {
      serve: async (options) => (await import("./serve.ts")).serve(options),
      bridge: async (options) => (await import("./mcp/bridge.ts")).runBridge(options),
    }),
  );
}
