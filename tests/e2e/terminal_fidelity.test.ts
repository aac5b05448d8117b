/** Every byte in both directions over real pseudo-terminals and real sockets, while everything around changes. */
import { startTerminalServer, type TerminalServer } from "../helpers/terminal_server.ts";
import assert from "node:assert/strict";
import { program, requires } from "../helpers/requires.ts";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { createTerminalConnection } from "../../web/ui/terminal/connection.ts";
import type { TerminalStream } from "../../web/ui/terminal/stream.ts";
import { HIGH_WATER_BYTES } from "../../core/terminals/flow.ts";
import type { SessionId } from "../../core/ids.ts";
import { waitFor } from "../helpers/wait_for.ts";

const PATIENCE_MS = 300_000;

/** Waits for a line, writes so many MB without any change by the terminal, then the hash of it. */
const WRITER = `import sys,os,base64,random,hashlib,tty
tty.setraw(0)
os.write(1,b"<<READY>>"); os.read(0,10)
sha=hashlib.sha256()
def write(b):
  while b: b=b[os.write(1,b):]
write(b"<<BEGIN>>")
for i in range(int(sys.argv[1])*16):
  b=base64.b64encode(random.Random(i).randbytes(48000))+b"\\r\\n"
  sha.update(b); write(b)
write(b"<<END "+sha.hexdigest().encode()+b">>")
os.read(0,10)
`;

/** Reads so many bytes, and tells their hash. */
const READER = `import sys,os,hashlib,tty
tty.setraw(0)
os.write(1,b"<<READY>>")
sha=hashlib.sha256(); left=int(sys.argv[1])
while left:
  b=os.read(0,min(left,65536)); sha.update(b); left-=len(b)
os.write(1,b"<<GOT "+sha.hexdigest().encode()+b">>")
os.read(0,10)
`;

interface Watching extends Disposable {
  readonly stream: TerminalStream;
  readonly chunks: Uint8Array[];
  readonly bytes: () => number;
  readonly undrawn: () => number;
  acknowledge(bytes: number): void;
}

/** acknowledges: "all" at once, or what the test says. */
function watch(server: TerminalServer, sessionId: SessionId, acknowledges: "all" | "none"): Watching {
  const connection = createTerminalConnection({ url: server.socketUrl });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let undrawn = 0;
  const stream = connection.attach({ sessionId, visible: true, focused: false }, {
    onSnapshotBegin() {
      chunks.length = 0;
      bytes = 0;
    },
    onOutput(output) {
      if (acknowledges === "all") {
        chunks.push(output.slice());
        stream.acknowledge(output.length);
      } else undrawn += output.length;
      bytes += output.length;
    },
    onResize: () => {},
    onSnapshotEnd: () => {},
    onExit: () => {},
    onClosed: () => {},
  });
  return {
    stream,
    chunks,
    bytes: () => bytes,
    undrawn: () => undrawn,
    acknowledge(drawn) {
      undrawn -= drawn;
      stream.acknowledge(drawn);
    },
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

const tailOf = ({ chunks }: Watching) => new TextDecoder().decode(chunks.at(-1)?.slice(-200));
const plain = () => new Response(null, { status: 204 });
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const options = {
  ...requires(program("python3")),
  // The library and the signal of terminals stay for the whole process, whichever test came first.
  sanitizeOps: false,
  sanitizeResources: false,
};

Deno.test({
  name: "50 MB out: each byte once, under resizes, windows that come and go, and slow ones",
  ...options,
  async fn() {
    await using server = startTerminalServer(plain);
    const sessionId = await server.openSession(["python3", "-c", WRITER, "50"]);
    using main = watch(server, sessionId, "all");
    using slow = watch(server, sessionId, "none");
    using stopped = watch(server, sessionId, "none");
    await waitFor("the program is ready", () => tailOf(main).includes("<<READY>>"), PATIENCE_MS);
    server.terminals.write(sessionId, "go", "script");
    let turn = 0;
    let largest = 0;
    await waitFor("all is written", async () => {
      turn++;
      main.stream.setSize({ cols: 60 + turn % 50, rows: 20 + turn % 20 });
      if (turn % 20 === 0) slow.acknowledge(Math.min(slow.undrawn(), 1024));
      if (turn % 10 === 0) {
        using _visitor = watch(server, sessionId, "all");
        await sleep(30);
      }
      largest = Math.max(largest, stopped.undrawn(), slow.undrawn());
      return tailOf(main).includes("<<END ");
    }, PATIENCE_MS);
    const text = Buffer.concat(main.chunks).toString("latin1");
    const begin = text.indexOf("<<BEGIN>>") + 9;
    const end = text.indexOf("<<END ");
    const [, hash] = /<<END (\w+)>>/.exec(text) ?? assert.fail();
    assert.equal(createHash("sha256").update(text.slice(begin, end), "latin1").digest("hex"), hash);
    assert.ok(end - begin > 50_000_000);
    assert.ok(largest < HIGH_WATER_BYTES + 3_000_000, `a window that does not draw was sent ${largest} bytes`);
    // They wake up, and have what there is.
    for (const watching of [slow, stopped]) {
      await waitFor("the slow ones have the end", () => {
        watching.acknowledge(watching.undrawn());
        return watching.bytes() > 0 && watching.undrawn() === 0;
      }, PATIENCE_MS);
    }
    assert.deepEqual(server.defects, []);
  },
});

Deno.test({
  name: "10 MB in: each byte once, through connections that break",
  ...options,
  async fn() {
    await using server = startTerminalServer(plain);
    const text = Array.from({ length: 1_000_000 }, (_, n) => String(n * 7919 % 1_000_003).padStart(10, ".")).join("");
    const sessionId = await server.openSession(["python3", "-c", READER, String(text.length)]);
    using main = watch(server, sessionId, "all");
    await waitFor("the program is ready", () => tailOf(main).includes("<<READY>>"), PATIENCE_MS);
    for (let at = 0; at < text.length; at += 2_500_000) {
      assert.equal(main.stream.send(text.slice(at, at + 2_500_000)), true);
      await sleep(20);
      server.cutConnections();
    }
    await waitFor("all is read", () => tailOf(main).includes("<<GOT "), PATIENCE_MS);
    const [, hash] = /<<GOT (\w+)>>/.exec(tailOf(main)) ?? assert.fail();
    assert.equal(hash, createHash("sha256").update(text).digest("hex"));
    assert.deepEqual(server.defects, []);
  },
});
