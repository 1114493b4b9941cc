/** Different characters that a secret needs. Of 32 random hexadecimal digits one in 25 million has fewer. */
const leastCharacters = 8;

/** A secret that is a text of fewer characters than this, over and over, is only that text. */
const leastPeriod = 16;

/**
 * What makes a secret easy to guess, to go on after its name; undefined for one that looks random enough. It finds what was typed to fill the length
 * (`aaaa…`, `12341234…`), not words: whether a sentence was picked at random cannot be seen.
 * @param length the fewest characters it may have.
 */
export function weaknessOf(secret: string, length: number): string | undefined {
  if (secret.length < length) return `is shorter than ${length} characters`;
  if (new Set(secret).size < leastCharacters) return `has fewer than ${leastCharacters} different characters`;
  for (let period = 1; period < Math.min(leastPeriod, secret.length); period++) {
    if (secret.startsWith(secret.slice(period))) return `repeats its first ${period} characters`;
  }
  return undefined;
}
