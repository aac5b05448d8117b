/** Bad input of any kind gets a typed error: no crash, no hang, no secret (quality.md R8, the HTTP part). */
import assert from "node:assert/strict";
import { createRandom } from "../helpers/random.ts";
import { ErrorCodes } from "../../web/api/values.ts";
import { listEndpoints } from "../../web/server/openapi.ts";
import { agentSecret, setup, token } from "./server_setup.ts";

type Harness = ReturnType<typeof setup>;

async function assertTyped(harness: Harness, response: Response, what: string): Promise<void> {
  assert.deepEqual(harness.bugs, [], what);
  const text = await response.text();
  assert.ok(!text.includes(token) && !text.includes(agentSecret), `${what} tells a secret`);
  if (response.status < 400) return;
  assert.equal(response.headers.get("content-type"), "application/problem+json", `${what}: ${text}`);
  const problem = JSON.parse(text);
  assert.ok(ErrorCodes.includes(problem.code), `${what}: ${problem.code}`);
  assert.ok(problem.detail.length > 0 && problem.status === response.status, what);
}

const json = { "content-type": "application/json" };
const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

const BODIES: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  "",
  " ",
  "{",
  "}",
  "null",
  "true",
  "0",
  "-0",
  "1e999",
  "[]",
  "[[]]",
  '""',
  "{}",
  '{"a":1,}',
  '{"a":1}x',
  "{'a':1}",
  "NaN",
  "\u0000",
  "\ufeff{}",
  '"\\ud800"',
  '{"text":null}',
  '{"text":""}',
  '{"text":[]}',
  '{"text":{"text":"x"}}',
  '{"name":"  "}',
  '{"name":"x","profileId":"../../etc"}',
  '{"name":"x","profileId":""}',
  '{"name":"x","profileId":"a b"}',
  '{"root":1}',
  '{"root":""}',
  '{"root":"/home/me/one","extra":1}',
  '{"op":"nothing"}',
  '{"op":"edit"}',
  '{"op":"move","ticketId":"t1","position":-1}',
  '{"op":"move","ticketId":"t1","position":1.5}',
  '{"cols":0,"rows":24}',
  '{"cols":1001,"rows":24}',
  '{"cols":"80","rows":"24"}',
  '{"argv":[]}',
  '{"argv":[""]}',
  '{"argv":["missing"]}',
  '{"env":{"A=B":"x"}}',
  '{"env":{"LD PRELOAD":"x"}}',
  '{"base64":"!!!"}',
  '{"base64":"AAA"}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"theme":"pink"}',
  '{"terminal":{"fontSizePx":1e9}}',
  '{"target":"Bob","task":"x","waitSeconds":-1}',
  '{"target":"Bob","task":"x","waitSeconds":86401}',
  '{"target":"","task":"x"}',
  '{"target":"Nobody","task":"x","waitSeconds":0}',
  deep("[", "]", 100_000),
  deep('{"a":', "}", 50_000),
  `{"text":"${"\\u0000".repeat(1_000)}"}`,
  new Uint8Array([0xff, 0xfe, 0x00]),
  new Uint8Array([0x7b, 0xc3, 0x28, 0x7d]),
];

const SEGMENTS = [
  "..",
  "%2e%2e",
  "%2f",
  "%00",
  "%",
  "%zz",
  "a%0d%0aset-cookie:x",
  "a".repeat(129),
  "-x",
  "--help",
  "CON",
  "é",
  "%F0%9F%98%80",
  "%ff",
  "a;b",
  "$(id)",
  "p1",
  "p2",
  "ada",
  "__proto__",
];

const QUERIES = [
  "limit=0",
  "limit=-1",
  "limit=1e3",
  "limit=x",
  "limit=",
  "limit=99999999999999999999",
  "cursor=",
  "cursor=gone",
  "cursor=%00",
  "scrollback=-1",
  "scrollback=1e99",
  "pattern=(",
  "pattern=",
  "pattern=%5B",
  "timeoutMs=-1",
  "timeoutMs=NaN",
  "forget=maybe",
  "path=",
  "path=relative",
  "%",
  "__proto__=1",
];

Deno.test("bad requests: crafted bodies on every endpoint that takes one", async () => {
  const harness = setup();
  for (const endpoint of listEndpoints().filter(({ body }) => body !== undefined)) {
    for (const [index, body] of BODIES.entries()) {
      const path = endpoint.path.replace("{projectId}", "p1").replace("{agentId}", "ada").replace(/\{\w+\}/g, "x");
      const response = await harness.sendAsPerson(path, { method: endpoint.method.toUpperCase(), headers: json, body });
      await assertTyped(harness, response, `${endpoint.id} with body ${index}`);
    }
  }
  assert.equal(Object.hasOwn(Object.prototype, "isAdmin"), false);
});

Deno.test("bad requests: crafted paths and queries on every endpoint", async () => {
  const harness = setup();
  for (const endpoint of listEndpoints()) {
    const method = endpoint.method.toUpperCase();
    for (const segment of SEGMENTS) {
      const path = endpoint.path.replace(/\{\w+\}/g, segment);
      const body = endpoint.body === undefined ? {} : { body: "{}", headers: json };
      await assertTyped(harness, await harness.sendAsPerson(path, { method, ...body }), `${endpoint.id} at ${path}`);
    }
    for (const query of QUERIES) {
      if (method !== "GET") continue;
      const path = `${endpoint.path.replace("{projectId}", "p1").replace(/\{\w+\}/g, "x")}?${query}`;
      await assertTyped(harness, await harness.sendAsPerson(path), path);
    }
  }
});

Deno.test("bad requests: other content types are refused, so that no form can reach an endpoint", async () => {
  const harness = setup();
  const types = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "",
  ];
  for (const type of types) {
    const init = { method: "PATCH", headers: { "content-type": type }, body: `{"theme":"dark"}` };
    const response = await harness.sendAsPerson("/api/settings", init);
    assert.equal(response.status, 415, type);
    await assertTyped(harness, response, type);
  }
  const charset = {
    method: "PATCH",
    headers: { "content-type": "application/json; charset=UTF-8" },
    body: `{"theme":"dark"}`,
  };
  assert.equal((await harness.sendAsPerson("/api/settings", charset)).status, 200);
});

Deno.test("bad requests: what nests deeper than 64 is refused, brackets in texts do not count", async () => {
  const harness = setup();
  const patch = (body: string) => harness.sendAsPerson("/api/settings", { method: "PATCH", headers: json, body });
  const nested = (depth: number) => `{"later":${deep("[", "]", depth - 1)}}`;
  assert.equal((await patch(nested(64))).status, 200);
  assert.equal((await patch(nested(65))).status, 400);
  assert.equal((await patch(`{"later":"${"[".repeat(100)}\\"${"{".repeat(100)}"}`)).status, 200);
});

Deno.test("bad requests: random ones", async () => {
  const harness = setup();
  const random = createRandom(20_261_130);
  const endpoints = listEndpoints();
  const pick = <T>(items: readonly T[]): T => {
    const item = items[random.int(items.length)];
    assert.ok(item !== undefined);
    return item;
  };
  const bytes = () => Uint8Array.from({ length: random.int(200) }, () => random.int(256));
  const value = (depth: number): unknown => {
    switch (random.int(depth > 3 ? 5 : 7)) {
      case 0:
        return null;
      case 1:
        return random.int(2_000) - 1_000;
      case 2:
        return pick(SEGMENTS);
      case 3:
        return random.int(2) === 0;
      case 4:
        return String.fromCharCode(...bytes());
      case 5:
        return Array.from({ length: random.int(4) }, () => value(depth + 1));
      default:
        return Object.fromEntries(
          Array.from(
            { length: random.int(5) },
            () => [pick(["op", "text", "task", "name", "root", "target", "x"]), value(depth + 1)],
          ),
        );
    }
  };
  const ROUNDS = 10_000;
  for (let round = 0; round < ROUNDS; round++) {
    const endpoint = pick(endpoints);
    const path = endpoint.path.replace(/\{\w+\}/g, () => pick(SEGMENTS));
    const method = pick([endpoint.method.toUpperCase(), "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
    const query = random.int(3) === 0 ? `?${pick(QUERIES)}&${pick(QUERIES)}` : "";
    const body = random.int(4) === 0 ? bytes() : JSON.stringify(value(0));
    const init = method === "GET" ? { method } : { method, headers: json, body };
    const response = await harness.sendAsPerson(path + query, init);
    await assertTyped(harness, response, `round ${round}: ${method} ${path}${query}`);
  }
});
