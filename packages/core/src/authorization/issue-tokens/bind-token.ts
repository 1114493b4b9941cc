import { PosternError } from "../../errors.ts";
import { demandsOn } from "../../model/clients/client-demands.ts";
import { isPublic } from "../../model/clients/refresh-token-settings.ts";
import { isSystemApi } from "../../tenants/audience.ts";
import type { KeyBinding } from "../../tokens/proofs/dpop-proof.ts";
import type { ClientAccess, UserAccess } from "./granted-access.ts";

type Access = Pick<ClientAccess | UserAccess, "client" | "api" | "provenKey" | "isExchangeOfBound">;

/**
 * Decides which key an access token is bound to, as Auth0 does: a token is bound if the client sent a proof and the API
 * accepts bound tokens. An API of the tenant accepts them if `proof_of_possession` is set; the APIs of the service do. The proof
 * for another API has no effect, unless the client requires it.
 * @returns undefined if anyone who has the token can use it.
 * @throws {PosternError} `invalid_request` if the client or the API requires a bound token, and it cannot be bound.
 */
export function keyOfAccessToken({ client, api, provenKey, isExchangeOfBound }: Access): KeyBinding | undefined {
  const { required = false, required_for: requiredFor = "all_clients" } = api?.settings.proof_of_possession ?? {};
  const isRequiredByApi = required && (requiredFor === "all_clients" || isPublic(client.record.token_endpoint_auth_method));
  const { boundTokens } = demandsOn(client);
  const isRequired = isRequiredByApi || boundTokens !== "no";
  if (provenKey === undefined) {
    if (isRequired || isExchangeOfBound) throw new PosternError("invalid_request", "a DPoP proof is required");
    return undefined;
  }
  const isAccepted = api === undefined || isSystemApi(api.record) || (api.settings.proof_of_possession ?? null) !== null;
  if (isAccepted || isExchangeOfBound || boundTokens === "always") return provenKey;
  if (isRequired) throw new PosternError("invalid_request", "the client requires tokens that are bound to a key, and the API accepts none");
  return undefined;
}
