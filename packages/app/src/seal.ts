import { base64url, decodeProtectedHeader, EncryptJWT, jwtDecrypt, type JWTPayload } from "jose";

/** Encrypts data that the browser or a store holds for the app, so that they can neither read nor change it. */
export interface Seal {
  /**
   * Encrypts an object.
   * @param lifetime in seconds.
   * @param id a random secret. The text can then be decrypted only with the same id, in addition to the app's secret.
   */
  encrypt(content: object, lifetime: number, id?: string): Promise<string>;
  /** Decrypts text. Returns undefined if the text is invalid or expired, or was encrypted with another id. */
  decrypt(text: string, id?: string): Promise<JWTPayload | undefined>;
  /**
   * Returns when text was encrypted, in seconds since 1970, if the same app encrypted it with an unknown secret.
   * Otherwise returns undefined. The browser can forge the result: use it only to choose an error message.
   */
  encryptedElsewhere(text: string): Promise<number | undefined>;
}

/** What a {@link Seal} is for. */
export interface SealPurpose {
  /** An input of the key derivation: text that was encrypted for one purpose cannot be decrypted for another. */
  readonly purpose: string;
  /** The app's public URL. Apps on several ports of one host receive each other's cookies. */
  readonly appUrl: string;
}

/** Minimum length of a secret, in characters. */
const minimumLength = 32;

/**
 * Creates a {@link Seal}: JWE (RFC 7516) with AES-256-GCM, and keys that HKDF (RFC 5869) derives from the secrets. The
 * `kid` of the text names the app and the secret, so that a process with another secret can tell why it cannot decrypt
 * the text.
 * @param secrets the first one encrypts, all of them decrypt.
 * @param now milliseconds since 1970.
 * @throws {TypeError} if a secret is missing or too short.
 */
export function createSeal(secrets: readonly string[], { purpose, appUrl }: SealPurpose, now: () => number): Seal {
  if (secrets.length === 0) throw new TypeError("createSessions: 'secret' is missing");
  for (const secret of secrets) {
    if (secret.length < minimumLength)
      throw new TypeError(`createSessions: 'secret' has ${secret.length} characters: pass ${minimumLength} or more`);
  }
  let derived: Promise<readonly Key[]> | undefined;
  const keys = () => (derived ??= deriveKeys(secrets, purpose, appUrl));

  return {
    async encrypt(content, lifetime, id) {
      const [key] = await keys();
      if (key === undefined) throw new TypeError("the key is missing");
      const seconds = Math.floor(now() / 1000);
      return new EncryptJWT({ ...content })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: key.id, iat: seconds })
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + lifetime)
        .encrypt(await keyFor(key, id));
    },
    async decrypt(text, id) {
      for (const key of await keys()) {
        const options = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"], currentDate: new Date(now()) };
        const decrypted = await jwtDecrypt(text, await keyFor(key, id), options).catch(() => undefined);
        if (decrypted !== undefined) return decrypted.payload;
      }
      return undefined;
    },
    async encryptedElsewhere(text) {
      const { kid, iat } = headerOf(text);
      const known = (await keys()).map(({ id }) => id);
      if (typeof kid !== "string" || typeof iat !== "number" || known.includes(kid)) return undefined;
      return known.some((id) => appOf(id) === appOf(kid)) ? iat : undefined;
    },
  };
}

interface Key {
  /** A hash of the app, a dot, and a hash of the secret. */
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const encode = (text: string) => new TextEncoder().encode(text);

async function deriveKeys(secrets: readonly string[], purpose: string, appUrl: string): Promise<readonly Key[]> {
  const app = await crypto.subtle.digest("SHA-256", encode(`${purpose} ${appUrl}`));
  return Promise.all(
    secrets.map(async (secret) => {
      const fingerprint = await derive(secret, `key id ${purpose}`);
      return { id: `${shortId(new Uint8Array(app))}.${shortId(fingerprint)}`, bytes: await derive(secret, purpose) };
    }),
  );
}

/** Returns the key for texts with this id. */
async function keyFor({ bytes }: Key, id: string | undefined): Promise<Uint8Array> {
  return id === undefined ? bytes : derive(bytes, `id ${id}`);
}

async function derive(secret: string | Uint8Array<ArrayBuffer>, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  const input = typeof secret === "string" ? encode(secret) : secret;
  const key = await crypto.subtle.importKey("raw", input, "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: encode("@postern/app"), info: encode(purpose) };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
}

function shortId(bytes: Uint8Array): string {
  return base64url.encode(bytes.subarray(0, 6));
}

/** The part of a key's id that names the app. */
function appOf(id: string): string | undefined {
  return id.split(".", 1)[0];
}

/** Returns the readable header of encrypted text; empty if the text is not a JWE. */
function headerOf(text: string): { readonly kid?: unknown; readonly iat?: unknown } {
  try {
    return decodeProtectedHeader(text);
  } catch {
    return {};
  }
}
