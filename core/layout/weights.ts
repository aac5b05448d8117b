/** Shares of a row or column. Only their ratios count; none may get so small that its cell can no longer be seen. */

/** Of the whole. Far below what can be seen: nested shares must not wear down to zero. */
const MIN_SHARE = 1e-6;
/** Raising small weights raises the sum: what was raised once is large enough for ever. */
const TOLERATED_SHARE = MIN_SHARE / 2;

export function sumOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

export function isWeight(weight: number): boolean {
  return Number.isFinite(weight) && weight > 0;
}

/** The same weights when all are large enough; else the small ones raised to the least share. */
export function boundWeights(weights: readonly number[]): readonly number[] {
  const total = sumOf(weights);
  if (weights.every((weight) => weight >= total * TOLERATED_SHARE)) return weights;
  return weights.map((weight) => Math.max(weight, total * MIN_SHARE));
}

/** What is no weight becomes the mean of those that are. */
export function repairWeights(weights: readonly number[]): readonly number[] {
  if (weights.every(isWeight) && isWeight(sumOf(weights))) return boundWeights(weights);
  const largest = Math.max(...weights.filter(isWeight), 0);
  // Scaled down first: the sum of weights near the largest number there is would be none.
  const scaled = weights.map((weight) => (isWeight(weight) ? weight / largest : Number.NaN));
  const good = scaled.filter(isWeight);
  const mean = good.length === 0 ? 1 : sumOf(good) / good.length;
  return boundWeights(scaled.map((weight) => (isWeight(weight) ? weight : mean)));
}
