/**
 * The typed client of the API, for the window, the command line and tests: what may be asked and what comes back is
 * taken from the endpoints' types, and none of their schemas is loaded.
 *
 *   const result = await api.call("POST /api/projects/{projectId}/agents/{agentId}/launch", { params, body: {} });
 */
import { err, ok, type Result } from "../../core/result.ts";
import type { EndpointArguments, EndpointResult } from "./endpoint.ts";
import type { Endpoints } from "./endpoints.ts";
import type { Problem } from "./values.ts";

export type ApiError =
  /** The server answered that it did not do it, and why. */
  | { readonly kind: "problem"; readonly problem: Problem }
  /** No answer, or one that is not of this API. */
  | { readonly kind: "unreachable"; readonly cause: unknown };

export interface ApiClientOptions {
  /** "" in a page of the server itself. */
  readonly baseUrl: string;
  /** Left out in a page: its cookie says who it is. */
  readonly token?: string;
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
}

export interface ApiClient {
  call<K extends keyof Endpoints>(
    key: K,
    ...args: Record<never, never> extends EndpointArguments<Endpoints[K]>
      ? [args?: EndpointArguments<Endpoints[K]>, options?: { readonly signal?: AbortSignal }]
      : [args: EndpointArguments<Endpoints[K]>, options?: { readonly signal?: AbortSignal }]
  ): Promise<Result<EndpointResult<Endpoints[K]>, ApiError>>;
}

interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  const headers: Record<string, string> = { accept: "application/json" };
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;

  async function call(key: string, args: Parts = {}, { signal }: { readonly signal?: AbortSignal } = {}) {
    const [method = "GET", path = ""] = key.split(" ");
    const init: RequestInit = { method, headers };
    if (signal !== undefined) init.signal = signal;
    if (args.body !== undefined) {
      init.body = JSON.stringify(args.body);
      init.headers = { ...headers, "content-type": "application/json" };
    }
    let answer: { readonly status: number; readonly body: unknown };
    try {
      const response = await send(options.baseUrl + fillPath(path, args), init);
      answer = { status: response.status, body: response.status === 204 ? undefined : await response.json() };
    } catch (cause) {
      return err({ kind: "unreachable", cause });
    }
    if (answer.status >= 200 && answer.status < 300) return ok(answer.body);
    if (isProblem(answer.body)) return err({ kind: "problem", problem: answer.body });
    return err({ kind: "unreachable", cause: new Error(`status ${answer.status}`) });
  }
  // The one place where a body gets its type: the server builds it from the same endpoint.
  return { call: call as ApiClient["call"] };
}

function fillPath(path: string, { params, query }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "code" in value && "status" in value && "detail" in value;
}
