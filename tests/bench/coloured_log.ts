/** A log as a build prints it: times, levels in colour, paths, some accents. The same bytes every time. */
import { createRandom } from "../helpers/random.ts";

const REPEATED_LINES = 2_000;

export function colouredLines(count: number): string {
  const random = createRandom(1);
  const repeated = Array.from({ length: Math.min(count, REPEATED_LINES) }, (_, index) => {
    const level = random.pick(["\x1b[32mINFO\x1b[0m", "\x1b[33mWARN\x1b[0m", "\x1b[1;31mERROR\x1b[0m"]);
    const words = Array.from(
      { length: 3 + random.int(12) },
      () => random.pick(["build", "module", "écrit", "42", "done"]),
    );
    return `\x1b[2m12:${index % 60}:07\x1b[0m ${level} src/area_${random.int(40)}/file.ts:${index} ${
      words.join(" ")
    }\n`;
  });
  return Array.from({ length: count }, (_, index) => repeated[index % repeated.length]).join("");
}

/** Of at least so many bytes, as a terminal shows them. */
export function colouredLog(bytes: number): string {
  const lines = colouredLines(REPEATED_LINES);
  return lines.repeat(Math.ceil(bytes / shownBytes(lines)));
}

/** A terminal puts a carriage return before each line feed. */
export function shownBytes(log: string): number {
  return new TextEncoder().encode(log).length + log.split("\n").length - 1;
}
