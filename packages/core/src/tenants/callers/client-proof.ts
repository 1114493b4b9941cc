import type { RegisteredClient } from "../../model/clients/client.ts";
import { demandsOn } from "../../model/clients/client-demands.ts";
import { acceptProof, type KeyBinding } from "../../tokens/proofs/dpop-proof.ts";
import type { RequestTenant } from "../tenant.ts";

/**
 * Reads the DPoP proof of a client at an endpoint of the authorization server (RFC 9449 section 5).
 * @param path the path of the request below the issuer. It starts with a slash.
 * @param offerNonce receives the nonce for the client's next proof.
 * @returns undefined if the request contains no proof.
 * @throws {PosternError} `invalid_dpop_proof` or `use_dpop_nonce`.
 */
export async function readClientProof(
  tenant: RequestTenant,
  client: RegisteredClient,
  { method, headers }: Request,
  path: string,
  offerNonce: (nonce: string) => void,
): Promise<KeyBinding | undefined> {
  const proof = headers.get("dpop");
  if (proof === null) return undefined;
  const demands = demandsOn(client);
  const { jkt, nextNonce } = await acceptProof(tenant, proof, {
    method,
    url: tenant.urls.issuer + path.slice(1),
    requiresNonce: demands.nonce,
    algorithms: demands.proofAlgorithms,
  });
  if (nextNonce !== undefined) offerNonce(nextNonce);
  return { jkt };
}
