import { base64url } from "jose";
import { nodeCrypto } from "./builtin.ts";

const encoder = new TextEncoder();

/**
 * SHA-256 of a text, in base64url. Synchronous where the runtime has it: on Node `subtle.digest` costs 180 times as much.
 * For values with enough randomness of their own (codes, tokens, generated secrets); passwords need the hasher.
 */
export function sha256(text: string): string | Promise<string> {
  if (nodeCrypto !== undefined) return nodeCrypto.hash("sha256", text, "base64url");
  return crypto.subtle.digest("SHA-256", encoder.encode(text)).then((bytes) => base64url.encode(new Uint8Array(bytes)));
}

/** Whether two hashes (or other texts of public length) are equal, in a time that tells nothing about where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/** The left half of a SHA-256 in base64url: `at_hash` and `c_hash` for RS256 and ES256 (OpenID Connect Core section 3.1.3.6). */
export async function leftHash(text: string): Promise<string> {
  return base64url.encode(base64url.decode(await sha256(text)).subarray(0, 16));
}

/**
 * 256 bits derived from a secret of at least as much randomness by HKDF-SHA-256 (RFC 5869); `info` says what for. Synchronous where the runtime has it: a
 * thread-pool hop costs several times as much.
 */
export function derivedKey(secret: string, info: string): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  if (nodeCrypto !== undefined) return new Uint8Array(nodeCrypto.hkdfSync("sha256", secret, "postern", info, 32));
  return deriveWithSubtle(secret, info);
}

async function deriveWithSubtle(secret: string, info: string): Promise<Uint8Array<ArrayBuffer>> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: encoder.encode("postern"), info: encoder.encode(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, material, 256));
}
