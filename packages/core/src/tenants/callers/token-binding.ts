import { isPosternError, PosternError } from "../../errors.ts";
import { demandsOn } from "../../model/clients/client-demands.ts";
import { proofAlgorithms } from "../../model/keys/proof-algorithms.ts";
import { acceptProof } from "../../tokens/proofs/dpop-proof.ts";
import type { RequestTenant } from "../tenant.ts";
import type { AccessToken } from "./access-token.ts";
import type { PresentedToken } from "./presented-token.ts";

/**
 * Requires that a token is presented as it was issued: a token that is bound to a key with the scheme `DPoP` and a proof
 * of that key, and any other token without (RFC 9449 section 7).
 * @throws {PosternError} with status 401: `invalid_token`, `invalid_dpop_proof`, or `use_dpop_nonce`.
 */
export async function checkBinding(tenant: RequestTenant, presented: PresentedToken, { jkt, clientId }: AccessToken): Promise<void> {
  const { text, isDpop, proof, method, path, offerNonce } = presented;
  if (jkt === undefined) {
    if (isDpop)
      throw unauthorized(new PosternError("invalid_token", "the access token is not bound to a key: send it with the scheme Bearer"));
    return;
  }
  if (!isDpop || proof === null)
    throw unauthorized(new PosternError("invalid_token", "the access token is bound to a key: send it with the scheme DPoP and a proof"));
  const client = await tenant.client(clientId);
  if (client === undefined) throw unauthorized(new PosternError("invalid_token", "the client of the access token was deleted"));
  const demands = demandsOn(client);
  const expected = {
    method,
    url: tenant.urls.issuer + path.slice(1),
    requiresNonce: demands.nonce,
    algorithms: demands.proofAlgorithms,
    token: { jkt, text },
  };
  const { nextNonce } = await acceptProof(tenant, proof, expected).catch((error: unknown) => {
    throw isPosternError(error) && error.status < 500 ? unauthorized(error) : error;
  });
  if (nextNonce !== undefined) offerNonce(nextNonce);
}

/** Returns the error with the status and the challenge of a protected resource (RFC 9449 section 7.1). */
function unauthorized({ code, message, headers, cause }: PosternError): PosternError {
  const challenge = `DPoP error="${code}", error_description="${message.replaceAll('"', "'")}", algs="${proofAlgorithms.join(" ")}"`;
  return new PosternError(code, message, { status: 401, headers: { ...headers, "www-authenticate": challenge }, cause });
}
