/** What is asked of a running Deno process through V8's inspector, which it was started with (--inspect=HOST:PORT). */
import assert from "node:assert/strict";

export interface Inspector extends Disposable {
  /** So that memory shows what is held, not what has not been collected yet. */
  collectGarbage(): Promise<void>;
}

export async function connectInspector(address: string): Promise<Inspector> {
  const targets: readonly { readonly webSocketDebuggerUrl: string }[] = await (await fetch(`http://${address}/json`))
    .json();
  const url = targets[0]?.webSocketDebuggerUrl;
  assert.ok(url !== undefined, "nothing to inspect");
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  const waiting = new Map<number, () => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id }: { readonly id?: number } = JSON.parse(data);
    if (id !== undefined) waiting.get(id)?.();
  });
  let lastId = 0;
  return {
    collectGarbage: () =>
      new Promise((resolve) => {
        waiting.set(++lastId, resolve);
        socket.send(JSON.stringify({ id: lastId, method: "HeapProfiler.collectGarbage" }));
      }),
    [Symbol.dispose]: () => socket.close(),
  };
}

/** A port that was free a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
