/**
 * The page never answers a program. The server answers every query, once; a page that answered too would type a second
 * answer, and a page that draws old output again after a reload would type answers into whatever runs there now. So
 * whatever makes xterm.js or an addon of it answer is taken away here before they see it.
 *
 * Handlers that were registered last are asked first: call this after the addons are loaded.
 */
import type { IDisposable, Terminal } from "@xterm/xterm";

type Parser = Terminal["parser"];

const taken = () => true;

/** Device attributes, status reports, modes, version, keyboard protocol, graphics: final characters with no other use. */
const queries: readonly { readonly prefix?: string; readonly intermediates?: string; readonly final: string }[] = [
  { final: "c" },
  { prefix: ">", final: "c" },
  { prefix: "=", final: "c" },
  { final: "n" },
  { prefix: "?", final: "n" },
  { prefix: ">", final: "q" },
  { intermediates: "$", final: "p" },
  { prefix: "?", intermediates: "$", final: "p" },
  { prefix: "?", final: "S" },
  { prefix: "?", final: "u" },
  { final: "t" },
];

/** OSC 4, 10, 11, 12 set a colour, or ask for it with "?". */
const colors = [4, 10, 11, 12] as const;

/** Parameters of OSC 4, 10 ... are separated by ";": one that is "?" makes it a question. */
function isQuestion(data: string): boolean {
  return data.split(";").includes("?");
}

export interface SilenceOptions {
  /** OSC 52: a program wants to write the clipboard. It can never read it. */
  readonly onClipboard: (text: string) => void;
  /** Answers and reports of the page that the parser itself set off are dropped while this runs. */
  readonly onMuted: (muted: boolean) => void;
}

export function silence(parser: Parser, options: SilenceOptions): IDisposable {
  const disposables = [
    ...queries.map((id) => parser.registerCsiHandler(id, taken)),
    ...colors.map((code) => parser.registerOscHandler(code, isQuestion)),
    parser.registerDcsHandler({ intermediates: "$", final: "q" }, taken),
    parser.registerDcsHandler({ intermediates: "+", final: "q" }, taken),
    parser.registerOscHandler(52, (data) => {
      const text = parseClipboardWrite(data);
      if (text !== undefined) options.onClipboard(text);
      return true;
    }),
    // xterm.js reports the focus the moment a program asks for such reports: also when the program is long gone and its
    // output is only drawn again. The parser runs in one piece, so no key of a person can come in between.
    parser.registerCsiHandler({ prefix: "?", final: "h" }, (params) => {
      if (params.includes(1004)) {
        options.onMuted(true);
        queueMicrotask(() => options.onMuted(false));
      }
      return false;
    }),
  ];
  return { dispose: () => disposables.forEach((each) => each.dispose()) };
}

/** As long as a clipboard of a person may be; the same bound holds on the server. */
const MAX_CLIPBOARD_BASE64 = 1_400_000;

/** `Pc;Pd`, Pd base64; undefined for a question and for what is no base64 of UTF-8. */
export function parseClipboardWrite(data: string): string | undefined {
  const separator = data.indexOf(";");
  const encoded = data.slice(separator + 1);
  if (separator === -1 || encoded === "?" || encoded === "" || encoded.length > MAX_CLIPBOARD_BASE64) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
