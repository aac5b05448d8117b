/**
 * The sequence that the output stops in the middle of, as the shortest output that brings a fresh terminal to the same
 * place in it. With it the state can be written down at any byte, so no sequence that never ends keeps what came before.
 */
import type { CsiParams } from "./csi_params.ts";
import {
  CSI_ENTRY,
  CSI_IGNORE,
  CSI_INTERMEDIATE,
  CSI_PARAM,
  DCS_ENTRY,
  DCS_IGNORE,
  DCS_INTERMEDIATE,
  DCS_PARAM,
  DCS_PASSTHROUGH,
  ESCAPE,
  ESCAPE_INTERMEDIATE,
  IGNORED_STRING,
  OSC_STRING,
} from "./parser_states.ts";
import type { StringBuffer } from "./string_buffer.ts";

export interface ParserPlace {
  readonly state: number;
  /** Prefix and intermediates, 8 bits each. */
  readonly collected: number;
  readonly params: CsiParams;
  readonly dcsIdent: number;
  readonly string: StringBuffer;
  /** The first bytes of a character that is cut in two, 8 bits each, and how many. */
  readonly character: { readonly encoded: number; readonly count: number };
}

/** What has no effect, and takes none from what follows until it ends. */
const LOST_OSC = "\x1b]x";
const LOST_DCS = "\x1bPz";

function bytesOf(number: number, count: number): string {
  let text = "";
  for (let shift = (count - 1) * 8; shift >= 0; shift -= 8) text += String.fromCharCode((number >>> shift) & 0xff);
  return text;
}

/** Without the zero bytes in front; of more than four intermediates xterm.js knows the last four too. */
function collectedText(collected: number): string {
  return bytesOf(collected, 4).replace(/^\0+/, "");
}

function csiText({ state, collected, params }: ParserPlace): string {
  const all = collectedText(collected);
  const prefix = /^[<-?]/.exec(all)?.[0] ?? "";
  return `\x1b[${prefix}${state === CSI_ENTRY ? "" : params.format()}${all.slice(prefix.length)}`;
}

function headText(place: ParserPlace): string {
  const { state, collected, dcsIdent, string } = place;
  switch (state) {
    case ESCAPE:
    case ESCAPE_INTERMEDIATE:
      return `\x1b${collectedText(collected)}`;
    case CSI_ENTRY:
    case CSI_PARAM:
    case CSI_INTERMEDIATE:
      return csiText(place);
    case CSI_IGNORE:
      return "\x1b[0<";
    case IGNORED_STRING:
      return "\x1b_";
    case OSC_STRING:
      return string.isLost() ? LOST_OSC : "\x1b]";
    case DCS_ENTRY:
    case DCS_INTERMEDIATE:
      return `\x1bP${collectedText(collected)}`;
    // Nobody looks at the parameters of a DCS.
    case DCS_PARAM:
      return `\x1bP${collectedText(collected)}0`;
    case DCS_IGNORE:
      return "\x1bP0<";
    case DCS_PASSTHROUGH:
      return string.isLost() ? LOST_DCS : `\x1bP${collectedText(dcsIdent)}`;
    default:
      return "";
  }
}

export function formatOpenSequence(place: ParserPlace): Uint8Array<ArrayBuffer> {
  const { state, string, character } = place;
  const head = headText(place);
  const content = state === OSC_STRING || state === DCS_PASSTHROUGH ? string.bytes() : new Uint8Array(0);
  const tail = bytesOf(character.encoded, character.count);
  const all = new Uint8Array(head.length + content.length + tail.length);
  for (let at = 0; at < head.length; at++) all[at] = head.charCodeAt(at);
  all.set(content, head.length);
  for (let at = 0; at < tail.length; at++) all[head.length + content.length + at] = tail.charCodeAt(at);
  return all;
}
