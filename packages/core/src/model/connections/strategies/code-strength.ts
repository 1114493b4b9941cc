/** Comparisons of strangers' guesses with live codes of one destination, in any {@link comparisonWindow}. */
export const comparisonLimit = 100;

/** Seconds in which comparisons count. A code's comparisons count from its creation until so long after it expires. */
export const comparisonWindow = 3 * 3600;

/** Default number of digits of a one-time code. */
export const defaultCodeLength = 6;

/** Default seconds until a one-time code expires. */
export const defaultCodeLifetime = 600;

/** The highest accepted probability that strangers who use all comparisons guess a code of one destination within a day. */
const acceptedPerDay = 0.01;

const day = 86_400;

/**
 * The fewest digits that a one-time code may have: with fewer, strangers who use all comparisons of a destination would guess one of its codes within a day with a probability above 1%.
 * 5 for codes that expire within 21 hours. Reservations of codes that live longer take longer to return, so fewer comparisons fit into a day.
 * @param lifetime seconds until the code expires.
 */
export function shortestCode(lifetime: number): number {
  const comparisonsPerDay = (comparisonLimit * day) / (comparisonWindow + lifetime);
  return Math.ceil(Math.log10(comparisonsPerDay / acceptedPerDay));
}
