import { scopesOfClaims } from "../../domain/tokens/id-token.ts";
import type { DecideScopes } from "../../login/flow.ts";
import type { Client, Tenant } from "../../tenancy/tenant.ts";
import { personScopes, requestedApi } from "../grants/person-scopes.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** What a request would give its client of a person, with the words that a consent page needs. */
export function scopesFor(tenant: Tenant, client: Client, request: AuthorizationRequest): DecideScopes {
  return async ({ user }, organizationId) => {
    const api = await requestedApi(tenant, request.audience);
    const { scope } = await personScopes(tenant, client, { userId: user.user_id, organizationId }, requestedScopes(client, request), api);
    const described = (api?.settings.scopes ?? []).flatMap(({ value, description }) =>
      description === undefined ? [] : [[value, description]],
    );
    return {
      userId: user.user_id,
      clientId: client.record.client_id,
      audience: api?.record.identifier ?? "",
      scope,
      ...(api !== undefined && { audienceName: api.record.name }),
      descriptions: Object.fromEntries(described),
    };
  };
}

/** A refresh token comes for a code alone (OpenID Connect Core section 11). */
function requestedScopes({ record }: Client, { scope, response_type: types, claims }: AuthorizationRequest): readonly string[] {
  const asked = types.includes("code") ? scope : scope.filter((value) => value !== "offline_access");
  // Whoever asks a person for consent asks by scopes: a claim must not come without its own.
  return record.is_first_party ? asked : [...new Set([...asked, ...scopesOfClaims([...claims.userinfo, ...claims.idToken])])];
}
