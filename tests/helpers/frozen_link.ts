/** A network between a client and a server on this machine that can stop to carry anything, without telling either. */
export interface Link extends AsyncDisposable {
  /** host:port to connect to instead. */
  readonly address: string;
  setFrozen(frozen: boolean): void;
}

export function startLink(targetPort: number): Link {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections = new Set<Deno.TcpConn>();
  const carrying: Promise<void>[] = [];
  let thaw: PromiseWithResolvers<void> | undefined;

  async function carry(from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
    const buffer = new Uint8Array(64 * 1024);
    try {
      for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
        await thaw?.promise;
        for (let at = 0; at < count;) at += await to.write(buffer.subarray(at, count));
      }
    } catch {
      // One side has gone: so does the other.
    }
    for (const each of [from, to]) close(each);
  }

  function close(connection: Deno.TcpConn): void {
    if (connections.delete(connection)) connection.close();
  }

  async function accept(): Promise<void> {
    for await (const client of listener) {
      const server = await Deno.connect({ hostname: "127.0.0.1", port: targetPort });
      connections.add(client).add(server);
      carrying.push(carry(client, server), carry(server, client));
    }
  }
  const accepting = accept();

  return {
    address: `127.0.0.1:${listener.addr.port}`,
    setFrozen(frozen) {
      thaw?.resolve();
      thaw = frozen ? Promise.withResolvers() : undefined;
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      thaw?.resolve();
      for (const each of [...connections]) close(each);
      await Promise.all(carrying);
    },
  };
}
