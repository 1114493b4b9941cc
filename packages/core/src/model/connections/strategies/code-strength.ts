/**
 * Maximum number of times in a {@link comparisonWindow} that guesses are compared with the valid codes for one phone
 * number or email address.
 */
export const comparisonLimit = 100;

/**
 * Length of the window for {@link comparisonLimit}, in seconds. The comparisons with a code count from the creation of
 * the code until this long after it expires.
 */
export const comparisonWindow = 3 * 3600;

/** Default number of digits of a one-time code. */
export const defaultCodeLength = 6;

/** Default lifetime of a one-time code, in seconds. */
export const defaultCodeLifetime = 600;

/**
 * Maximum accepted probability that an attacker who uses all comparisons guesses a code for one phone number or email
 * address within a day.
 */
const acceptedPerDay = 0.01;

const day = 86_400;

/**
 * Returns the minimum number of digits of a one-time code. With fewer digits, an attacker who uses all comparisons for
 * a phone number or email address would guess one of its codes within a day with a probability above 1%. The result is
 * 5 for codes that expire within 21 hours. Comparisons with longer-lived codes count for longer, so a day allows fewer
 * of them.
 * @param lifetime seconds until the code expires.
 */
export function shortestCode(lifetime: number): number {
  const comparisonsPerDay = (comparisonLimit * day) / (comparisonWindow + lifetime);
  return Math.ceil(Math.log10(comparisonsPerDay / acceptedPerDay));
}
