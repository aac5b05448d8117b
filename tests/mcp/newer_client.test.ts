/** The client library of later versions of the protocol, that of the public inspector: over HTTP and the stdio bridge. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createId } from "../../core/ids.ts";
import { bob } from "../fakes/app.ts";
import { waitFor } from "../helpers/wait_for.ts";
import { startServer } from "./bridge_setup.ts";
import { textOf } from "./mcp_setup.ts";

const CHILD = fileURLToPath(new URL("./bridge_child.ts", import.meta.url));

async function talk(client: Client, server: ReturnType<typeof startServer>): Promise<void> {
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === "idea_ask_agent"));
  const progress: unknown[] = [];
  const asking = client.callTool({ name: "idea_ask_agent", arguments: { target: "Bob", task: "17 × 23?" } }, {
    onprogress: (told) => void progress.push(told.message),
  });
  await waitFor("the ask arrives", () => server.app.ticketsOf(bob).length === 1);
  server.app.progress("Bob works on it");
  await waitFor("progress", () => progress.length === 1);
  server.app.reply(createId("ticket", "t1"), "391");
  assert.equal(textOf(await asking), "391");
  const { contents } = await client.readResource({ uri: "idea://context" });
  assert.deepEqual(contents, [{ uri: "idea://context", mimeType: "text/markdown", text: "# Rules" }]);
  assert.equal((await client.listPrompts()).prompts[0]?.name, "review");
  const refused = await client.callTool({ name: "idea_ask_agent", arguments: { target: "Zoe", task: "x" } });
  assert.equal(refused.isError, true);
  assert.deepEqual(server.errors, []);
}

Deno.test("newer client: over HTTP", async () => {
  await using server = startServer("t1");
  const client = new Client({ name: "newer", version: "2" });
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { authorization: "Bearer t1" } },
  });
  await client.connect(transport);
  await talk(client, server);
  await transport.terminateSession();
  await client.close();
  assert.equal(server.mcp.sessions(), 0);
});

Deno.test({
  name: "newer client: over the stdio bridge as a process",
  // The client leaves a timer of two seconds behind when it closes.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using server = startServer("t1");
    const client = new Client({ name: "newer", version: "2" });
    await client.connect(
      new StdioClientTransport({
        command: Deno.execPath(),
        args: ["run", "-A", "-q", CHILD, server.url, "t1"],
        stderr: "inherit",
      }),
    );
    await talk(client, server);
    await client.close();
    await waitFor("the session ends", () => server.mcp.sessions() === 0);
  },
});
