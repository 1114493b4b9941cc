/** Maximum number of comparisons of guesses with valid codes of one destination in any {@link comparisonWindow}. */
export const comparisonLimit = 100;

/**
 * Seconds in which comparisons count. The comparisons of a code count from its creation until this long after it
 * expires.
 */
export const comparisonWindow = 3 * 3600;

/** Default number of digits of a one-time code. */
export const defaultCodeLength = 6;

/** Default seconds until a one-time code expires. */
export const defaultCodeLifetime = 600;

/**
 * The highest accepted probability that an attacker who uses all comparisons guesses a code of one destination within a
 * day.
 */
const acceptedPerDay = 0.01;

const day = 86_400;

/**
 * Returns the minimum number of digits of a one-time code. With fewer digits, an attacker who uses all comparisons of a
 * destination would guess one of its codes within a day with a probability above 1%. The result is 5 for codes that
 * expire within 21 hours. Comparisons with longer-lived codes count for longer, so fewer fit into a day.
 * @param lifetime seconds until the code expires.
 */
export function shortestCode(lifetime: number): number {
  const comparisonsPerDay = (comparisonLimit * day) / (comparisonWindow + lifetime);
  return Math.ceil(Math.log10(comparisonsPerDay / acceptedPerDay));
}
