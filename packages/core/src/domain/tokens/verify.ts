import { decodeJwt, decodeProtectedHeader, jwtVerify, type JWTPayload } from "jose";
import { boundedMap } from "../../data/bounded-map.ts";
import { PosternError } from "../../errors.ts";
import type { Environment } from "../environment.ts";
import { isPublished, type KeyStore, type SigningKey } from "../keys/signing-keys.ts";

/** What an unverified token says: good for finding out whose keys to check it with, and for nothing else. */
export interface TokenHint {
  readonly kid: string;
  readonly payload: JWTPayload;
}

/** Checks tokens that this installation issued. */
export interface TokenVerifier {
  /** Reads a token without checking it. @returns undefined for what is not a JWT. */
  peek(token: string): TokenHint | undefined;
  /**
   * Checks signature, algorithm and lifetime. Issuer, audience and tenant are the caller's to check.
   * @param keys those that the token may be signed with: of its tenant, or shared with it.
   * @throws {PosternError} `invalid_token`.
   */
  verify(token: string, keys: readonly SigningKey[]): Promise<JWTPayload>;
}

interface Verified {
  readonly kid: string;
  readonly payload: JWTPayload;
}

/** Makes a {@link TokenVerifier}. The signatures of the 5,000 tokens seen last are remembered; key and lifetime are looked at each time. */
export function createTokenVerifier(environment: Pick<Environment, "clock">, store: KeyStore): TokenVerifier {
  const verified = boundedMap<Verified>(5000);

  return {
    peek(token) {
      const known = verified.get(token);
      if (known !== undefined) return known;
      try {
        const { kid } = decodeProtectedHeader(token);
        return kid === undefined ? undefined : { kid, payload: decodeJwt(token) };
      } catch {
        return undefined;
      }
    },
    async verify(token, keys) {
      const now = environment.clock.now();
      const known = verified.get(token);
      const kid = known?.kid ?? kidOf(token);
      const key = keys.find((candidate) => candidate.kid === kid);
      if (key === undefined || !isPublished(key, now)) throw new PosternError("invalid_token", "the token is not signed with a key in use");
      const payload = known?.payload ?? (await checkSignature(token, key, store, now));
      if (known === undefined) verified.set(token, { kid: key.kid, payload });
      if (payload.exp === undefined || payload.exp * 1000 <= now) throw new PosternError("invalid_token", "the token has expired");
      return payload;
    },
  };
}

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

async function checkSignature(token: string, key: SigningKey, store: KeyStore, now: number): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, await store.publicKey(key), { algorithms: [key.alg], currentDate: new Date(now) });
    return payload;
  } catch (cause) {
    throw new PosternError("invalid_token", "the token is not valid", { cause });
  }
}
