import { base64url } from "jose";

/** Bytes that are not in shared memory, as Web Crypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export const utf8 = (text: string): Bytes => encoder.encode(text);

/** Encodes bytes as standard base64 without padding, as in PHC strings. */
export const toBase64 = (bytes: Uint8Array): string => base64url.encode(bytes).replaceAll("-", "+").replaceAll("_", "/");

/** Decodes standard base64, with or without padding; undefined for anything else, including non-canonical encodings. */
export function fromBase64(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const bare = text.replace(/=+$/, "");
  if (bare.length % 4 === 1) return undefined;
  const bytes = Uint8Array.from(atob(bare), (character) => character.charCodeAt(0));
  return toBase64(bytes) === bare ? bytes : undefined;
}

/** Decodes hexadecimal digits; undefined for anything else. */
export function fromHex(text: string): Bytes | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Compares two keys in a time that depends only on their lengths. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (const [i, byte] of a.entries()) difference |= byte ^ (b[i] ?? 0);
  return difference === 0;
}
