import { EncryptJWT, jwtDecrypt, type JWTPayload } from "jose";

/** Encrypts data that the browser stores for the app, so that the browser can neither read nor change it. */
interface Seal {
  /** Encrypts an object. @param lifetime in seconds. */
  encrypt(content: object, lifetime: number): Promise<string>;
  /** Decrypts text. Returns undefined if the text is invalid or expired. */
  decrypt(text: string): Promise<JWTPayload | undefined>;
}

/** Minimum length of a secret, in characters. */
const minimumLength = 32;

/**
 * Creates a {@link Seal}: JWE (RFC 7516) with AES-256-GCM, and keys that HKDF (RFC 5869) derives from the secrets.
 * @param secrets the first one encrypts, all of them decrypt.
 * @param purpose an input of the key derivation: text that was encrypted for one purpose cannot be decrypted for
 * another.
 * @param now milliseconds since 1970.
 * @throws {TypeError} if a secret is missing or too short.
 */
export function createSeal(secrets: readonly string[], purpose: string, now: () => number): Seal {
  if (secrets.length === 0) throw new TypeError("createSessions: 'secret' is missing");
  for (const secret of secrets) {
    if (secret.length < minimumLength)
      throw new TypeError(`createSessions: 'secret' has ${secret.length} characters: pass ${minimumLength} or more`);
  }
  let derived: Promise<readonly Uint8Array[]> | undefined;
  const keys = () => (derived ??= Promise.all(secrets.map((secret) => derive(secret, purpose))));

  return {
    async encrypt(content, lifetime) {
      const [key] = await keys();
      if (key === undefined) throw new TypeError("the key is missing");
      const seconds = Math.floor(now() / 1000);
      return new EncryptJWT({ ...content })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + lifetime)
        .encrypt(key);
    },
    async decrypt(text) {
      for (const key of await keys()) {
        const options = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"], currentDate: new Date(now()) };
        const decrypted = await jwtDecrypt(text, key, options).catch(() => undefined);
        if (decrypted !== undefined) return decrypted.payload;
      }
      return undefined;
    },
  };
}

async function derive(secret: string, purpose: string): Promise<Uint8Array> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", encode(secret), "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: encode("@postern/app"), info: encode(purpose) };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
}
