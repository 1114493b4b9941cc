/**
 * The minimum number of different characters in a secret. One in 25 million strings of 32 random hexadecimal digits has
 * fewer.
 */
const minimumCharacters = 8;

/** A secret that consists of a repeated text shorter than this is rejected. */
const minimumPeriod = 16;

/**
 * Describes why a secret is easy to guess, as the end of a sentence whose subject is the secret; undefined if the
 * secret looks random enough. Detects text that only fills the length (`aaaa…`, `12341234…`), not words: a randomly
 * chosen sentence cannot be distinguished from a guessable one.
 * @param length the minimum length.
 */
export function weaknessOf(secret: string, length: number): string | undefined {
  if (secret.length < length) return `is shorter than ${length} characters`;
  if (new Set(secret).size < minimumCharacters) return `has fewer than ${minimumCharacters} different characters`;
  for (let period = 1; period < Math.min(minimumPeriod, secret.length); period++) {
    if (secret.startsWith(secret.slice(period))) return `repeats its first ${period} characters`;
  }
  return undefined;
}
