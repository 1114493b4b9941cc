/** One key of a {@link KeyRing}. */
export interface SealingKey {
  /**
   * Its name, which is stored in every value that it encrypts: 1 to 32 letters, digits, `-` and `_`. Never reuse an id
   * for another secret.
   */
  readonly id: string;
  /**
   * Secret random text of at least 32 characters, from a secret manager or `openssl rand -base64 32`. Guessable text is
   * rejected.
   */
  readonly secret: string;
}

/**
 * The host application's keys for encryption at rest. The first key encrypts; all keys decrypt. To rotate, put a new
 * key first, and keep the old one until no stored value uses it.
 */
export type KeyRing = readonly [SealingKey, ...SealingKey[]];
