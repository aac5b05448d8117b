/**
 * The one translator from errors to what a client of the HTTP API reads: status, stable code, and for people what
 * failed and what to do. Exhaustive: a new kind of error does not compile before it has its words here.
 */
import { unreachable } from "../../core/result.ts";
import type { Problem } from "../api/values.ts";
import { type AppError, describeAppError } from "./app_errors.ts";
import { busy, forbidden, invalid, type Issue, listIssues, notFound, tooLarge, type Words } from "./problem_words.ts";

/** What the door itself refuses, before anything of the app is asked. */
export type DoorError =
  | { readonly kind: "invalidRequest"; readonly part: string; readonly issues: readonly Issue[] }
  | { readonly kind: "notJson"; readonly reason: string }
  | { readonly kind: "wrongContentType"; readonly given: string | undefined }
  | { readonly kind: "bodyTooLarge"; readonly limitBytes: number }
  | { readonly kind: "headersTooLarge"; readonly limitBytes: number }
  | { readonly kind: "urlTooLong"; readonly limitChars: number }
  | { readonly kind: "noToken" }
  | { readonly kind: "wrongToken" }
  | { readonly kind: "agentSecretRefused" }
  | { readonly kind: "foreignHost"; readonly host: string | undefined }
  | { readonly kind: "foreignOrigin"; readonly origin: string | undefined }
  | { readonly kind: "noSuchRoute"; readonly path: string }
  | { readonly kind: "methodNotAllowed"; readonly method: string; readonly allowed: readonly string[] }
  | { readonly kind: "badCursor" }
  | { readonly kind: "tooManyStreams"; readonly limit: number }
  | { readonly kind: "notAnUpgrade" }
  | { readonly kind: "unexpected" };

export type HttpError = DoorError | AppError;

export function toProblem(error: HttpError): Problem {
  const { more, ...words } = describe(error);
  return { type: `urn:idea:problem:${words.code.toLowerCase()}`, ...words, ...more };
}

/** Answers with the problem; extraHeaders for those that the status asks for. */
export function problemResponse(error: HttpError, extraHeaders: Readonly<Record<string, string>> = {}): Response {
  const problem = toProblem(error);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...extraHeaders },
  });
}

function describe(error: HttpError): Words {
  switch (error.kind) {
    case "invalidRequest":
      return {
        ...invalid(`The ${error.part} of the request is not valid: ${listIssues(error.issues)}.`),
        more: { issues: error.issues },
      };
    case "notJson":
      return invalid(`The body is not JSON: ${error.reason}.`);
    case "wrongContentType":
      return {
        ...invalid(`The body is ${error.given ?? "of no declared type"}, not application/json.`),
        status: 415,
        hint: "Send the header Content-Type: application/json.",
      };
    case "badCursor":
      return { ...invalid("The cursor belongs to no entry of this list any more."), hint: "Read from the first page." };
    case "bodyTooLarge":
      return tooLarge(413, `The body is longer than ${error.limitBytes} bytes.`);
    case "headersTooLarge":
      return tooLarge(431, `The headers are longer than ${error.limitBytes} bytes.`);
    case "urlTooLong":
      return tooLarge(414, `The address is longer than ${error.limitChars} characters.`);
    case "noToken":
    case "wrongToken":
    case "agentSecretRefused":
    case "foreignHost":
    case "foreignOrigin":
      return describeRefusal(error);
    case "noSuchRoute":
      return notFound(`Nothing is served at ${error.path}.`, "The operations are listed at /api/docs.");
    case "methodNotAllowed":
      return {
        status: 405,
        code: "METHOD_NOT_ALLOWED",
        title: "Method not allowed",
        detail: `${error.method} is not possible here; ${error.allowed.join(", ")} is.`,
      };
    case "tooManyStreams":
      return { ...busy(`There are already ${error.limit} event streams.`), hint: "Close one, or read one of them." };
    case "notAnUpgrade":
      return { ...invalid("This address is a WebSocket."), status: 426 };
    case "unexpected":
      return {
        status: 500,
        code: "INTERNAL",
        title: "Unexpected error",
        detail: "IdeA made a mistake; nothing more is known here.",
        hint: "The log in the data folder (logs/idea.jsonl) says what happened.",
      };
    default:
      return describeAppError(error);
  }
}

type Refusal = Extract<
  DoorError,
  { kind: "noToken" | "wrongToken" | "agentSecretRefused" | "foreignHost" | "foreignOrigin" }
>;

function describeRefusal(error: Refusal): Words {
  const hint = "Open IdeA with the command idea; scripts send the token of server.json as Authorization: Bearer.";
  switch (error.kind) {
    case "noToken":
      return { status: 401, code: "UNAUTHORIZED", title: "Not signed in", detail: "The request has no token.", hint };
    case "wrongToken":
      return {
        status: 401,
        code: "UNAUTHORIZED",
        title: "Not signed in",
        detail: "The token is not the one of this server; it may be of an earlier one.",
        hint,
      };
    case "agentSecretRefused":
      return {
        ...forbidden("An agent's secret opens MCP for that agent, and nothing else."),
        hint: "Use the MCP tools; what is not among them is for the person.",
      };
    case "foreignHost":
      return {
        ...forbidden(`The host ${error.host ?? "(none)"} is not this server.`),
        hint: "Use the address that IdeA printed; further names are given with idea serve --host.",
      };
    case "foreignOrigin":
      return forbidden(`The page ${error.origin ?? "of unknown origin"} is not of this server.`);
    default:
      return unreachable(error);
  }
}
