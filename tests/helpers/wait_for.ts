/** Waits for a condition of the real world, with a bound: what it waited for is in the error. */
const STEP_MS = 5;

export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!await condition()) {
    if (performance.now() > endMs) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
