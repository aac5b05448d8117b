/**
 * WebGL for the terminals that are on screen, as far as the browser's contexts go: a page has about 16, and the browser
 * takes the oldest away without asking when one more is made. Beyond the bound, and wherever WebGL fails or is lost, the
 * terminal draws with the DOM renderer, which is always there below.
 */
import type { Terminal } from "@xterm/xterm";

const MAX_CONTEXTS = 12;

let contexts = 0;
/** Once a context could not be made there is no use in trying for every terminal. */
let works = true;

/** Undefined when the terminal draws with the DOM. Dispose it when the terminal is hidden, so that another may have it. */
export async function accelerate(terminal: Terminal): Promise<Disposable | undefined> {
  if (!works || contexts >= MAX_CONTEXTS) return undefined;
  contexts++;
  let held = true;
  const release = () => {
    if (held) contexts--;
    held = false;
  };
  const { WebglAddon } = await import("@xterm/addon-webgl");
  try {
    const addon = new WebglAddon();
    terminal.loadAddon(addon);
    const canvas = findContext(terminal.element);
    const dispose = () => {
      if (!held) return;
      release();
      addon.dispose();
      // Otherwise the context counts until it is collected as garbage.
      canvas?.getExtension("WEBGL_lose_context")?.loseContext();
    };
    addon.onContextLoss(dispose);
    return { [Symbol.dispose]: dispose };
  } catch {
    works = false;
    release();
    return undefined;
  }
}

function findContext(element: HTMLElement | undefined): WebGL2RenderingContext | undefined {
  for (const canvas of element?.querySelectorAll("canvas") ?? []) {
    // A canvas that has a context of another kind gives null.
    const context = canvas.getContext("webgl2");
    if (context !== null) return context;
  }
  return undefined;
}
