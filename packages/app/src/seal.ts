import { EncryptJWT, jwtDecrypt, type JWTPayload } from "jose";

/** Seals what browsers carry for the app, so that they can neither read nor change it. */
export interface Seal {
  /** @param lifetime seconds. */
  close(content: object, lifetime: number): Promise<string>;
  /** What was sealed; undefined for anything else, and for what has expired. */
  open(text: string): Promise<JWTPayload | undefined>;
}

/** Secrets are at least this long: characters. */
const shortest = 32;

/**
 * Makes a {@link Seal}: JWE (RFC 7516) with AES-256-GCM under keys that are derived from the secrets by HKDF (RFC 5869).
 * @param secrets the first one seals, all of them open.
 * @param purpose what is sealed with one purpose does not open with another.
 * @param now milliseconds since 1970.
 * @throws {TypeError} for a secret that is too short.
 */
export function createSeal(secrets: readonly string[], purpose: string, now: () => number): Seal {
  if (secrets.length === 0) throw new TypeError("createSessions: 'secret' is missing");
  for (const secret of secrets) {
    if (secret.length < shortest)
      throw new TypeError(`createSessions: 'secret' is text of ${secret.length} characters: pass ${shortest} or more`);
  }
  let derived: Promise<readonly Uint8Array[]> | undefined;
  const keys = () => (derived ??= Promise.all(secrets.map((secret) => derive(secret, purpose))));

  return {
    async close(content, lifetime) {
      const [key] = await keys();
      if (key === undefined) throw new TypeError("there is no key");
      const seconds = Math.floor(now() / 1000);
      return new EncryptJWT({ ...content })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + lifetime)
        .encrypt(key);
    },
    async open(text) {
      for (const key of await keys()) {
        const options = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"], currentDate: new Date(now()) };
        const opened = await jwtDecrypt(text, key, options).catch(() => undefined);
        if (opened !== undefined) return opened.payload;
      }
      return undefined;
    },
  };
}

async function derive(secret: string, purpose: string): Promise<Uint8Array> {
  const encode = (text: string) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", encode(secret), "HKDF", false, ["deriveBits"]);
  const how = { name: "HKDF", hash: "SHA-256", salt: encode("@postern/app"), info: encode(purpose) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, 256));
}
