/** Waits for a condition of the real world, with a bound: what it waited for is in the error. */
const FIRST_STEP_MS = 5;
/** What takes long is looked at less often: looking costs too, and the real thing needs the processor. */
const LAST_STEP_MS = 100;

export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const startMs = performance.now();
  while (!await condition()) {
    const waitedMs = performance.now() - startMs;
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`);
    const stepMs = Math.min(LAST_STEP_MS, Math.max(FIRST_STEP_MS, waitedMs / 20));
    await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
}
