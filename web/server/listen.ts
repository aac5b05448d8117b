/**
 * The thin layer that needs the runtime: opens the port, and upgrades WebSockets. Loopback unless told otherwise; then
 * the caller shows the warning that comes back.
 */
import { hostsOf } from "./access.ts";
import type { SocketHandler } from "./socket.ts";

/** A client that does not take its answer must not keep the server from ending. */
const SHUTDOWN_MS = 2_000;

export interface ListenOptions {
  /** 127.0.0.1 when left out. */
  readonly hostname?: string;
  /** 0: any free one. */
  readonly port?: number;
  /** Further names by which people reach this server, for an address that is not loopback. */
  readonly furtherNames?: readonly string[];
  /** Makes the server once the port is known. */
  readonly createFetch: (address: Address) => (request: Request) => Response | Promise<Response>;
}

export interface Address {
  readonly hostname: string;
  readonly port: number;
  /** http://127.0.0.1:4711 */
  readonly url: string;
  readonly hosts: readonly string[];
}

export interface Listening extends AsyncDisposable {
  readonly address: Address;
  /** What a person has to know, or nothing. */
  readonly warning: string | undefined;
}

export function listen(options: ListenOptions): Listening {
  const { hostname = "127.0.0.1", port = 0 } = options;
  // The port is known when serve returns, and no request is handled before that turn of the event loop ends.
  let fetch: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 });
  const server = Deno.serve({
    hostname,
    port,
    onListen: () => {},
    handler: (request) => fetch(request),
  });
  const address = addressOf(hostname, server.addr.port, options.furtherNames ?? []);
  fetch = options.createFetch(address);
  return {
    address,
    warning: isLoopback(hostname) ? undefined : warningFor(address),
    async [Symbol.asyncDispose]() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<void>((resolve) => timer = setTimeout(resolve, SHUTDOWN_MS));
      await Promise.race([server.shutdown(), patience]);
      clearTimeout(timer);
    },
  };
}

function addressOf(hostname: string, port: number, furtherNames: readonly string[]): Address {
  const isAny = hostname === "0.0.0.0" || hostname === "::";
  const addresses = isAny ? Deno.networkInterfaces().map(({ address }) => bracketed(address)) : [];
  const name = isAny ? "127.0.0.1" : bracketed(hostname);
  const hosts = hostsOf(hostname, port, [...addresses, ...furtherNames]);
  return { hostname, port, url: `http://${name}:${port}`, hosts };
}

function bracketed(name: string): string {
  return name.includes(":") ? `[${name}]` : name;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function warningFor({ hostname, port }: Address): string {
  return `IdeA listens on ${hostname}:${port}, which other machines may reach, without encryption: whoever reads the ` +
    "traffic can run commands as you. Put TLS in front of it, or use a tunnel: " +
    `ssh -L ${port}:127.0.0.1:${port} this-machine`;
}

/** For ServerOptions.openSocket: the window names itself in ?viewer=, the handler checks the name. */
export function createSocketOpener(sockets: SocketHandler): (request: Request) => Response {
  return (request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    sockets.handle(socket, { viewerId: new URL(request.url).searchParams.get("viewer") ?? "" });
    return response;
  };
}
