import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, EmbeddedJWK } from "jose";
import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import type { DataContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import { currentNonce, isRecentNonce } from "./dpop-nonces.ts";

/** The public key that a token is bound to: its JWK thumbprint (RFC 7638), the claim `cnf.jkt`. */
export interface KeyBinding {
  readonly jkt: string;
}

/** The values that a proof must contain. */
export interface ExpectedProof {
  readonly method: string;
  /** The URL of the request under the issuer that the client uses. */
  readonly url: string;
  /** Whether the proof must have a nonce of this service. */
  readonly requiresNonce: boolean;
  readonly algorithms: readonly string[];
  /** The access token that the request contains, and the thumbprint of the key that it is bound to. */
  readonly token?: KeyBinding & { readonly text: string };
}

/** A proof that was accepted. */
interface AcceptedProof extends KeyBinding {
  /** The nonce for the next proof, if it differs from that of this one. */
  readonly nextNonce: string | undefined;
}

/** Maximum characters of a proof, maximum difference of `iat` and maximum clock skew between processes, in milliseconds. */
const maximumLength = 4096;
const maximumAge = 5 * 60_000;
const clockSkew = 60_000;

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

const headerSchema = z.looseObject({
  typ: z.literal("dpop+jwt"),
  jwk: z.looseObject({ kty: z.string() }).refine((jwk) => !privateMembers.some((name) => name in jwk)),
});

/** Members that are not listed are ignored, also `exp` and `nbf` (RFC 9449 section 4.2). */
const claimsSchema = z.looseObject({
  htm: z.string(),
  htu: z.string().max(2048),
  iat: z.number(),
  jti: z.string().min(1).max(256),
  nonce: z.string().optional(),
  ath: z.string().optional(),
});

/**
 * Verifies a DPoP proof (RFC 9449 section 4.3), and stores it as used. One insert decides which of several parallel
 * requests may use it.
 * @param proof the value of the header `DPoP`.
 * @throws {PosternError} `invalid_dpop_proof`, or `use_dpop_nonce` with the nonce in a header.
 */
export async function acceptProof(context: DataContext, proof: string, expected: ExpectedProof): Promise<AcceptedProof> {
  if (proof.includes(",")) throw invalidProof("the request must contain one DPoP header");
  if (proof.length > maximumLength) throw invalidProof(`a proof must have at most ${maximumLength} characters`);
  const { claims, jkt } = await verifySignature(proof, expected.algorithms);
  if (claims.htm !== expected.method) throw invalidProof("'htm' must be the method of the request");
  if (!isSameUrl(claims.htu, expected.url)) throw invalidProof(`'htu' must be ${withoutQuery(new URL(expected.url))}`);
  if (Math.abs(context.now() - claims.iat * 1000) > maximumAge) throw invalidProof("'iat' must be at most five minutes old");
  const nextNonce = await checkNonce(context, claims.nonce, expected.requiresNonce);
  const { token } = expected;
  if (token !== undefined) {
    if (claims.ath !== (await sha256(token.text))) throw invalidProof("'ath' must be the SHA-256 hash of the access token");
    if (jkt !== token.jkt) throw invalidProof("the access token is bound to another key");
  }
  const used = {
    jti_hash: await sha256(JSON.stringify(["dpop", jkt, claims.jti])),
    expires_at: context.now() + 2 * maximumAge + clockSkew,
  };
  if (!(await context.data.used_assertions.insert([used]))) throw invalidProof("the proof was used before");
  return { jkt, nextNonce };
}

/** Verifies the signature with the key in the header, which must be public. RSA keys have at least 2048 bits. */
async function verifySignature(
  proof: string,
  algorithms: readonly string[],
): Promise<KeyBinding & { readonly claims: z.infer<typeof claimsSchema> }> {
  try {
    const header = decodeProtectedHeader(proof);
    headerSchema.parse(header);
    const { payload } = await compactVerify(proof, EmbeddedJWK, { algorithms: [...algorithms] });
    return {
      claims: claimsSchema.parse(JSON.parse(new TextDecoder().decode(payload))),
      jkt: await calculateJwkThumbprint(header.jwk ?? {}),
    };
  } catch (cause) {
    throw new PosternError("invalid_dpop_proof", "the DPoP proof is not valid", { cause });
  }
}

/** @returns the nonce for the next proof, if it differs from the one that was sent. */
async function checkNonce(context: DataContext, sent: string | undefined, isRequired: boolean): Promise<string | undefined> {
  const current = await currentNonce(context);
  if (sent === current) return undefined;
  const isMissing = sent === undefined ? isRequired : !(await isRecentNonce(context, sent));
  if (!isMissing) return current;
  throw new PosternError("use_dpop_nonce", "the DPoP proof must have the nonce of the header DPoP-Nonce", {
    headers: { "dpop-nonce": current },
  });
}

/** Compares URLs without query and fragment, as RFC 3986 section 6.2 normalizes them. */
function isSameUrl(htu: string, expected: string): boolean {
  return URL.canParse(htu) && withoutQuery(new URL(htu)) === withoutQuery(new URL(expected));
}

function withoutQuery({ origin, pathname }: URL): string {
  return origin + pathname;
}

function invalidProof(description: string): PosternError {
  return new PosternError("invalid_dpop_proof", description);
}
