import { decodeProtectedHeader, base64url, errors, FlattenedEncrypt, flattenedDecrypt } from "jose";
import type { KeyRing } from "../adapters/key-ring.ts";
import type { SealedPlace } from "../store/sealed.ts";

/**
 * Encrypts values that Postern must read again: private keys, connection secrets, tickets, and cursors that callers
 * must not forge. A sealed text is a JWE (RFC 7516) with `dir` and A256GCM. Its header names the key, so that keys can
 * be rotated. The location of the value in the database ({@link SealedPlace}) is authenticated, but the sealed text
 * does not contain it. The sealed text has the five parts of the compact form. It can be decrypted only with the same
 * location as additional authenticated data (section 5.1, step 14).
 */
export interface Sealer {
  /** The id of the key that encrypts, which is the first key of the ring. */
  readonly keyId: string;
  /** The ids of all keys that decrypt. */
  readonly keyIds: readonly string[];
  seal(place: SealedPlace, plaintext: string): Promise<string>;
  /**
   * Decrypts a text. @throws an error with the key and the location, if no key of the ring encrypted the text for this
   * location, or if the text was modified.
   */
  open(place: SealedPlace, sealed: string): Promise<string>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Creates a {@link Sealer} from the host application's keys. A separate key is derived for each collection, with
 * HKDF-SHA-256.
 */
export function createSealer(ring: KeyRing): Sealer {
  const derived = new Map<string, Promise<CryptoKey>>();
  const keyId = ring[0].id;

  const keyFor = (id: string, { collection }: SealedPlace): Promise<CryptoKey> => {
    const name = `${id}.${collection}`;
    let key = derived.get(name);
    if (key === undefined) {
      const entry = ring.find((candidate) => candidate.id === id);
      if (entry === undefined)
        throw new Error(`the key ring does not contain the key '${id}': keep a replaced key until no value is encrypted with it`);
      key = deriveKey(entry.secret, collection);
      derived.set(name, key);
    }
    return key;
  };

  return {
    keyId,
    keyIds: ring.map(({ id }) => id),
    async seal(place, plaintext) {
      const sealed = await new FlattenedEncrypt(encoder.encode(plaintext))
        .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: keyId })
        .setAdditionalAuthenticatedData(authenticated(place))
        .encrypt(await keyFor(keyId, place));
      return [sealed.protected, "", sealed.iv, sealed.ciphertext, sealed.tag].join(".");
    },
    async open(place, sealed) {
      const [header = "", , iv = "", ciphertext = "", tag = ""] = sealed.split(".");
      const jwe = { protected: header, iv, ciphertext, tag, aad: base64url.encode(authenticated(place)) };
      const options = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };
      try {
        const { plaintext } = await flattenedDecrypt(jwe, ({ kid = "" } = {}) => keyFor(kid, place), options);
        return decoder.decode(plaintext);
      } catch (cause) {
        throw cause instanceof errors.JWEDecryptionFailed ? cannotDecrypt(place, sealed, cause) : cause;
      }
    },
  };
}

/** Returns the id of the key that encrypted a text. */
export function keyIdOf(sealed: string): string {
  return decodeProtectedHeader(sealed).kid ?? "";
}

function cannotDecrypt({ collection, field }: SealedPlace, sealed: string, cause: unknown): Error {
  const location = field === undefined ? collection : `${collection}.${field}`;
  return new Error(
    `the key '${keyIdOf(sealed)}' of the secret cannot decrypt a value of '${location}': the value was encrypted with another secret, or was changed or copied`,
    { cause },
  );
}

function authenticated({ tenantId, collection, id, field }: SealedPlace): Uint8Array {
  return encoder.encode(JSON.stringify([tenantId, collection, id, field]));
}

async function deriveKey(secret: string, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: encoder.encode("postern"), info: encoder.encode(purpose) };
  return crypto.subtle.deriveKey(parameters, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
