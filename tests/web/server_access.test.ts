/** security.md, line by line, as far as it is about HTTP: who is refused, and what a browser is told to forbid. */
import assert from "node:assert/strict";
import { agentSecret, host, origin, problemOf, setup, token } from "./server_setup.ts";

const UNAUTHORIZED = { status: 401, code: "UNAUTHORIZED" };
const FORBIDDEN = { status: 403, code: "FORBIDDEN" };
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const cookie = { cookie: `other=1; idea_4711=${token}` };

Deno.test("access: no token, a wrong one, and parts of the right one are 401 everywhere", async () => {
  const { send } = setup();
  const given: readonly Record<string, string>[] = [
    {},
    bearer("wrong"),
    bearer(token.slice(0, -1)),
    bearer(`${token}x`),
    { authorization: `Basic ${token}` },
    { authorization: "Bearer " },
    { cookie: "idea_4711=wrong" },
    { cookie: `idea_1=${token}` },
    { cookie: `x${"idea_4711"}=${token}` },
  ];
  for (const headers of given) {
    for (const path of ["/", "/main-ABCD1234.js", "/api/health", "/api/events", "/api/openapi.json", "/api/nothing"]) {
      const response = await send(path, { headers });
      assert.deepEqual(await problemOf(response), UNAUTHORIZED, `${path} with ${JSON.stringify(headers)}`);
    }
    const post = await send("/api/projects", { method: "POST", headers: { ...headers, origin }, body: "{}" });
    assert.deepEqual(await problemOf(post), UNAUTHORIZED);
    if (headers.cookie === undefined) {
      assert.deepEqual(
        await problemOf(await send("/mcp", { method: "POST", headers: { ...headers, origin } })),
        UNAUTHORIZED,
      );
    }
  }
});

Deno.test("access: the person's token opens, as bearer and as cookie", async () => {
  const { send } = setup();
  for (const headers of [bearer(token), cookie]) {
    assert.equal((await send("/api/health", { headers })).status, 200);
    assert.equal((await send("/", { headers })).status, 200);
  }
});

Deno.test("access: a foreign Host is refused, whatever else is right", async () => {
  const { send } = setup();
  for (
    const foreign of ["evil.example", "evil.example:4711", "127.0.0.1", "127.0.0.1:80", "localhost:4711.evil.example"]
  ) {
    for (const path of ["/", "/api/health", "/mcp", "/?token=" + token]) {
      const response = await send(path, { headers: { ...bearer(token), host: foreign } });
      assert.deepEqual(await problemOf(response), FORBIDDEN, foreign);
    }
  }
  assert.equal((await send("/api/health", { headers: { ...bearer(token), host: "LOCALHOST:4711" } })).status, 200);
});

Deno.test("access: a foreign Origin is refused on every method, the socket and MCP", async () => {
  const { send } = setup();
  for (
    const foreign of [
      "http://evil.example",
      "null",
      "http://127.0.0.1:9999",
      `https://${host}`,
      `http://${host}.evil.example`,
    ]
  ) {
    for (const credentials of [cookie, bearer(token)]) {
      const headers = { ...credentials, origin: foreign };
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const response = await send("/api/projects", { method, headers });
        assert.deepEqual(await problemOf(response), FORBIDDEN, `${method} from ${foreign}`);
        assert.equal(response.headers.get("access-control-allow-origin"), null);
      }
      const socket = await send("/api/socket?viewer=w", { headers: { ...headers, upgrade: "websocket" } });
      assert.deepEqual(await problemOf(socket), FORBIDDEN);
      assert.deepEqual(await problemOf(await send("/mcp", { method: "POST", headers })), FORBIDDEN);
    }
  }
});

Deno.test("access: the cookie alone, without an Origin, changes nothing and opens no socket; a bearer may", async () => {
  const { send } = setup();
  const change = (headers: Record<string, string>) =>
    send("/api/settings", {
      method: "PATCH",
      headers: { ...headers, "content-type": "application/json" },
      body: `{"theme":"dark"}`,
    });
  assert.deepEqual(await problemOf(await change(cookie)), FORBIDDEN);
  assert.equal((await change({ ...cookie, origin })).status, 200);
  assert.equal((await change(bearer(token))).status, 200);
  const socket = (headers: Record<string, string>) =>
    send("/api/socket?viewer=w", { headers: { ...headers, upgrade: "websocket" } });
  assert.deepEqual(await problemOf(await socket(cookie)), FORBIDDEN);
  assert.equal(await (await socket({ ...cookie, origin })).text(), "a socket");
  assert.equal(await (await socket(bearer(token))).text(), "a socket");
});

Deno.test("access: another page of this machine reads nothing with our cookie", async () => {
  const { send } = setup();
  for (const site of ["same-site", "cross-site"]) {
    const response = await send("/api/projects", { headers: { ...cookie, "sec-fetch-site": site } });
    assert.deepEqual(await problemOf(response), FORBIDDEN, site);
  }
  for (const site of ["same-origin", "none"]) {
    assert.equal((await send("/api/projects", { headers: { ...cookie, "sec-fetch-site": site } })).status, 200);
  }
});

Deno.test("access: an agent's secret opens MCP for that agent, and is 403 everywhere else", async () => {
  const { send } = setup();
  for (const credentials of [bearer(agentSecret), { cookie: `idea_4711=${agentSecret}` }]) {
    for (const path of ["/", "/api/health", "/api/projects", "/api/events", "/api/nothing"]) {
      assert.deepEqual(await problemOf(await send(path, { headers: credentials })), FORBIDDEN, path);
    }
  }
  const mcp = (headers: Record<string, string>) =>
    send("/mcp", { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: "[1]" });
  const asAgent = await mcp(bearer(agentSecret));
  assert.deepEqual(await asAgent.json(), {
    caller: { kind: "agent", identity: { projectId: "p1", agentId: "ada" } },
    body: [1],
  });
  const asPerson = await mcp(bearer(token));
  assert.deepEqual(await asPerson.json(), { caller: { kind: "person" }, body: [1] });
  const byCookie = await mcp({ ...cookie, origin });
  assert.deepEqual(await problemOf(byCookie), UNAUTHORIZED);
});

Deno.test("access: the opening address sets the cookie once and is left at once", async () => {
  const { send } = setup();
  const response = await send(`/?token=${token}`);
  assert.equal(response.status, 303);
  assert.equal(response.headers.get("location"), "/");
  assert.equal(response.headers.get("set-cookie"), `idea_4711=${token}; HttpOnly; SameSite=Strict; Path=/`);
  const withProject = await send(`/?project=p1&token=${token}`);
  assert.equal(withProject.headers.get("location"), "/?project=p1");
  for (const wrong of ["wrong", "", agentSecret]) {
    const refused = await send(`/?token=${wrong}`);
    assert.equal(refused.status, 401, wrong);
    assert.equal(refused.headers.get("set-cookie"), null);
  }
  assert.equal((await send(`/api/health?token=${token}`)).status, 401);
});

Deno.test("access: a code signs one browser in, once, within a minute, and is left at once", async () => {
  const { send, api, clock, bugs } = setup();
  const issue = async () => {
    const issued = await api.call("POST /api/opening-codes");
    assert.ok(issued.ok);
    return issued.value;
  };
  const { code, expiresInMs } = await issue();
  assert.match(code, /^[\w-]{43}$/);
  const opened = await send(`/?project=p1&code=${code}`);
  assert.equal(opened.status, 303);
  assert.equal(opened.headers.get("location"), "/?project=p1");
  assert.equal(opened.headers.get("set-cookie"), `idea_4711=${token}; HttpOnly; SameSite=Strict; Path=/`);

  assert.equal((await send(`/?code=${code}`)).status, 401);
  const late = await issue();
  clock.advance(expiresInMs - 1);
  const justInTime = await issue();
  clock.advance(1);
  for (const wrong of [code, late.code, `${justInTime.code}x`, justInTime.code.slice(1), "", agentSecret, token]) {
    const refused = await send(`/?code=${wrong}`, { headers: { accept: "text/html" } });
    assert.equal(refused.status, 401, wrong);
    assert.equal(refused.headers.get("set-cookie"), null);
    assert.match(await refused.text(), /not signed in/);
  }
  assert.equal((await send(`/?code=${justInTime.code}`)).status, 303);
  // It opens the page and nothing else, and is no bearer.
  const other = await issue();
  assert.equal((await send(`/api/health?code=${other.code}`)).status, 401);
  assert.equal((await send("/api/health", { headers: bearer(other.code) })).status, 401);
  assert.deepEqual(bugs, []);
});

Deno.test("access: a browser that is in already comes back with its old code, and without one that is new", async () => {
  const { send } = setup();
  const restored = await send("/?code=used", { headers: cookie });
  assert.deepEqual([restored.status, restored.headers.get("location")], [303, "/"]);
  assert.equal(restored.headers.get("set-cookie"), null);
});

Deno.test("access: only the person makes codes, and not too many wait", async () => {
  const { send, api } = setup();
  for (const headers of [bearer(agentSecret), bearer("wrong"), cookie]) {
    const refused = await send("/api/opening-codes", { method: "POST", headers });
    assert.ok(refused.status === 401 || refused.status === 403, JSON.stringify(headers));
  }
  const codes: string[] = [];
  for (let count = 0; count < 17; count++) {
    const issued = await api.call("POST /api/opening-codes");
    codes.push(issued.ok ? issued.value.code : assert.fail());
  }
  assert.equal((await send(`/?code=${codes[0]}`)).status, 401);
  assert.equal((await send(`/?code=${codes[1]}`)).status, 303);
});

Deno.test("access: a browser without a token is told how to get in", async () => {
  const { send } = setup();
  const response = await send("/", { headers: { accept: "text/html,*/*" } });
  assert.equal(response.status, 401);
  assert.match(await response.text(), /not signed in/);
});

Deno.test("access: every answer forbids scripts from elsewhere, frames, sniffing and referrers", async () => {
  const { send, sendAsPerson } = setup();
  const answers = [
    await sendAsPerson("/"),
    await sendAsPerson("/api/health"),
    await sendAsPerson("/api/docs"),
    await sendAsPerson("/api/nothing"),
    await send("/"),
    await send("/", { headers: { accept: "text/html" } }),
    await send("/api/health", { headers: { host: "evil.example" } }),
    await send("/mcp", { method: "POST", headers: bearer(token) }),
  ];
  for (const { headers, url } of answers) {
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/, url);
    assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'(;|$)/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /connect-src 'self' ws:\/\/127\.0\.0\.1:4711/);
    assert.doesNotMatch(policy, /'unsafe-eval'|https?:|\*/);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("access-control-allow-origin"), null);
  }
});

Deno.test("access: no answer tells the token or a secret", async () => {
  const { send, sendAsPerson } = setup();
  const answers = [
    await sendAsPerson("/api/health"),
    await sendAsPerson("/api/docs"),
    await sendAsPerson("/api/openapi.json"),
    await sendAsPerson(`/api/nothing?token=${token}`),
    await send(`/?token=${token}x`),
    await send("/api/health", { headers: bearer(agentSecret) }),
    await sendAsPerson("/api/projects", {
      method: "POST",
      body: token,
      headers: { "content-type": "application/json" },
    }),
  ];
  for (const answer of answers) {
    const text = JSON.stringify([...answer.headers]) + await answer.text();
    assert.ok(!text.includes(token) && !text.includes(agentSecret), answer.url);
  }
});

Deno.test("access: addresses, headers and bodies are bounded", async () => {
  const { sendAsPerson } = setup();
  assert.deepEqual(await problemOf(await sendAsPerson(`/api/health?x=${"x".repeat(9_000)}`)), {
    status: 414,
    code: "TOO_LARGE",
  });
  const long = await sendAsPerson("/api/health", { headers: { "x-long": "x".repeat(40_000) } });
  assert.deepEqual(await problemOf(long), { status: 431, code: "TOO_LARGE" });
  const json = { "content-type": "application/json" };
  const body = JSON.stringify({ theme: "dark", more: "x".repeat(1_100_000) });
  const patch = (init: RequestInit) => sendAsPerson("/api/settings", { method: "PATCH", headers: json, ...init });
  assert.deepEqual(await problemOf(await patch({ body })), { status: 413, code: "TOO_LARGE" });
  // No length is declared: counted while it comes, and the rest is not read.
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
  assert.deepEqual(await problemOf(await patch({ body: endless })), { status: 413, code: "TOO_LARGE" });
  assert.ok(pulled < 40, `read ${pulled} pieces`);
});
