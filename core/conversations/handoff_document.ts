/**
 * `handoff.md`: front matter (`upTo`, `objective`, `made`), then the summary. `made` is a mark over a summary that rules
 * made: a summary without a right mark was written by somebody, an agent or a person, and is kept when the log grows.
 * Files of 0.2.0 have no `made` and were made by rules as well; they are told by their shape.
 */
import { deriveUuid } from "../workspace/derived_id.ts";

export interface HandoffDocument {
  /** Id of the last message that is in it. */
  readonly upTo?: string;
  readonly objective?: string;
  readonly content: string;
}

export interface ParsedHandoff extends HandoffDocument {
  readonly byRules: boolean;
}

const FENCE = "---";
/** How 0.2.0 began every summary. */
const OLD_BEGINNING = /^\*\*Objecti(?:f|ve) ?:\*\*/;

export function parseHandoff(text: string): ParsedHandoff {
  const lines = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n").split("\n");
  const end = lines[0] === FENCE ? lines.indexOf(FENCE, 1) : -1;
  if (end === -1) return { content: text, byRules: false };
  const fields = new Map(
    lines.slice(1, end).map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim(), parseScalar(line.slice(colon + 1).trim())] as const;
    }),
  );
  const content = lines.slice(end + 1).join("\n").trim();
  const [upTo, objective, made] = [fields.get("upTo"), fields.get("objective"), fields.get("made")];
  return {
    ...(upTo === undefined || upTo === "" ? {} : { upTo }),
    ...(objective === undefined || objective === "" ? {} : { objective }),
    content,
    byRules: made === undefined ? OLD_BEGINNING.test(content) : made === markOf(content),
  };
}

export function formatHandoff({ upTo, objective, content }: HandoffDocument, byRules: boolean): string {
  const body = content.trim();
  const fields = [
    ["upTo", upTo],
    ["objective", objective],
    ["made", byRules ? markOf(body) : undefined],
  ].flatMap(([key, value]) => (value === undefined || value === "" ? [] : [`${key}: ${formatScalar(value)}`]));
  return [FENCE, ...fields, FENCE, body, ""].join("\n");
}

function markOf(content: string): string {
  return `rules ${deriveUuid(content.trim()).slice(0, 8)}`;
}

/** Quoted as JSON, which YAML reads too, when plain text could be read as anything else. */
function formatScalar(value: string): string {
  const line = value.replace(/\s+/g, " ").trim();
  return /^[\p{L}\p{N}][^:#]*$/u.test(line) ? line : JSON.stringify(line);
}

function parseScalar(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}
