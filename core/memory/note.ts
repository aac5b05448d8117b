/**
 * Notes: Markdown files of durable memory, each with front matter, and MEMORY.md, the index with one line a note. Both
 * are read and written by people too, so what we do not know in them stays.
 */
import { err, ok, type Result } from "../result.ts";

export type NoteType = "project" | "feedback" | "reference" | "user";

export interface Note {
  readonly slug: string;
  readonly description: string;
  readonly type: NoteType;
  readonly body: string;
}

export const NOTES_INDEX_PATH = "memory/MEMORY.md";

export function notePath(slug: string): string {
  return `memory/${slug}.md`;
}

/** A slug is a file name and a link target: small letters, digits and hyphens. */
export function parseSlug(text: string): Result<string, { readonly kind: "invalidSlug"; readonly text: string }> {
  const slug = text.trim();
  return /^[a-z0-9](?:[a-z0-9-]{0,126}[a-z0-9])?$/.test(slug) ? ok(slug) : err({ kind: "invalidSlug", text });
}

export function formatNote(note: Note): string {
  return `---\nname: ${note.slug}\ndescription: ${
    oneLine(note.description)
  }\nmetadata:\n  type: ${note.type}\n---\n\n` +
    `${note.body.trim()}\n`;
}

/** A file without front matter is a note too: its first line describes it. */
export function parseNote(slug: string, text: string): Note {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text);
  const front = match?.[1] ?? "";
  const body = text.slice(match?.[0].length ?? 0).trim();
  const type = /^\s+type:\s*(project|feedback|reference|user)\s*$/m.exec(front)?.[1];
  return {
    slug,
    description: /^description:\s*(.*)$/m.exec(front)?.[1]?.trim() ?? oneLine(body.split("\n")[0] ?? "").slice(0, 200),
    type: isNoteType(type) ? type : "project",
    body,
  };
}

/** The index with this note's line in place of its former one, or at the end. */
export function putIndexLine(index: string, note: { readonly slug: string; readonly description: string }): string {
  const line = `- [${note.slug}](${note.slug}.md) — ${oneLine(note.description)}`;
  const lines = (index.trim() === "" ? "# Memory Index\n" : index).trimEnd().split("\n");
  const at = lines.findIndex((each) => each.includes(`](${note.slug}.md)`));
  if (at >= 0) return `${lines.with(at, line).join("\n")}\n`;
  const needsGap = !(lines.at(-1) ?? "").startsWith("- ");
  return `${[...lines, ...(needsGap && lines.at(-1) !== "" ? [""] : []), line].join("\n")}\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function isNoteType(text: string | undefined): text is NoteType {
  return text === "project" || text === "feedback" || text === "reference" || text === "user";
}
