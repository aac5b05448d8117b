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
  /**
   * How the terminal draws is decided. Cells have another size with WebGL than without, so what fits is not to be asked
   * before: the program would see two sizes.
   */
  isSettled(): boolean;
}

/** onChanged: it is settled, or has changed since. */
export function createAcceleration(terminal: Terminal, onChanged: () => void): Acceleration {
  let wanted = false;
  let acquiring = false;
  let held: Disposable | undefined;

  async function acquire(): Promise<void> {
    acquiring = true;
    const addon = await loadAddon();
    acquiring = false;
    // Meanwhile it may be hidden again, or gone.
    if (!wanted) return;
    if (addon !== undefined) held = accelerate(terminal, addon, onChanged);
    onChanged();
  }

  function set(next: boolean): void {
    wanted = next;
    if (!wanted) {
      held?.[Symbol.dispose]();
      held = undefined;
    } else if (held === undefined && !acquiring && works && contexts < MAX_CONTEXTS) void acquire();
  }

  return { set, isSettled: () => !acquiring, [Symbol.dispose]: () => set(false) };
}

async function loadAddon(): Promise<WebglAddon | undefined> {
  try {
    const { WebglAddon } = await import("@xterm/addon-webgl");
    return new WebglAddon();
  } catch {
    works = false;
    return undefined;
  }
}

/** Undefined when the terminal draws with the DOM. */
function accelerate(terminal: Terminal, addon: WebglAddon, onLost: () => void): Disposable | undefined {
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
    addon.onContextLoss(() => {
      dispose();
      onLost();
    });
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
