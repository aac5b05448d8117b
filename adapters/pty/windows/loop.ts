/** One loop for all terminals of Windows: parks at the completion port, and tells each terminal what is its own. */
import type { Completion, Kernel } from "./kernel.ts";

export interface CompletionHandler {
  readonly onTransferred: (completion: Extract<Completion, { kind: "transferred" }>) => void;
  readonly onProcessEnded: (pid: number) => void;
}

export interface CompletionLoop extends AsyncDisposable {
  /** Until the result is disposed; runs while there is any. */
  handle(key: number, handler: CompletionHandler): Disposable;
}

export function createCompletionLoop(kernel: Kernel): CompletionLoop {
  const handlers = new Map<number, CompletionHandler>();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (handlers.size > 0) {
      for (const completion of await kernel.wait()) tell(completion);
    }
    running = undefined;
  }

  function tell(completion: Completion): void {
    if (completion.kind === "woken") return;
    const handler = handlers.get(completion.key);
    if (completion.kind === "transferred") handler?.onTransferred(completion);
    else handler?.onProcessEnded(completion.pid);
  }

  return {
    handle(key, handler) {
      handlers.set(key, handler);
      running ??= run();
      return {
        [Symbol.dispose]() {
          handlers.delete(key);
          if (handlers.size === 0) kernel.wake();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      handlers.clear();
      if (running !== undefined) {
        kernel.wake();
        await running;
      }
      kernel.dispose();
    },
  };
}
