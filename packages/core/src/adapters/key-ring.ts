/** One key of a {@link KeyRing}. */
export interface SealingKey {
  /** Its name, stored in every value sealed with it: 1 to 32 letters, digits, `-` and `_`, never used for another secret again. */
  readonly id: string;
  /** Secret random text of at least 32 characters, from a secret manager or `openssl rand -base64 32`. What is easy to guess is refused. */
  readonly secret: string;
}

/**
 * The host's keys for encryption at rest. The first one seals; all of them open, so that a key is replaced by putting a new one in front
 * and keeping the old one until nothing is sealed with it any more.
 */
export type KeyRing = readonly [SealingKey, ...SealingKey[]];
