/**
 * Versioned JSON documents, as they lie on disk: diffable, mergeable, edited by people and by other versions of IdeA.
 *
 * What must stay true:
 *  1. A document of a newer version is read as far as it goes and never written.
 *  2. Fields that a schema does not know survive reading and writing: schemas are loose, edits spread.
 *  3. Equal content gives equal text, so that diffs stay small.
 */
import type { z } from "zod";
import { err, ok, type Result } from "../result.ts";

export interface DocumentFormat<T> {
  /** The newest version that we can write. */
  readonly version: number;
  readonly schema: z.ZodType<T>;
}

export type DocumentFlaw<T> =
  /** What could be read of it, when its shape is still the one we know. */
  | { readonly kind: "newerVersion"; readonly version: number; readonly readable: T | undefined }
  /** detail: where and what, for the person who repairs the file. */
  | { readonly kind: "corrupt"; readonly detail: string };

export function parseDocument<T>(format: DocumentFormat<T>, text: string): Result<T, DocumentFlaw<T>> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const read = format.schema.safeParse(parsed.value);
  const version = versionOf(parsed.value);
  if (version > format.version) {
    return err({ kind: "newerVersion", version, readable: read.success ? read.data : undefined });
  }
  return read.success ? ok(read.data) : err({ kind: "corrupt", detail: describeIssue(read.error.issues) });
}

export function formatDocument(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function parseJson(text: string): Result<unknown, { readonly kind: "corrupt"; readonly detail: string }> {
  try {
    // Editors on Windows put a byte order mark in front, which JSON does not know.
    return ok(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch (error) {
    return err({ kind: "corrupt", detail: error instanceof Error ? error.message : String(error) });
  }
}

/** A file without a version was written by hand; it is taken for the first. */
function versionOf(value: unknown): number {
  const isObject = typeof value === "object" && value !== null;
  return isObject && "version" in value && typeof value.version === "number" ? value.version : 1;
}

/** The first issue, as "agents.0.name: expected string". */
export function describeIssue(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues;
  if (issue === undefined) return "";
  const path = issue.path.map(String).join(".");
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}
