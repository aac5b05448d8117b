/**
 * The OpenAPI 3.1 document, made of the same endpoints that are served. zod's own JSON Schema (draft 2020-12) is the
 * dialect of OpenAPI 3.1, so nothing has to be translated.
 */
import { z } from "zod";
import type { EndpointDefinition } from "../api/endpoint.ts";
import { endpoints } from "../api/endpoints.ts";
import { ProblemSchema } from "../api/values.ts";

type Json = { readonly [key: string]: unknown };

export interface OpenApiDocument extends Json {
  readonly openapi: "3.1.0";
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
}

export function listEndpoints(): readonly EndpointDefinition[] {
  return Object.values(endpoints).flatMap((group): EndpointDefinition[] => Object.values(group));
}

export function createOpenApiDocument(version: string): OpenApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  const schemas = createComponentSchemas();
  schemas.reference(ProblemSchema, "output");
  for (const endpoint of listEndpoints()) {
    (paths[endpoint.path] ??= {})[endpoint.method] = operationOf(endpoint, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "IdeA",
      version,
      description: "Everything the window does, for scripts. Send the token of server.json as a bearer.",
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }, { cookie: [] }],
    paths: { ...paths, ...streamPaths },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "idea_<port>" },
      },
      schemas: schemas.all,
      responses: { Problem: problem },
    },
  };
}

const problem = {
  description: "Refused or failed",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
} as const;

/** What is no request and answer, and so no endpoint. */
const streamPaths = {
  "/api/events": {
    get: {
      operationId: "followEvents",
      tags: ["events"],
      summary: "Server-sent events with ids; Last-Event-ID replays what was missed, or says eventsMissed",
      parameters: [{ name: "Last-Event-ID", in: "header", required: false, schema: { type: "string" } }],
      responses: {
        200: { description: "The stream", content: { "text/event-stream": { schema: { type: "string" } } } },
        default: { $ref: "#/components/responses/Problem" },
      },
    },
  },
  "/api/socket": {
    get: {
      operationId: "openSocket",
      tags: ["events"],
      summary: "The WebSocket of a window: terminals as binary frames, events as text",
      parameters: [{ name: "viewer", in: "query", required: true, schema: { type: "string" } }],
      responses: { 101: { description: "The socket" } },
    },
  },
} as const;

function operationOf(endpoint: EndpointDefinition, schemas: ComponentSchemas): Json {
  return {
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    parameters: [...parametersOf(endpoint.params, "path"), ...parametersOf(endpoint.query, "query")],
    ...(endpoint.body === undefined ? {} : {
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemas.reference(endpoint.body, "input") } },
      },
    }),
    responses: {
      ...(endpoint.output === undefined ? { 204: { description: "Done" } } : {
        [endpoint.status ?? 200]: {
          description: "Done",
          content: { "application/json": { schema: schemas.reference(endpoint.output, "output") } },
        },
      }),
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

function parametersOf(schema: z.ZodType | undefined, where: "path" | "query"): readonly Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema: property,
  }));
}

interface ComponentSchemas {
  readonly all: Readonly<Record<string, Json>>;
  /** The JSON Schema, in which those that have a name (`meta({ id })`) are references to `all`. */
  reference(schema: z.ZodType, io: "input" | "output"): Json;
}

interface Wrapped {
  readonly properties: { readonly root: Json };
  readonly $defs?: Readonly<Record<string, Json>>;
}

function createComponentSchemas(): ComponentSchemas {
  const all: Record<string, Json> = {};
  return {
    all,
    reference(schema, io) {
      // A schema that is the root would be written out; as a property it is a reference like all others.
      const text = JSON.stringify(z.toJSONSchema(z.object({ root: schema }), { io, unrepresentable: "any" }))
        .replaceAll('"#/$defs/', '"#/components/schemas/');
      const { properties, $defs = {} }: Wrapped = JSON.parse(text);
      for (const [name, { id: _, ...known }] of Object.entries($defs)) {
        if (all[name] !== undefined && JSON.stringify(all[name]) !== JSON.stringify(known)) {
          throw new Error(`the schema ${name} has two shapes: give the one of requests another name`);
        }
        all[name] = known;
      }
      return properties.root;
    },
  };
}
