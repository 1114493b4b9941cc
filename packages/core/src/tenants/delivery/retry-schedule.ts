/**
 * Returns the milliseconds before the next attempt of a delivery; undefined if it is given up.
 * @param failures the number of consecutive failures, at least 1.
 * @param error the error of the last attempt.
 */
export type RetrySchedule = (failures: number, error: unknown) => number | undefined;

/**
 * Returns a schedule whose pauses double from `first` to `maximum` milliseconds. The delivery is given up after
 * `attempts` failures.
 */
export function exponentialBackoff({
  first,
  maximum,
  attempts,
}: {
  readonly first: number;
  readonly maximum: number;
  readonly attempts: number;
}): RetrySchedule {
  return (failures) => (failures >= attempts ? undefined : Math.min(maximum, first * 2 ** (failures - 1)));
}
