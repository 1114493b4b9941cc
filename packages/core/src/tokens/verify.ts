import type { ServiceContext } from "../context.ts";
import { decodeJwt, decodeProtectedHeader, jwtVerify, type JWTPayload } from "jose";
import { createElapsed } from "../adapters/clock.ts";
import { boundedMap } from "../store/bounded-map.ts";
import { estimateBytes } from "../store/estimate-bytes.ts";
import { PosternError } from "../errors.ts";
import { isPublished, type KeyStore, type StoredSigningKey } from "./keys/signing-keys.ts";

/** The content of a token before verification. Use it only to find the keys that verify the token. */
interface TokenHint {
  readonly kid: string;
  readonly payload: JWTPayload;
}

/**
 * The maximum length of a token in characters. Servers and proxies reject longer `Authorization` headers: Node.js above
 * 16 KiB, others above 8 KiB.
 */
export const maxTokenLength = 16 * 1024;

/**
 * The maximum length in characters of a cached token. Longer tokens are verified each time. A Management API token with
 * every scope must be shorter: clients that manage a tenant send it with each request.
 */
const maxCachedTokenLength = 8 * 1024;

/** Limits of the cache of verified tokens. */
interface TokenCacheLimits {
  /** The maximum number of cached tokens. */
  readonly entries: number;
  /** The maximum size of the cached tokens, in bytes. */
  readonly bytes: number;
}

/** The limits of a process. */
export const tokenCacheLimits: TokenCacheLimits = { entries: 5000, bytes: 32 * 1024 * 1024 };

/** How long a verified signature is cached, in milliseconds. */
const cacheLifetime = 10 * 60_000;

/** Verifies tokens that this service issued. */
export interface TokenVerifier {
  /** The estimated size of the cached tokens, in bytes. */
  readonly cachedBytes: number;
  /**
   * Reads a token without verifying it. @returns undefined for text that is not a JWT or is longer than {@link
   * maxTokenLength}.
   */
  peek(token: string): TokenHint | undefined;
  /**
   * Verifies the signature, the algorithm and the lifetime. The caller must check the issuer, the audience and the
   * tenant.
   * @param keys the keys that may sign the token: the keys of its tenant, and the keys that are shared with the tenant.
   * @throws {PosternError} `invalid_token`.
   */
  verify(token: string, keys: readonly StoredSigningKey[]): Promise<JWTPayload>;
}

interface Verified {
  readonly token: string;
  readonly kid: string;
  readonly payload: JWTPayload;
}

/**
 * Creates a {@link TokenVerifier}. It caches the claims of verified tokens of at most 8 kB for ten minutes. If the limits
 * are reached, it removes the least recently used tokens. The key and the lifetime of a token are checked each time.
 * @param limits default {@link tokenCacheLimits}.
 */
export function createTokenVerifier(context: ServiceContext, store: KeyStore, limits = tokenCacheLimits): TokenVerifier {
  // The key is the signature, because a map hashes its keys, and a token with many scopes is ten times as long.
  const verified = boundedMap<Verified>({
    ...limits,
    expiry: { lifetime: cacheLifetime, elapsed: createElapsed(context.host.clock) },
  });
  // Other text can end with the same signature, so the whole token is compared.
  const find = (token: string): Verified | undefined => {
    const known = verified.get(signatureOf(token));
    return known?.token === token ? known : undefined;
  };

  return {
    get cachedBytes() {
      return verified.bytes;
    },
    peek(token) {
      if (token.length > maxTokenLength) return undefined;
      const known = find(token);
      if (known !== undefined) return known;
      try {
        const { kid } = decodeProtectedHeader(token);
        return kid === undefined ? undefined : { kid, payload: decodeJwt(token) };
      } catch {
        return undefined;
      }
    },
    async verify(token, keys) {
      if (token.length > maxTokenLength) throw new PosternError("invalid_token", `the token is longer than ${maxTokenLength} characters`);
      const now = context.now();
      const known = find(token);
      const kid = known?.kid ?? kidOf(token);
      const key = keys.find((candidate) => candidate.kid === kid);
      if (key === undefined || !isPublished(key, now)) throw new PosternError("invalid_token", "the token is not signed with a key in use");
      const payload = known?.payload ?? (await checkSignature(token, key, store, now));
      if (payload.exp === undefined || payload.exp * 1000 <= now) {
        verified.delete(signatureOf(token));
        throw new PosternError("invalid_token", "the token has expired");
      }
      if (known === undefined && token.length <= maxCachedTokenLength) {
        // The size of the claims counts twice, because the access token that is parsed from them is cached with them.
        verified.set(signatureOf(token), { token, kid: key.kid, payload }, token.length * 2 + estimateBytes(payload) * 2);
      }
      return payload;
    },
  };
}

/** Returns the last part of a JWT. */
function signatureOf(token: string): string {
  return token.slice(token.lastIndexOf(".") + 1);
}

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

async function checkSignature(token: string, key: StoredSigningKey, store: KeyStore, now: number): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, await store.publicKey(key), { algorithms: [key.alg], currentDate: new Date(now) });
    return payload;
  } catch (cause) {
    throw new PosternError("invalid_token", "the token is not valid", { cause });
  }
}
