/** What a person is told when the server did not do what was asked. */
import type { ApiError } from "../../api/client.ts";
import type { Words } from "../words/en.ts";

export interface Message {
  readonly title: string;
  readonly detail?: string;
  /** What to do about it. */
  readonly hint?: string;
}

export function describeError(error: ApiError, words: Words): Message {
  if (error.kind === "unreachable") return { title: words.toasts.unreachable, hint: words.toasts.unreachableHint };
  const { title, detail, hint } = error.problem;
  return {
    title,
    // Some problems have nothing to add to their title.
    ...(detail !== "" && detail !== title ? { detail } : {}),
    ...(hint === undefined ? {} : { hint }),
  };
}

export function codeOf(error: ApiError): string {
  return error.kind === "problem" ? error.problem.code : "UNREACHABLE";
}
