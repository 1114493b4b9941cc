import { base64url } from "jose";
import { nodeCrypto } from "./builtin.ts";

const encoder = new TextEncoder();

/**
 * Returns the SHA-256 hash of a text in base64url. Use it only for values that are already random (codes, tokens,
 * generated secrets); passwords need the password hasher. The result is synchronous if the runtime has `node:crypto`:
 * on Node, `subtle.digest` costs 180 times as much.
 */
export function sha256(text: string): string | Promise<string> {
  if (nodeCrypto !== undefined) return nodeCrypto.hash("sha256", text, "base64url");
  return crypto.subtle.digest("SHA-256", encoder.encode(text)).then((bytes) => base64url.encode(new Uint8Array(bytes)));
}

/**
 * Whether two hashes, or two other texts whose lengths are public, are equal. The duration does not reveal where they
 * differ.
 */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/**
 * Returns the left half of a hash in base64url: `at_hash` and `c_hash` (OpenID Connect Core section 3.1.3.6).
 * @param bits those of the hash function of the signature: 512 for Ed25519, otherwise 256.
 */
export async function leftHash(text: string, bits: 256 | 512): Promise<string> {
  const hashed = new Uint8Array(await crypto.subtle.digest(`SHA-${bits}`, encoder.encode(text)));
  return base64url.encode(hashed.subarray(0, bits / 16));
}

/**
 * Derives `length` bytes from a secret of at least 256 bits with HKDF-SHA-256 (RFC 5869). `info` names the purpose.
 * Synchronous if the runtime has `node:crypto`: a hop to the thread pool costs several times as much.
 */
export function hkdf(
  secret: string,
  salt: string | Uint8Array<ArrayBuffer>,
  info: string,
  length: number,
): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  if (nodeCrypto !== undefined) return new Uint8Array(nodeCrypto.hkdfSync("sha256", secret, salt, info, length));
  return deriveWithSubtle(secret, typeof salt === "string" ? encoder.encode(salt) : salt, info, length);
}

async function deriveWithSubtle(
  secret: string,
  salt: Uint8Array<ArrayBuffer>,
  info: string,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt, info: encoder.encode(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, length * 8));
}
