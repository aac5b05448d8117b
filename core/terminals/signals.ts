/**
 * What a program told the terminal besides text: operating system commands read into signals. Everything here is
 * untrusted: lengths are bounded, control characters are taken out, and what is malformed is no signal.
 */
import { decodeUtf8 } from "./utf8.ts";

export type ProgramStatus = "idle" | "working" | "blocked" | "done" | "error";

/** What a program told the terminal besides text. */
export type TerminalSignal =
  | { readonly kind: "title"; readonly title: string }
  /** OSC 7 and OSC 9;9. */
  | { readonly kind: "folder"; readonly path: string }
  /** OSC 9;4: 0 removes it. */
  | {
    readonly kind: "progress";
    readonly state: "none" | "normal" | "error" | "indeterminate" | "paused";
    readonly percent: number;
  }
  /** OSC 133: A prompt, B command line, C output, D end with its exit code. */
  | { readonly kind: "mark"; readonly mark: "A" | "B" | "C" | "D"; readonly exitCode?: number }
  /** OSC 52 write, decoded; a read request is never answered. */
  | { readonly kind: "clipboard"; readonly text: string }
  /** OSC 9 and 777 notifications. */
  | { readonly kind: "notification"; readonly title: string; readonly body: string }
  | { readonly kind: "bell" }
  /** OSC 7501. */
  | {
    readonly kind: "programStatus";
    readonly status: ProgramStatus;
    readonly app?: string;
    readonly reason?: string;
    readonly message?: string;
  }
  /** DEC private mode 2004 and the alternate screen: a program is up when it asks for bracketed paste. */
  | { readonly kind: "mode"; readonly mode: "bracketedPaste" | "alternateScreen"; readonly on: boolean };

const MAX_TITLE_LENGTH = 512;
const MAX_PATH_LENGTH = 4096;
const MAX_NOTICE_LENGTH = 2048;
const MAX_WORD_LENGTH = 64;
const STATUSES: readonly ProgramStatus[] = ["idle", "working", "blocked", "done", "error"];
const PROGRESS_STATES = ["none", "normal", "error", "indeterminate", "paused"] as const;

function clean(text: string, maxLength: number): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, "").slice(0, maxLength);
}

function fromBase64(text: string): string | undefined {
  try {
    return decodeUtf8(Uint8Array.fromBase64(text.replace(/\s+/g, "")));
  } catch {
    return undefined;
  }
}

/** OSC 0 and 2. */
export function parseTitle(payload: string): string {
  return clean(payload, MAX_TITLE_LENGTH);
}

/** `file://host/path`, percent-encoded (OSC 7); a path of another host is not ours to follow, but is what is shown. */
function parseFolderUrl(payload: string): TerminalSignal | undefined {
  const match = /^(?:file|kitty-shell-cwd):\/\/[^/]*(\/.*)$/.exec(payload);
  if (!match?.[1]) return undefined;
  try {
    return folderSignal(payload.startsWith("file") ? decodeURIComponent(match[1]) : match[1]);
  } catch {
    return undefined;
  }
}

function folderSignal(path: string): TerminalSignal | undefined {
  const cleaned = clean(path, MAX_PATH_LENGTH + 1);
  if (cleaned === "" || cleaned.length > MAX_PATH_LENGTH || cleaned !== path) return undefined;
  // "/C:/x" is how a Windows path looks in a URL.
  return { kind: "folder", path: /^\/[A-Za-z]:/.test(cleaned) ? cleaned.slice(1) : cleaned };
}

/** OSC 9: progress (9;4), folder (9;9), other numbers are ConEmu's own and ignored, text is a notification. */
function parseOsc9(payload: string): TerminalSignal | undefined {
  const progress = /^4;([0-4])(?:;(\d{1,3})?)?$/.exec(payload);
  if (progress) {
    const state = PROGRESS_STATES[Number(progress[1])] ?? "none";
    return { kind: "progress", state, percent: state === "none" ? 0 : Math.min(Number(progress[2] ?? 0), 100) };
  }
  const folder = /^9;"?([^"]+)"?$/.exec(payload);
  if (folder?.[1]) return folderSignal(folder[1]);
  if (payload === "" || /^\d{1,2}(;|$)/.test(payload)) return undefined;
  return { kind: "notification", title: "", body: clean(payload, MAX_NOTICE_LENGTH) };
}

/** `notify;title;body` (OSC 777). */
function parseOsc777(payload: string): TerminalSignal | undefined {
  const [word, title = "", ...body] = payload.split(";");
  if (word !== "notify") return undefined;
  return {
    kind: "notification",
    title: clean(title, MAX_TITLE_LENGTH),
    body: clean(body.join(";"), MAX_NOTICE_LENGTH),
  };
}

function parseMark(payload: string): TerminalSignal | undefined {
  const match = /^([ABCD])(?:;(-?\d{1,10})?.*)?$/s.exec(payload);
  const mark = match?.[1];
  if (mark === "A" || mark === "B" || mark === "C") return { kind: "mark", mark };
  if (mark !== "D") return undefined;
  return match?.[2] === undefined ? { kind: "mark", mark } : { kind: "mark", mark, exitCode: Number(match[2]) };
}

/** `c;<base64>` (OSC 52). A read request ("?") is no signal and is never answered. */
function parseClipboard(payload: string): TerminalSignal | undefined {
  const match = /^[cpqs0-7]*;([A-Za-z0-9+/=\s]*)$/.exec(payload);
  const text = match?.[1] === undefined ? undefined : fromBase64(match[1]);
  return text === undefined ? undefined : { kind: "clipboard", text };
}

/** `state=working:app=x:kind=permission:msg=<base64>` (OSC 7501). */
function parseProgramStatus(payload: string): TerminalSignal | undefined {
  const fields = new Map<string, string>();
  for (const field of payload.split(":", 16)) {
    const split = field.indexOf("=");
    if (split > 0) fields.set(field.slice(0, split), field.slice(split + 1));
  }
  const status = STATUSES.find((known) => known === fields.get("state"));
  if (!status) return undefined;
  const app = fields.get("app");
  const reason = fields.get("kind");
  const encoded = fields.get("msg");
  const message = encoded === undefined ? undefined : fromBase64(encoded);
  return {
    kind: "programStatus",
    status,
    ...(app === undefined ? {} : { app: clean(app, MAX_WORD_LENGTH) }),
    ...(reason === undefined ? {} : { reason: clean(reason, MAX_WORD_LENGTH) }),
    ...(message === undefined ? {} : { message: clean(message, MAX_NOTICE_LENGTH) }),
  };
}

/** The signal of an operating system command, or undefined when it is none; titles are parseTitle's. */
export function parseOscSignal(id: number, payload: string): TerminalSignal | undefined {
  switch (id) {
    case 7:
      return parseFolderUrl(payload);
    case 9:
      return parseOsc9(payload);
    case 52:
      return parseClipboard(payload);
    case 133:
      return parseMark(payload);
    case 777:
      return parseOsc777(payload);
    case 7501:
      return parseProgramStatus(payload);
    default:
      return undefined;
  }
}
