/** One key of a {@link KeyRing}. */
export interface SealingKey {
  /**
   * The name of the key, which is stored in every value that the key encrypts: 1 to 32 letters, digits, `-` and `_`.
   * Never reuse the id for another secret.
   */
  readonly id: string;
  /**
   * Secret random text of at least 32 characters, from a secret manager or `openssl rand -base64 32`. Guessable text is
   * rejected.
   */
  readonly secret: string;
}

/**
 * The host application's keys for encryption at rest. Postern encrypts with the first key and decrypts with all keys.
 * To rotate, put a new key first, and remove the old key when no stored value uses it.
 */
export type KeyRing = readonly [SealingKey, ...SealingKey[]];
