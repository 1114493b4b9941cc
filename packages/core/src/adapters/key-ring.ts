/** One key of a {@link KeyRing}. */
export interface SealingKey {
  /** Its name, stored in every value sealed with it. */
  readonly id: string;
  /** Secret text of at least 32 characters, from a secret manager or `openssl rand -base64 32`. */
  readonly secret: string;
}

/**
 * The host's keys for encryption at rest. The first one seals; all of them open, so that a key is replaced by putting a new one in front
 * and keeping the old one until nothing is sealed with it any more.
 */
export type KeyRing = readonly [SealingKey, ...SealingKey[]];
