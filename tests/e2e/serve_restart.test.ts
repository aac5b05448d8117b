/** A server that was killed comes back where it was, so that windows which are still open find it. */
import assert from "node:assert/strict";
import { startServer } from "../helpers/server.ts";

Deno.test("restart: after kill -9 the address and the token are the same, and what was open is open", async () => {
  await using idea = await startServer();
  const opened = await idea.api.call("POST /api/projects", { body: { root: idea.project } });
  assert.ok(opened.ok);
  const before = idea.server();
  await idea.kill();
  await idea.start();
  const { url, token, pid } = idea.server();
  assert.deepEqual({ url, token }, { url: before.url, token: before.token });
  assert.notEqual(pid, before.pid);
  const projects = await idea.api.call("GET /api/projects");
  assert.ok(projects.ok);
  assert.deepEqual(projects.value.items.map(({ projectId, open }) => [projectId, open]), [
    [opened.value.projectId, true],
  ]);
});
