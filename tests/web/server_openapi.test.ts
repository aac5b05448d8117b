/** The OpenAPI document covers what is served, exactly, and is a valid one. */
import assert from "node:assert/strict";
import { createOpenApiDocument, listEndpoints } from "../../web/server/openapi.ts";
import { setup } from "./server_setup.ts";

Deno.test("openapi: the document has every endpoint, and each is served", async () => {
  const { sendAsPerson } = setup();
  const document = await (await sendAsPerson("/api/openapi.json")).json();
  assert.equal(document.openapi, "3.1.0");
  const described = Object.entries<Record<string, unknown>>(document.paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  const streams = ["get /api/events", "get /api/socket"];
  assert.deepEqual(
    described.sort(),
    [...listEndpoints().map(({ method, path }) => `${method} ${path}`), ...streams].sort(),
  );
  for (const { method, path } of listEndpoints()) {
    const response = await sendAsPerson(path.replace(/\{\w+\}/g, "x"), { method: method.toUpperCase() });
    const { detail } = response.status >= 400 ? await response.json() : { detail: "" };
    assert.ok(response.status !== 405 && !/Nothing is served/.test(detail), `${method} ${path}: ${detail}`);
  }
});

Deno.test("openapi: ids are unique, references lead somewhere, path parameters are declared", () => {
  const document = createOpenApiDocument("1.0.0");
  const ids = new Set<unknown>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) {
      assert.ok(!ids.has(operation.operationId), `${operation.operationId} twice`);
      ids.add(operation.operationId);
      assert.equal(typeof operation.summary, "string");
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
      const declared = JSON.parse(JSON.stringify(operation.parameters ?? []))
        .filter((one: { in: string; required: boolean }) => one.in === "path" && one.required)
        .map((one: { name: string }) => one.name).sort();
      assert.deepEqual(declared, named, path);
    }
  }
  const text = JSON.stringify(document);
  for (const [, pointer = ""] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
    assert.match(pointer, /^#\//);
    let at: unknown = document;
    for (const step of pointer.slice(2).split("/")) {
      assert.ok(typeof at === "object" && at !== null && step in at, `${pointer} leads nowhere`);
      at = Object.entries(at).find(([key]) => key === step)?.[1];
    }
  }
});

Deno.test("openapi: optional fields are not required, defaults count as optional in requests only", () => {
  const { paths } = createOpenApiDocument("1.0.0");
  const launch = JSON.stringify(paths["/api/projects/{projectId}/agents/{agentId}/launch"]?.post);
  assert.doesNotMatch(launch, /"required":\["cellId/);
  const save: { requestBody: { content: Record<string, { schema: { required: string[] } }> } } = JSON.parse(
    JSON.stringify(paths["/api/profiles/{profileId}"]?.put),
  );
  assert.deepEqual(save.requestBody.content["application/json"]?.schema.required, ["name", "command"]);
});

Deno.test("openapi: the page for people has every operation and no script", async () => {
  const { sendAsPerson } = setup();
  const page = await (await sendAsPerson("/api/docs")).text();
  for (const { path } of listEndpoints()) assert.ok(page.includes(path), path);
  assert.doesNotMatch(page, /<script|https?:/);
});
