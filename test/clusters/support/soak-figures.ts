/** Returns by how much a straight line through values at equal intervals grows from the first value to the last one. */
export function growth(values: readonly number[]): number {
  const center = (values.length - 1) / 2;
  const meanValue = mean(values);
  const covariance = values.reduce((sum, value, i) => sum + (i - center) * (value - meanValue), 0);
  const squares = values.reduce((sum, _, i) => sum + (i - center) ** 2, 0);
  return (covariance / squares) * (values.length - 1);
}

/** The means of the middle and of the last quarter of a series, and the largest difference that counts as equal. */
export interface Plateau {
  readonly middle: number;
  readonly last: number;
  readonly tolerance: number;
}

/**
 * Compares the middle quarter of a series with the last one.
 * @returns the means and the tolerance, which is 5 plus four standard errors of the difference.
 */
export function comparePlateau(values: readonly number[]): Plateau {
  const part = (from: number, to: number): readonly number[] =>
    values.slice(Math.floor(values.length * from), Math.floor(values.length * to));
  const [middle, last] = [part(0.375, 0.625), part(0.75, 1)];
  const error = Math.sqrt(variance(middle) / middle.length + variance(last) / last.length);
  return { middle: mean(middle), last: mean(last), tolerance: 5 + 4 * error };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function variance(values: readonly number[]): number {
  const center = mean(values);
  return mean(values.map((value) => (value - center) ** 2));
}
