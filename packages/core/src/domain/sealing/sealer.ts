import { CompactEncrypt, compactDecrypt } from "jose";
import type { KeyRing } from "../../adapters/key-ring.ts";

/**
 * Encrypts what must be stored and read again: private keys, connection secrets, and cursors that callers must not forge.
 * A sealed value is a compact JWE (RFC 7516) with `dir` and A256GCM that names its key, so that keys can be rotated.
 */
export interface Sealer {
  /** @param purpose what the value is for: a value sealed for one purpose does not open for another. */
  seal(purpose: string, plaintext: string): Promise<string>;
  /** @throws when the value was not sealed by a key of the ring, for this purpose, or was changed since. */
  open(purpose: string, sealed: string): Promise<string>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Makes a {@link Sealer} from the host's keys. Each purpose has a key of its own, derived with HKDF-SHA-256. */
export function createSealer(ring: KeyRing): Sealer {
  const derived = new Map<string, Promise<CryptoKey>>();

  const keyFor = (id: string, purpose: string): Promise<CryptoKey> => {
    const name = JSON.stringify([id, purpose]);
    let key = derived.get(name);
    if (key === undefined) {
      const entry = ring.find((candidate) => candidate.id === id);
      if (entry === undefined) throw new Error(`no key '${id}' in the key ring: keep a replaced key as long as values are sealed with it`);
      key = deriveKey(entry.secret, purpose);
      derived.set(name, key);
    }
    return key;
  };

  return {
    async seal(purpose, plaintext) {
      const { id } = ring[0];
      return new CompactEncrypt(encoder.encode(plaintext))
        .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: id })
        .encrypt(await keyFor(id, purpose));
    },
    async open(purpose, sealed) {
      const options = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };
      const { plaintext } = await compactDecrypt(sealed, ({ kid = "" }) => keyFor(kid, purpose), options);
      return decoder.decode(plaintext);
    },
  };
}

async function deriveKey(secret: string, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: encoder.encode("postern"), info: encoder.encode(purpose) };
  return crypto.subtle.deriveKey(parameters, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
