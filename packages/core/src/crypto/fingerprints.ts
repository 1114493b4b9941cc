import { base64url } from "jose";
import { hkdf } from "../adapters/digest.ts";
import type { KeyRing } from "../adapters/key-ring.ts";

/**
 * Detects that a secret was sent before, without storing the secret. The fingerprint is keyed with a key of the host,
 * so a reader of the database cannot test guesses of the secret. A fingerprint does not survive a change of the host's
 * key.
 */
export interface Fingerprints {
  /** 16 bytes in base64url. */
  of(...texts: readonly string[]): Promise<string>;
}

/** Creates {@link Fingerprints} with the first key of the host's ring. */
export function createFingerprints([{ secret }]: KeyRing): Fingerprints {
  let key: ReturnType<typeof hkdf> | undefined;
  return {
    async of(...texts) {
      key ??= hkdf(secret, "postern", "fingerprint", 32);
      // The extract step of HKDF (RFC 5869 section 2.2) is HMAC under the key.
      return base64url.encode(await hkdf(JSON.stringify(texts), await key, "fingerprint", 16));
    },
  };
}
