import { base64url } from "jose";
import { hkdf } from "../adapters/digest.ts";
import type { KeyRing } from "../adapters/key-ring.ts";

/**
 * Computes fingerprints of secrets. A stored fingerprint shows that a secret was sent before, without the secret itself
 * being stored. The fingerprint is keyed with a key of the host application, so an attacker who reads the database
 * cannot test guesses of the secret. If that key changes, earlier fingerprints no longer match.
 */
export interface Fingerprints {
  /** Returns the fingerprint of the texts: 16 bytes in base64url. */
  of(...texts: readonly string[]): Promise<string>;
}

/** Creates {@link Fingerprints} with the first key of the host application's key ring. */
export function createFingerprints([{ secret }]: KeyRing): Fingerprints {
  let key: ReturnType<typeof hkdf> | undefined;
  return {
    async of(...texts) {
      key ??= hkdf(secret, "postern", "fingerprint", 32);
      // The extract step of HKDF (RFC 5869 section 2.2) is an HMAC with the key.
      return base64url.encode(await hkdf(JSON.stringify(texts), await key, "fingerprint", 16));
    },
  };
}
