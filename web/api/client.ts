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

type CallArguments<K extends keyof Endpoints> = Record<never, never> extends EndpointArguments<Endpoints[K]>
  ? [args?: EndpointArguments<Endpoints[K]>, options?: CallOptions]
  : [args: EndpointArguments<Endpoints[K]>, options?: CallOptions];

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ApiClient {
  call<K extends keyof Endpoints>(
    key: K,
    ...args: CallArguments<K>
  ): Promise<Result<EndpointResult<Endpoints[K]>, ApiError>>;
}

export function createApiClient(options: ApiClientOptions): ApiClient {
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  const headers: Record<string, string> = { accept: "application/json" };
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;

  // A body gets its type here: the server builds it from the same endpoint.
  async function call<K extends keyof Endpoints>(
    key: K,
    ...args: CallArguments<K>
  ): Promise<Result<EndpointResult<Endpoints[K]>, ApiError>>;
  async function call(key: string, ...args: readonly unknown[]): Promise<Result<unknown, ApiError>> {
    const [parts, callOptions] = args.map((one) => (isRecord(one) ? one : {}));
    const [method = "GET", path = ""] = key.split(" ");
    const init: RequestInit = { method, headers };
    if (callOptions?.signal instanceof AbortSignal) init.signal = callOptions.signal;
    if (parts?.body !== undefined) {
      init.body = JSON.stringify(parts.body);
      init.headers = { ...headers, "content-type": "application/json" };
    }
    let answer: { readonly status: number; readonly body: unknown };
    try {
      const response = await send(options.baseUrl + fillPath(path, parts ?? {}), init);
      answer = { status: response.status, body: response.status === 204 ? undefined : await response.json() };
    } catch (cause) {
      return err({ kind: "unreachable", cause });
    }
    if (answer.status >= 200 && answer.status < 300) return ok(answer.body);
    if (isProblem(answer.body)) return err({ kind: "problem", problem: answer.body });
    return err({ kind: "unreachable", cause: new Error(`status ${answer.status}`) });
  }
  return { call };
}

function fillPath(path: string, { params, query }: Readonly<Record<string, unknown>>): string {
  const values = isRecord(params) ? params : {};
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(isRecord(query) ? query : {})) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isProblem(value: unknown): value is Problem {
  return isRecord(value) && typeof value.code === "string" && typeof value.detail === "string";
}
