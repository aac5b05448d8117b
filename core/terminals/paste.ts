/**
 * Pasted and delivered text on its way to a program. Inside a bracketed paste the program takes everything up to the
 * end marker as text; a marker within the text would end the frame early and make the rest count as typed, so all end
 * markers are removed, in both spellings of CSI, and also those that the removal itself would put together.
 */

const START = "\x1b[200~";
const END = "\x1b[201~";
/** The same with the one-character CSI of 8-bit terminals. */
const END_8_BIT = "\x9b201~";
const TILDE = 0x7e;

/** One pass in linear time, the output being a stack: a marker is cut the moment it is complete. */
export function removePasteEnd(text: string): string {
  if (!text.includes("201~")) return text;
  const out = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    out[length++] = unit;
    if (unit !== TILDE) continue;
    if (endsWith(out, length, END)) length -= END.length;
    else if (endsWith(out, length, END_8_BIT)) length -= END_8_BIT.length;
  }
  let clean = "";
  for (let at = 0; at < length; at += 8192) {
    clean += String.fromCharCode(...out.subarray(at, Math.min(length, at + 8192)));
  }
  return clean;
}

/** Line ends become the carriage return that the Enter key sends. */
export function framePaste(text: string, bracketed: boolean): string {
  const clean = removePasteEnd(text).replaceAll(/\r\n|\n/g, "\r");
  return bracketed ? START + clean + END : clean;
}

function endsWith(units: Uint16Array, length: number, marker: string): boolean {
  const from = length - marker.length;
  if (from < 0) return false;
  for (let at = 0; at < marker.length; at++) {
    if (units[from + at] !== marker.charCodeAt(at)) return false;
  }
  return true;
}
