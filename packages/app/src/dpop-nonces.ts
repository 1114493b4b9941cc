import { base64url } from "jose";

const minute = 60_000;

/** Nonces for DPoP proofs (RFC 9449 section 9). They are derived from a secret and the minute, and not stored. */
export interface DpopNonces {
  /** Returns the nonce of this minute. */
  current(): Promise<string>;
  /** Whether a nonce is one of the last two minutes. */
  isRecent(nonce: string): Promise<boolean>;
}

/** @param secret that of all processes of the API; undefined for a random one of this process. */
export function createDpopNonces(secret: string | undefined, now: () => number): DpopNonces {
  const bytes = secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : new TextEncoder().encode(secret);
  const key = crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const nonceOf = async (index: number): Promise<string> =>
    base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", await key, new TextEncoder().encode(`dpop nonce ${index}`))));
  const index = (): number => Math.floor(now() / minute);
  return {
    current: () => nonceOf(index()),
    async isRecent(nonce) {
      const accepted = await Promise.all([0, -1, -2, 1].map((ahead) => nonceOf(index() + ahead)));
      return accepted.includes(nonce);
    },
  };
}
