/**
 * How one operation of the HTTP API is described: method, path and the zod schemas of what goes in and comes out. The
 * server validates with it, the OpenAPI document is made of it, and the typed client (client.ts) takes its types from
 * it, so the three cannot disagree. Nothing here knows of a server.
 */
import type { z } from "zod";

export type Method = "get" | "post" | "put" | "patch" | "delete";

export interface EndpointDefinition {
  readonly method: Method;
  /** With {name} for each parameter. */
  readonly path: `/api/${string}`;
  readonly tag: string;
  /** camelCase, unique: the operationId of the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Left out: the answer is 204 with no content. */
  readonly output?: z.ZodType;
  /** Of a success with output; 200 when left out. */
  readonly status?: 200 | 201 | 202;
  /** Largest body in bytes, for those that may be longer than the default. */
  readonly maxBodyBytes?: number;
}

export function endpoint<const E extends EndpointDefinition>(definition: E): E {
  return definition;
}

type InputOf<E, K extends string> = E extends { readonly [P in K]: infer S extends z.ZodType } ? z.input<S> : undefined;
type ParsedOf<E, K extends string> = E extends { readonly [P in K]: infer S extends z.ZodType } ? z.output<S>
  : undefined;

/** What a handler gets: parsed, or undefined where the endpoint takes nothing. */
export interface ParsedRequest<E> {
  readonly params: ParsedOf<E, "params">;
  readonly query: ParsedOf<E, "query">;
  readonly body: ParsedOf<E, "body">;
}

/** What a handler must give. */
export type EndpointAnswer<E> = E extends { readonly output: infer S extends z.ZodType } ? z.input<S> : void;

/** What the client receives: JSON has neither defaults to fill nor dates to parse, so it is the output type. */
export type EndpointResult<E> = E extends { readonly output: infer S extends z.ZodType } ? z.output<S> : undefined;

type Part<K extends string, T> = [T] extends [undefined] ? unknown
  : Record<never, never> extends T ? { readonly [P in K]?: T }
  : { readonly [P in K]: T };

/** What the client gives: only the parts that the endpoint takes. */
export type EndpointArguments<E> =
  & Part<"params", InputOf<E, "params">>
  & Part<"query", InputOf<E, "query">>
  & Part<"body", InputOf<E, "body">>;

export type EndpointKey<E> = E extends
  { readonly method: infer M extends string; readonly path: infer P extends string } ? `${Uppercase<M>} ${P}`
  : never;
