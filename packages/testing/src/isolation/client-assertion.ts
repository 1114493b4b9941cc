import type { ConnectedTenant } from "./tenant-access.ts";

let pair: Promise<CryptoKeyPair> | undefined;

/** Returns the key pair that all clients of a run share for `private_key_jwt`. */
function keyPair(): Promise<CryptoKeyPair> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" };
  return (pair ??= crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]));
}

/** Returns the public key of the run as PEM. */
export async function publicKeyPem(): Promise<string> {
  const exported = await crypto.subtle.exportKey("spki", (await keyPair()).publicKey);
  const lines = btoa(String.fromCharCode(...new Uint8Array(exported))).match(/.{1,64}/g) ?? [];
  return ["-----BEGIN PUBLIC KEY-----", ...lines, "-----END PUBLIC KEY-----", ""].join("\n");
}

/** Creates a client assertion (RFC 7523) that is signed with the key of the run. */
export async function createClientAssertion({ issuer }: ConnectedTenant, clientId: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: clientId, sub: clientId, aud: issuer, iat: now, exp: now + 60, jti: crypto.randomUUID() };
  const signingInput = [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => encode(new TextEncoder().encode(JSON.stringify(part))))
    .join(".");
  const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", (await keyPair()).privateKey, new TextEncoder().encode(signingInput));
  return `${signingInput}.${encode(new Uint8Array(signature))}`;
}

function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
