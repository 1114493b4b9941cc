import { scopesOfClaims } from "../domain/tokens/id-token.ts";
import { needsConsent } from "./consent.ts";
import type { DecideScopes } from "../login/flow.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import { personScopes, requestedApi } from "./person-scopes.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** What a request would give its client of a person, with the words that a consent page needs. */
export function scopesFor(tenant: Tenant, client: Client, request: AuthorizationRequest): DecideScopes {
  return async ({ user }, organizationId) => {
    const api = await requestedApi(tenant, request.audience);
    const asks = needsConsent(client, api);
    const who = { userId: user.user_id, organizationId };
    const { scope } = await personScopes(tenant, client, who, requestedScopes(request, asks), api);
    const described = (api?.settings.scopes ?? []).flatMap(({ value, description }) =>
      description === undefined ? [] : [[value, description]],
    );
    return {
      userId: user.user_id,
      clientId: client.record.client_id,
      audience: api?.record.identifier ?? "",
      scope,
      needsConsent: asks,
      ...(api !== undefined && { audienceName: api.record.name }),
      descriptions: Object.fromEntries(described),
    };
  };
}

/** A refresh token comes for a code alone (OpenID Connect Core section 11). */
function requestedScopes({ scope, response_type: types, claims }: AuthorizationRequest, needsConsent: boolean): readonly string[] {
  const asked = types.includes("code") ? scope : scope.filter((value) => value !== "offline_access");
  // Whoever asks a person for consent asks by scopes: a claim must not come without its own.
  return !needsConsent ? asked : [...new Set([...asked, ...scopesOfClaims([...claims.userinfo, ...claims.idToken])])];
}
