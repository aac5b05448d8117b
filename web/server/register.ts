/**
 * Puts one endpoint on the router: parses what comes in against its schemas, bounds the body, and turns the handler's
 * Result into the answer or the problem. Handlers see typed values only.
 */
import type { Hono } from "hono";
import type { z } from "zod";
import { err, ok, type Result } from "../../core/result.ts";
import type { EndpointAnswer, EndpointDefinition, ParsedRequest } from "../api/endpoint.ts";
import { readJson } from "./body.ts";
import { type DoorError, type HttpError, problemResponse } from "./errors.ts";

const DEFAULT_BODY_BYTES = 1_048_576;
const LISTED_ISSUES = 20;

/** What a handler may want of the request besides its parsed parts. */
export interface HandlerContext {
  /** Aborted when the client went away. Asked for only by those who wait long: having it costs the runtime something. */
  readonly signal: () => AbortSignal;
}

export type Handler<E> = (
  input: ParsedRequest<E>,
  context: HandlerContext,
) => Promise<Result<EndpointAnswer<E>, HttpError>> | Result<EndpointAnswer<E>, HttpError>;

export function register<const E extends EndpointDefinition>(router: Hono, endpoint: E, handler: Handler<E>): void {
  const routePath = endpoint.path.replace(/\{(\w+)\}/g, ":$1");
  router.on(endpoint.method.toUpperCase(), routePath, async (context) => {
    const input = await parseRequest(endpoint, context.req.raw, context.req.param());
    if (!input.ok) return problemResponse(input.error);
    const result = await handler(input.value, { signal: () => context.req.raw.signal });
    return result.ok ? answer(endpoint, result.value) : problemResponse(result.error);
  });
}

function answer(endpoint: EndpointDefinition, value: unknown): Response {
  if (endpoint.output === undefined) return new Response(null, { status: 204 });
  return new Response(JSON.stringify(value), {
    status: endpoint.status ?? 200,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}

type PathParams = Readonly<Record<string, string>>;
type Parts = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

// ParsedRequest infers from the very schemas that the body below parses with.
async function parseRequest<E extends EndpointDefinition>(
  endpoint: E,
  request: Request,
  pathParams: PathParams,
): Promise<Result<ParsedRequest<E>, DoorError>>;
async function parseRequest(
  endpoint: EndpointDefinition,
  request: Request,
  pathParams: PathParams,
): Promise<Result<Parts, DoorError>> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const params = parsePart("path", endpoint.params, pathParams);
  if (!params.ok) return params;
  const parsedQuery = parsePart("query", endpoint.query, query);
  if (!parsedQuery.ok) return parsedQuery;
  const body = await parseBody(endpoint, request);
  if (!body.ok) return body;
  return ok({ params: params.value, query: parsedQuery.value, body: body.value });
}

async function parseBody(endpoint: EndpointDefinition, request: Request): Promise<Result<unknown, DoorError>> {
  if (endpoint.body === undefined) {
    await request.body?.cancel();
    return ok(undefined);
  }
  const json = await readJson(request, endpoint.maxBodyBytes ?? DEFAULT_BODY_BYTES);
  return json.ok ? parsePart("body", endpoint.body, json.value) : json;
}

function parsePart(part: string, schema: z.ZodType | undefined, value: unknown): Result<unknown, DoorError> {
  if (schema === undefined) return ok(undefined);
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.slice(0, LISTED_ISSUES)
    .map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  return err({ kind: "invalidRequest", part, issues });
}
