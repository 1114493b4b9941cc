import { base64url, calculateJwkThumbprint, compactVerify, decodeProtectedHeader, EmbeddedJWK } from "jose";
import { createDpopNonces } from "./dpop-nonces.ts";
import { memoryReplayStore, type ReplayStore } from "./replay-store.ts";

/** How an API accepts tokens that are bound to a key (DPoP, RFC 9449). */
export interface DpopOptions {
  /**
   * The origin under which clients reach the API, such as `https://api.example.com`. Proofs name it. Default: the origin of
   * `audience`, if that is a URL. The `Host` header is never used, because an attacker chooses it.
   */
  readonly origin?: string;
  /**
   * A secret of at least 32 characters that all processes of the API share, so that each accepts the nonces of the others.
   * Requires `replayStore`. Default: a random one, so that a proof is valid in one process only.
   */
  readonly secret?: string;
  /** Remembers accepted proofs. Default: the memory of this process. */
  readonly replayStore?: ReplayStore;
}

/** The parts of a request that a proof names, and the proof. */
export interface ProvenRequest {
  readonly method: string;
  /** The URL or the path of the request. Only its path is compared. */
  readonly url: string;
  /** The header `DPoP`. */
  readonly proof: string | null | undefined;
}

/** Why a proof is not accepted. */
export interface ProofProblem {
  readonly code: "invalid_dpop_proof" | "use_dpop_nonce";
  readonly message: string;
  /** The nonce for the next proof, for `use_dpop_nonce`. */
  readonly nonce?: string;
}

/** Checks the proofs of requests. */
export interface DpopCheck {
  /** @returns undefined if the proof is accepted. Each proof is accepted once. */
  problemOf(request: ProvenRequest, token: string, jkt: string): Promise<ProofProblem | undefined>;
}

/** The signature algorithms of proofs. */
export const apiProofAlgorithms = ["ES256", "ES384", "PS256", "RS256", "EdDSA", "Ed25519"];

const maximumAge = 5 * 60_000;
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/**
 * Creates a {@link DpopCheck}. Every proof must have a nonce: it limits how long a proof can be replayed after the memory of
 * accepted proofs was lost.
 * @throws {TypeError} if an option is invalid.
 */
export function createDpopCheck(audience: string, options: DpopOptions, now: () => number): DpopCheck {
  const { secret, replayStore = memoryReplayStore(now) } = options;
  if (secret !== undefined && secret.length < 32) throw new TypeError("createTokenCheck: 'dpop.secret' must have at least 32 characters");
  if (secret !== undefined && options.replayStore === undefined)
    throw new TypeError("createTokenCheck: 'dpop.secret' lets processes share nonces, so that they must share a 'dpop.replayStore', too");
  const origin = originOf(options.origin ?? audience);
  if (options.origin !== undefined && origin === undefined)
    throw new TypeError("createTokenCheck: 'dpop.origin' must be an http or https URL");
  const nonces = createDpopNonces(secret, now);
  const invalid = (message: string): ProofProblem => ({ code: "invalid_dpop_proof", message });

  return {
    async problemOf({ method, url, proof }, token, jkt) {
      if (origin === undefined) return invalid("this API has no URL: its operator must set 'dpop.origin'");
      if (proof === null || proof === undefined || proof.includes(",")) return invalid("the request must contain one DPoP header");
      const read = await readProof(proof);
      if (read === undefined) return invalid("the DPoP proof is not valid");
      const { claims } = read;
      if (!URL.canParse(url, origin)) return invalid("the URL of the request is not valid");
      const expected = new URL(url, origin);
      const htu = typeof claims["htu"] === "string" && URL.canParse(claims["htu"]) ? new URL(claims["htu"]) : undefined;
      if (claims["htm"] !== method) return invalid("'htm' must be the method of the request");
      if (htu === undefined || htu.origin !== origin || htu.pathname !== expected.pathname)
        return invalid(`'htu' must be ${origin}${expected.pathname}`);
      const { iat, jti, nonce } = claims;
      if (typeof iat !== "number" || Math.abs(now() - iat * 1000) > maximumAge) return invalid("'iat' must be at most five minutes old");
      if (typeof jti !== "string" || jti === "" || jti.length > 256) return invalid("'jti' must have 1 to 256 characters");
      if (typeof nonce !== "string" || !(await nonces.isRecent(nonce)))
        return {
          code: "use_dpop_nonce",
          message: "the DPoP proof must have the nonce of the header DPoP-Nonce",
          nonce: await nonces.current(),
        };
      if (claims["ath"] !== (await sha256(token))) return invalid("'ath' must be the SHA-256 hash of the access token");
      if (read.jkt !== jkt) return invalid("the access token is bound to another key");
      const isNew = await replayStore.use(await sha256(JSON.stringify([jkt, jti])), now() + 2 * maximumAge);
      return isNew ? undefined : invalid("the proof was used before");
    },
  };
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).origin : undefined;
}

interface ReadProof {
  readonly claims: { readonly [name: string]: unknown };
  readonly jkt: string;
}

/** Verifies the signature of a proof with the public key in its header. */
async function readProof(proof: string): Promise<ReadProof | undefined> {
  if (proof.length > 4096) return undefined;
  try {
    const { typ, jwk } = decodeProtectedHeader(proof);
    if (typ !== "dpop+jwt" || jwk === undefined || privateMembers.some((name) => name in jwk)) return undefined;
    const { payload } = await compactVerify(proof, EmbeddedJWK, { algorithms: apiProofAlgorithms });
    const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
    if (typeof claims !== "object" || claims === null) return undefined;
    return { claims: { ...claims }, jkt: await calculateJwkThumbprint(jwk) };
  } catch {
    return undefined;
  }
}

async function sha256(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
