/**
 * WebGL for the terminals that are on screen, as far as the browser's contexts go: a page has about 16, and the browser
 * takes the oldest away without asking when one more is made. Beyond the bound, and wherever WebGL fails or is lost, the
 * terminal draws with the DOM renderer, which is always there below.
 */
import type { WebglAddon } from "@xterm/addon-webgl";
import type { Terminal } from "@xterm/xterm";

const MAX_CONTEXTS = 12;

let contexts = 0;
/** Once a context could not be made there is no use in trying for every terminal. */
let works = true;

export interface Acceleration extends Disposable {
  /** A terminal that is not on screen leaves its context to another. */
  set(wanted: boolean): void;
}

export function createAcceleration(terminal: Terminal): Acceleration {
  let wanted = false;
  let held: Disposable | undefined;

  async function acquire(): Promise<void> {
    const { WebglAddon } = await import("@xterm/addon-webgl");
    // Meanwhile it may be hidden again, or gone.
    if (wanted && held === undefined) held = accelerate(terminal, new WebglAddon());
  }

  function set(next: boolean): void {
    wanted = next;
    if (wanted && held === undefined && works && contexts < MAX_CONTEXTS) void acquire();
    if (wanted) return;
    held?.[Symbol.dispose]();
    held = undefined;
  }

  return { set, [Symbol.dispose]: () => set(false) };
}

/** Undefined when the terminal draws with the DOM. */
function accelerate(terminal: Terminal, addon: WebglAddon): Disposable | undefined {
  if (!works || contexts >= MAX_CONTEXTS) return undefined;
  contexts++;
  let held = true;
  const release = () => {
    if (held) contexts--;
    held = false;
  };
  try {
    terminal.loadAddon(addon);
    const context = findContext(terminal.element);
    const dispose = () => {
      if (!held) return;
      release();
      addon.dispose();
      // Otherwise the context counts until it is collected as garbage.
      context?.getExtension("WEBGL_lose_context")?.loseContext();
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
