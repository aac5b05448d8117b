/**
 * What a person has typed into an agent's input box and not sent yet. IdeA types nothing while a draft is there, so the
 * person's text and a delivery can never run into each other. This follows keys, not the screen: a CLI's input box has no
 * common look. In doubt it says that there is a draft.
 */

export interface Draft {
  /** Characters typed and not sent; 0 = none. */
  readonly length: number;
  /** Inside a bracketed paste, where Enter is text. */
  readonly pasting: boolean;
}

export const NO_DRAFT: Draft = { length: 0, pasting: false };

// Sequences that keys, mouse and focus send: CSI, SS3, and Alt with a character. They move, they do not write.
// deno-lint-ignore no-control-regex
const SEQUENCE = /^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001bO[ -~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\))/;

/** The draft after these keys, as text. */
export function trackDraft(draft: Draft, input: string): Draft {
  let { length, pasting } = draft;
  for (let i = 0; i < input.length;) {
    const rest = input.slice(i, i + 64);
    const sequence = SEQUENCE.exec(rest)?.[0];
    if (sequence !== undefined) {
      if (sequence === "\u001b[200~") pasting = true;
      else if (sequence === "\u001b[201~") pasting = false;
      // Kitty's Enter (CSI 13 u) without modifiers sends too.
      else if (/^\u001b\[13(;1)?u$/.test(sequence)) length = 0;
      i += sequence.length;
      continue;
    }
    const code = input.charCodeAt(i);
    i++;
    if (pasting) length++;
    else length = nextLength(length, code, input[i]);
    // Alt+Enter writes a line break: its Enter is not one that sends.
    if (!pasting && code === 0x1b && input[i] === "\r") i++;
  }
  return { length, pasting };
}

function nextLength(length: number, code: number, next: string | undefined): number {
  switch (code) {
    case 0x0d: // Enter sends
    case 0x03: // Ctrl+C clears the line
    case 0x15: // Ctrl+U
      return 0;
    case 0x1b: // Esc alone leaves the draft; Alt+Enter adds a line to it
      return next === "\r" ? length + 1 : length;
    case 0x08:
    case 0x7f:
      return Math.max(0, length - 1);
    case 0x17: // Ctrl+W takes a word: how long is not known, so at least the last one is assumed to stay
      return Math.max(length > 0 ? 1 : 0, length - 1);
    default:
      return code >= 0x20 || code === 0x0a ? length + 1 : length;
  }
}

// deno-lint-ignore no-control-regex
const REPORTS = /^(?:\u001b\[[IO]|\u001b\[<[\d;]+[Mm]|\u001b\[M[\s\S]{3})+$/;

/** Focus and mouse reports come from the terminal, not from a person's hands on the keys. */
export function isReport(input: string): boolean {
  return REPORTS.test(input);
}
