/** Pictures in a terminal (sixel and iTerm's protocol), where the page may run their WebAssembly decoders. */
import type { Terminal } from "@xterm/xterm";

/** Per terminal; the oldest pictures go first. */
const STORAGE_MB = 32;
const MAX_PIXELS = 4_194_304;

/** The smallest module there is: its magic number and version. */
const EMPTY_MODULE = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);

/** true when there are pictures from here on. */
export async function loadImages(terminal: Terminal, isDisposed: () => boolean): Promise<boolean> {
  if (!mayCompile()) return false;
  const { ImageAddon } = await import("@xterm/addon-image");
  if (isDisposed()) return false;
  terminal.loadAddon(new ImageAddon({ enableSizeReports: false, storageLimit: STORAGE_MB, pixelLimit: MAX_PIXELS }));
  return true;
}

/** A content security policy can forbid it, and the addon would then throw where nobody catches it. */
function mayCompile(): boolean {
  try {
    return new WebAssembly.Module(EMPTY_MODULE) !== undefined;
  } catch {
    return false;
  }
}
