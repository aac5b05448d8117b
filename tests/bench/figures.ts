/** What the benches do with their figures: quantiles, verdicts, and the table that they print. */

/** share: 0.5 for the median. NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

export const verdict = (met: boolean) => met ? "met" : "MISSED";

export function printRow(name: string, ...cells: readonly string[]): void {
  console.log(name.padEnd(34) + cells.map((cell) => cell.padStart(12)).join(""));
}
