/** What a person reads of an error, and the usual ones ready-made. */
import type { ErrorCode } from "../api/values.ts";

export interface Issue {
  readonly path: string;
  readonly message: string;
}

export interface Words {
  readonly status: number;
  readonly code: ErrorCode;
  readonly title: string;
  readonly detail: string;
  readonly hint?: string;
  /** Data for programs, beside the texts. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export function listIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
}

export const invalid = (detail: string): Words => ({ status: 400, code: "INVALID", title: "Invalid request", detail });
export const forbidden = (detail: string): Words => ({ status: 403, code: "FORBIDDEN", title: "Forbidden", detail });
export const conflict = (detail: string): Words => ({ status: 409, code: "CONFLICT", title: "Conflict", detail });
export const busy = (detail: string): Words => ({ status: 429, code: "BUSY", title: "Busy", detail });
export const storage = (detail: string): Words => ({ status: 500, code: "STORAGE", title: "Not saved", detail });
export const tooLarge = (status: number, detail: string): Words => ({
  status,
  code: "TOO_LARGE",
  title: "Too large",
  detail,
});
export const launchFailed = (detail: string): Words => ({
  status: 502,
  code: "LAUNCH_FAILED",
  title: "Not started",
  detail,
});

export function notFound(detail: string, hint?: string): Words {
  const words = { status: 404, code: "NOT_FOUND", title: "Not found", detail } as const;
  return hint === undefined ? words : { ...words, hint };
}
