/**
 * Names that people and agents give to things: shown in one line, typed into terminals, made into file names. Whatever
 * could be taken for more than a name is refused here, once.
 */
import { err, ok, type Result } from "../result.ts";

const MAX_NAME_CHARS = 80;
const MAX_SLUG_CHARS = 60;

export type NameFlaw =
  | "empty"
  | "tooLong"
  /** Line breaks, escape sequences, and marks that turn the direction of the text around them. */
  | "controlCharacter"
  | "separator"
  /** Would be an option on a command line, or hidden, or this folder. */
  | "leadingCharacter"
  | "reserved";

export interface InvalidName {
  readonly kind: "invalidName";
  readonly name: string;
  readonly reason: NameFlaw;
}

const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const SEPARATOR = /[/\\:*?"<>|]/;
// Devices of Windows, whatever the extension.
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/** The name without blanks around it, in composed form so that equal names are equal texts. */
export function parseName(text: string): Result<string, InvalidName> {
  const name = text.trim().normalize("NFC");
  const reason = flawOf(name);
  return reason === undefined ? ok(name) : err({ kind: "invalidName", name: text.slice(0, MAX_NAME_CHARS), reason });
}

function flawOf(name: string): NameFlaw | undefined {
  if (name === "") return "empty";
  if ([...name].length > MAX_NAME_CHARS) return "tooLong";
  if (CONTROL.test(name)) return "controlCharacter";
  if (SEPARATOR.test(name)) return "separator";
  if (/^[-.]/.test(name)) return "leadingCharacter";
  if (RESERVED.test(name)) return "reserved";
  return undefined;
}

/** Names that differ in case only are taken for one another, by people and by file systems. */
export function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}

function foldName(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}

/** A file name for a name: lower-case ASCII letters, digits and dashes; fallback when nothing of it is left. */
export function formatSlug(name: string, fallback: string): string {
  const ascii = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = ascii.replace(/[^a-z0-9]+/g, "-").slice(0, MAX_SLUG_CHARS).replace(/^-+|-+$/g, "");
  if (slug === "") return fallback;
  return RESERVED.test(slug) ? `${slug}-${fallback}` : slug;
}
