/** The server on a real port: what the runtime does with our answers, sockets, streams, and server.json. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import {
  announceServer,
  isServerAlive,
  openingUrl,
  parseServerFile,
  readLeftServer,
} from "../../web/server/instance.ts";
import { createEntropy } from "../../adapters/ids/mod.ts";
import { createSocketOpener, listen } from "../../web/server/listen.ts";
import { createEventLog } from "../../web/server/event_log.ts";
import { createServer } from "../../web/server/server.ts";
import { createSocketHandler } from "../../web/server/socket.ts";
import { createFakeApp } from "../fakes/app.ts";
import { createFakeClock } from "../fakes/clock.ts";
import { createFakeDisk } from "../fakes/folder.ts";
import { assets, token } from "./server_setup.ts";

function start() {
  const clock = createFakeClock();
  const app = createFakeApp(clock);
  const eventLog = createEventLog(app.events, { serverId: "run1", capacity: 100 });
  const sockets = createSocketHandler({ terminals: app.terminals, eventLog, clock });
  let closeServer = () => {};
  const listening = listen({
    createFetch({ hosts }) {
      const server = createServer(app, {
        newSecret: createEntropy().newSecret,
        facts: { version: "1.0.0", pid: Deno.pid, startedAtMs: clock.nowMs() },
        token,
        hosts,
        identifyAgent: () => undefined,
        eventLog,
        clock,
        assets,
        openSocket: createSocketOpener(sockets),
        onError: (error) => {
          throw error;
        },
      });
      closeServer = () => server[Symbol.dispose]();
      return (request) => server.fetch(request);
    },
  });
  return {
    app,
    address: listening.address,
    warning: listening.warning,
    async [Symbol.asyncDispose]() {
      closeServer();
      sockets[Symbol.dispose]();
      await listening[Symbol.asyncDispose]();
    },
  };
}

const authorization = { authorization: `Bearer ${token}` };

/** A request as bytes, for what fetch would not send; gives the beginning of the answer. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8");
    socket.once("data", (data) => {
      answer = String(data);
      socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

Deno.test("listen: loopback without warning, under the names that reach it, and under no other", async () => {
  await using running = start();
  const { address, warning } = running;
  assert.equal(warning, undefined);
  assert.equal(address.hostname, "127.0.0.1");
  assert.match(address.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const health = await fetch(`${address.url}/api/health`, { headers: authorization });
  assert.equal((await health.json()).status, "ok");
  const request = (host: string) =>
    `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
  assert.match(await sendRaw(address.port, request(`localhost:${address.port}`)), /^HTTP\/1\.1 200/);
  assert.match(await sendRaw(address.port, request("evil.example")), /^HTTP\/1\.1 403/);
  assert.match(await sendRaw(address.port, request("evil.example\r\nHost: 127.0.0.1")), /^HTTP\/1\.1 40[03]/);
  const absolute = `GET http://127.0.0.1:${address.port}/api/health HTTP/1.1\r\nHost: evil.example\r\n` +
    `Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
  assert.match(await sendRaw(address.port, absolute), /^HTTP\/1\.1 403/);
  assert.match(await sendRaw(address.port, "nonsense\r\n\r\n"), /^HTTP\/1\.1 400/);
});

Deno.test("listen: another address than loopback warns, and names a tunnel", () => {
  const listening = listen({ hostname: "0.0.0.0", createFetch: () => () => new Response() });
  try {
    assert.match(listening.warning ?? "", /without encryption/);
    assert.match(listening.warning ?? "", /ssh -L/);
    assert.ok(listening.address.hosts.includes(`127.0.0.1:${listening.address.port}`));
  } finally {
    listening[Symbol.asyncDispose]();
  }
});

Deno.test("listen: a socket opens with the token and our origin, and is refused without", async () => {
  await using running = start();
  const { address } = running;
  const open = (...headers: readonly string[]) =>
    sendRaw(
      address.port,
      [
        "GET /api/socket?viewer=w1 HTTP/1.1",
        `Host: 127.0.0.1:${address.port}`,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ...headers,
        "",
        "",
      ].join("\r\n"),
    );
  const cookie = `Cookie: idea_${address.port}=${token}`;
  const bearer = `Authorization: Bearer ${token}`;
  assert.match(await open(bearer), /^HTTP\/1\.1 101/);
  assert.match(await open(cookie, `Origin: ${address.url}`), /^HTTP\/1\.1 101/);
  assert.match(await open(cookie, "Origin: http://evil.example"), /^HTTP\/1\.1 403/);
  assert.match(await open(bearer, "Origin: http://evil.example"), /^HTTP\/1\.1 403/);
  assert.match(await open(cookie), /^HTTP\/1\.1 403/);
  assert.match(await open(`Origin: ${address.url}`), /^HTTP\/1\.1 401/);
});

Deno.test("listen: events stream while the server lives, and end with it", async () => {
  const running = start();
  const response = await fetch(`${running.address.url}/api/events`, { headers: authorization });
  running.app.events.publish({ kind: "profilesChanged" });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes('profilesChanged"}')) text += (await reader?.read())?.value ?? "";
  await running[Symbol.asyncDispose]();
  while (!(await reader?.read())?.done);
});

Deno.test("instance: server.json is secret, says where, and goes with its server only", async () => {
  const disk = createFakeDisk(createFakeClock());
  disk.makeFolder("/data");
  const folder = await disk.folders.open("/data");
  assert.ok(folder.ok);
  const server = { pid: 1, startedAtMs: 2, url: "http://127.0.0.1:4711", token: "t & u" };
  const announced = await announceServer(folder.value, server);
  assert.ok(announced.ok);
  assert.deepEqual(parseServerFile(disk.read("/data/server.json") ?? ""), server);
  assert.deepEqual(await readLeftServer(folder.value), server);
  assert.equal(openingUrl(server), "http://127.0.0.1:4711/?token=t%20%26%20u");

  const later = await announceServer(folder.value, { ...server, pid: 2 });
  assert.ok(later.ok);
  await announced.value[Symbol.asyncDispose]();
  assert.equal((await readLeftServer(folder.value))?.pid, 2);
  await later.value[Symbol.asyncDispose]();
  assert.equal(disk.read("/data/server.json"), undefined);
  for (const text of ["", "{", "{}", "null", '{"version":2}', '{"version":1,"pid":0}']) {
    assert.equal(parseServerFile(text), undefined);
  }
});

Deno.test("instance: a server is alive only when it answers to its own token", async () => {
  await using running = start();
  const server = { pid: Deno.pid, startedAtMs: 1, url: running.address.url, token };
  assert.equal(await isServerAlive(server), true);
  assert.equal(await isServerAlive({ ...server, token: "another" }), false);
  assert.equal(await isServerAlive({ ...server, url: "http://127.0.0.1:1" }), false);
});
