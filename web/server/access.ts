/**
 * Who may speak to this server. IdeA runs any command, so whoever passes here owns the account.
 *
 * 1. Host is one of ours, or a page elsewhere could reach us under its own name (DNS rebinding).
 * 2. A page of another origin is never served, whatever it asks for; a request that changes something, or opens a
 *    socket, with the cookie must name our origin.
 * 3. Then the token: the person's by cookie or bearer. Agents' secrets open MCP only; they are refused here by name, and
 *    the person's cookie is not taken at MCP, so no page can speak as a program outside.
 */
import type { AgentIdentity } from "../../core/app/agent_secrets.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { isSameSecret } from "../../core/secrets.ts";
import type { DoorError } from "./errors.ts";

export interface AccessOptions {
  /** The person's token. */
  readonly token: string;
  /** Values of Host that are us, with port: "127.0.0.1:4711". */
  readonly hosts: readonly string[];
  /** Whose secret it is; undefined for no agent's, or a revoked one. */
  readonly identifyAgent: (secret: string) => AgentIdentity | undefined;
}

export type Caller = { readonly kind: "person" } | { readonly kind: "agent"; readonly identity: AgentIdentity };

export interface Access {
  readonly cookieName: string;
  checkHost(request: Request): Result<void, DoorError>;
  checkOrigin(request: Request): Result<void, DoorError>;
  /** The person, by cookie or bearer. */
  checkPerson(request: Request): Result<void, DoorError>;
  /** An agent by its secret, or the person's token as a bearer. */
  checkBearer(request: Request): Result<Caller, DoorError>;
  isToken(candidate: string): boolean;
  /** Value of Set-Cookie that signs a browser in. */
  sessionCookie(): string;
}

const SAFE_METHODS = new Set(["GET", "HEAD"]);

export function createAccess(options: AccessOptions): Access {
  const hosts = new Set(options.hosts.map((host) => host.toLowerCase()));
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  // Cookies know no ports: two servers on one machine must not overwrite each other's.
  const cookieName = `idea_${/:(\d+)$/.exec(options.hosts[0] ?? "")?.[1] ?? "0"}`;

  const isToken = (candidate: string) => isSameSecret(candidate, options.token);

  return {
    cookieName,
    isToken,
    sessionCookie: () => `${cookieName}=${options.token}; HttpOnly; SameSite=Strict; Path=/`,
    checkHost(request) {
      const host = request.headers.get("host")?.toLowerCase();
      return host !== undefined && hosts.has(host) ? ok() : err({ kind: "foreignHost", host });
    },
    checkOrigin(request) {
      const origin = request.headers.get("origin") ?? undefined;
      if (origin !== undefined && !origins.has(origin.toLowerCase())) return err({ kind: "foreignOrigin", origin });
      // Another port of this machine is the same site to a browser, so its requests carry our cookie.
      const site = request.headers.get("sec-fetch-site");
      if (site !== null && site !== "same-origin" && site !== "none") return err({ kind: "foreignOrigin", origin });
      const changes = !SAFE_METHODS.has(request.method) || request.headers.has("upgrade");
      if (changes && origin === undefined && bearerOf(request) === undefined) {
        return err({ kind: "foreignOrigin", origin });
      }
      return ok();
    },
    checkPerson(request) {
      const candidate = bearerOf(request) ?? cookieOf(request, cookieName);
      if (candidate === undefined) return err({ kind: "noToken" });
      if (isToken(candidate)) return ok();
      return err({ kind: options.identifyAgent(candidate) === undefined ? "wrongToken" : "agentSecretRefused" });
    },
    checkBearer(request) {
      const candidate = bearerOf(request);
      if (candidate === undefined) return err({ kind: "noToken" });
      if (isToken(candidate)) return ok({ kind: "person" });
      const identity = options.identifyAgent(candidate);
      return identity === undefined ? err({ kind: "wrongToken" }) : ok({ kind: "agent", identity });
    },
  };
}

/** Hosts under which a server on this address is reached by those who may. */
export function hostsOf(hostname: string, port: number, furtherNames: readonly string[] = []): readonly string[] {
  const names = ["127.0.0.1", "localhost", "[::1]", hostname.includes(":") ? `[${hostname}]` : hostname];
  return [...new Set([...names, ...furtherNames])].map((name) => `${name}:${port}`);
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
}

function cookieOf(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
    const [key, ...value] = pair.trim().split("=");
    if (key === name) return value.join("=");
  }
  return undefined;
}
