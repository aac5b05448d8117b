/** What opening and closing leaves behind in the real server: nothing. */
import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import { createTerminalConnection } from "../../web/ui/terminal/connection.ts";
import { connectInspector, freePort } from "../helpers/inspector.ts";
import { startServer, type TestServer } from "../helpers/server.ts";

const LAUNCHES = 500;
const ATTACHES = 1_000;
const AT_ONCE = 20;
const MAX_ROUNDS = 4;
const TOLERANCE = 1.05;

interface Held {
  readonly descriptors: number;
  readonly processes: number;
  readonly memoryBytes: number;
}

function held(pid: number): Held {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return {
    descriptors: [...Deno.readDirSync(`/proc/${pid}/fd`)].length,
    processes: Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).trim().split(" ").filter(Boolean).length,
    memoryBytes: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024,
  };
}

async function startBed(idea: TestServer) {
  const project = await idea.api.call("POST /api/projects", { body: { root: idea.project } });
  assert.ok(project.ok);
  const { projectId } = project.value;

  async function open(script: string): Promise<string> {
    const opened = await idea.api.call("POST /api/projects/{projectId}/terminals", {
      params: { projectId },
      body: { argv: ["sh", "-c", script], size: { cols: 80, rows: 24 } },
    });
    assert.ok(opened.ok);
    return opened.value.sessionId;
  }

  async function close(sessionId: string): Promise<void> {
    const path = `/api/projects/${projectId}/terminals/${sessionId}`;
    await (await idea.request(path, { method: "DELETE" })).body?.cancel();
  }

  /** A window that comes, draws the terminal, and goes. */
  async function look(sessionId: string): Promise<void> {
    const { url, token } = idea.server();
    const headers = { authorization: `Bearer ${token}` };
    using connection = createTerminalConnection({
      url: `${url.replace(/^http/, "ws")}/api/socket`,
      // The browser's types hide that Deno's sockets take headers.
      openSocket: (url): WebSocket => Reflect.construct(WebSocket, [url, { headers }]),
    });
    const drawn = Promise.withResolvers<void>();
    const stream = connection.attach({ sessionId: createId("session", sessionId), visible: true, focused: true }, {
      onSnapshotBegin: () => {},
      onOutput: (bytes) => stream.acknowledge(bytes.length),
      onResize: () => {},
      onSnapshotEnd: () => drawn.resolve(),
      onExit: () => {},
      onClosed: () => {},
    });
    await drawn.promise;
  }

  async function launchAll(count: number): Promise<void> {
    for (let done = 0; done < count; done += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, async (_, n) => {
        const sessionId = await open(n % 2 === 0 ? `echo ${n}; exit ${n}` : "seq 1 2000; read x");
        await close(sessionId);
      }));
    }
  }

  async function lookOften(count: number): Promise<void> {
    const sessionId = await open("seq 1 3000; read x");
    for (let done = 0; done < count; done += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => look(sessionId)));
    }
    await close(sessionId);
  }

  return { launchAll, lookOften };
}

Deno.test({
  name: `${LAUNCHES} launches and ${ATTACHES} windows later, the server holds what it held`,
  // What a process holds is read from /proc.
  ignore: Deno.build.os !== "linux",
  // The library and the signal of terminals stay for the whole process, whichever test came first.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const inspected = `127.0.0.1:${freePort()}`;
    await using idea = await startServer({ denoArgs: [`--inspect=${inspected}`] });
    using inspector = await connectInspector(inspected);
    const { pid } = idea.server();
    const { launchAll, lookOften } = await startBed(idea);
    const settle = async () => {
      await inspector.collectGarbage();
      return held(pid);
    };
    const work = async () => {
      await launchAll(LAUNCHES);
      await lookOften(ATTACHES);
    };
    // Code is compiled and pools are filled before anything is compared, and the runtime's own share settles in steps:
    // what leaks grows every time.
    await work();
    const seen = [await settle()];
    const isBack = async () => {
      const [before, after] = [seen.at(-1), await settle()];
      assert.ok(before);
      seen.push(after);
      return after.descriptors <= before.descriptors && after.processes <= before.processes &&
        after.memoryBytes <= before.memoryBytes * TOLERANCE;
    };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await work();
      if (await isBack()) return;
    }
    assert.fail(`it holds more every time: ${JSON.stringify(seen)}`);
  },
});
