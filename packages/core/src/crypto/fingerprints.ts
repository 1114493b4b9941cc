import { base64url } from "jose";
import { hkdf } from "../adapters/digest.ts";
import type { KeyRing } from "../adapters/key-ring.ts";

/**
 * Tells whether a secret was sent before, without keeping anything of it: the fingerprint is made with a key of the host, so that whoever reads the database
 * cannot try secrets against it. Not for what must outlive a change of the host's key.
 */
export interface Fingerprints {
  /** 16 bytes in base64url. */
  of(...texts: readonly string[]): Promise<string>;
}

/** Makes {@link Fingerprints} by the first key of the host's ring. */
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
