/** How many tests passed, failed and were skipped, read from the reports of `deno test`. */

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };

export function sum(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** Counts tests and steps of a JUnit report; a file that failed to load is not in it, and an empty report has none. */
export function countJunit(xml: string): Counts {
  const cases = [...xml.matchAll(/<testcase [^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, body = ""]) => body);
  const failed = cases.filter((body) => /<(failure|error)[\s>]/.test(body)).length;
  const skipped = cases.filter((body) => body.includes("<skipped")).length;
  return { passed: cases.length - failed - skipped, failed, skipped };
}

export interface Timed {
  readonly name: string;
  readonly seconds: number;
}

/** The tests of a report that took at least that long, the slowest first. */
export function slowTests(
  xml: string,
  { seconds, count }: { readonly seconds: number; readonly count: number },
): readonly Timed[] {
  const cases = [...xml.matchAll(/<testcase name="([^"]*)" classname="([^"]*)" time="([\d.]+)"/g)];
  return cases.map(([, name = "", file = "", time = ""]) => ({ name: `${file}: ${name}`, seconds: Number(time) }))
    .filter((test) => test.seconds >= seconds)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count);
}

export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
