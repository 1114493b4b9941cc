import { base64url } from "jose";
import { nodeCrypto } from "./builtin.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes of the nonce in front, and of the tag behind (NIST SP 800-38D). */
const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts a text with AES-256-GCM under a key of its own: base64url of nonce, ciphertext and tag. Synchronous where the runtime has it: on Node a hop to the
 * thread pool costs ten times as much. What is kept for longer than seconds is for the sealer, whose keys can be replaced.
 * @param key 32 bytes that encrypt a few texts at most.
 */
export function encryptText(key: Uint8Array<ArrayBuffer>, text: string): string | Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceLength));
  if (nodeCrypto === undefined) return encryptWithSubtle(key, nonce, text);
  const cipher = nodeCrypto.createCipheriv("aes-256-gcm", key, nonce);
  return joined(nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag());
}

/** Decrypts what {@link encryptText} made. @throws for another key, and for what was changed since. */
export function decryptText(key: Uint8Array<ArrayBuffer>, encrypted: string): string | Promise<string> {
  const bytes = new Uint8Array(base64url.decode(encrypted));
  const nonce = bytes.subarray(0, nonceLength);
  if (nodeCrypto === undefined) return decryptWithSubtle(key, nonce, bytes.subarray(nonceLength));
  const decipher = nodeCrypto.createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength });
  decipher.setAuthTag(bytes.subarray(-tagLength));
  return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, "utf8") + decipher.final("utf8");
}

async function encryptWithSubtle(key: Uint8Array<ArrayBuffer>, nonce: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const encrypted = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, await imported(key), encoder.encode(text));
  return joined(nonce, new Uint8Array(encrypted));
}

async function decryptWithSubtle(
  key: Uint8Array<ArrayBuffer>,
  nonce: Uint8Array<ArrayBuffer>,
  rest: Uint8Array<ArrayBuffer>,
): Promise<string> {
  return decoder.decode(await crypto.subtle.decrypt({ name: "AES-GCM", iv: nonce }, await imported(key), rest));
}

function imported(key: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function joined(...parts: readonly Uint8Array[]): string {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return base64url.encode(bytes);
}
