/** What one window remembers of itself between two openings: small strings in the browser's own storage. */
import { effect, type Signal, signal } from "@preact/signals";

export type WindowMemory = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** A signal that is kept; a storage that refuses (private window, full) costs the memory and nothing else. */
export function remembered(memory: WindowMemory, key: string): Signal<string | undefined> {
  const kept = signal(attempt(() => memory.getItem(`idea.${key}`)) ?? undefined);
  effect(() => {
    const { value } = kept;
    attempt(() => value === undefined ? memory.removeItem(`idea.${key}`) : memory.setItem(`idea.${key}`, value));
  });
  return kept;
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
