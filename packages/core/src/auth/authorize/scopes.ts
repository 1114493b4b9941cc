import type { DecideScopes } from "../../login/flow.ts";
import type { Client, Tenant } from "../../tenancy/tenant.ts";
import { personScopes, requestedApi } from "../grants/person-scopes.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** What a request would give its client of a person, with the words that a consent page needs. */
export function scopesFor(tenant: Tenant, client: Client, request: AuthorizationRequest): DecideScopes {
  return async ({ user }, organizationId) => {
    const api = await requestedApi(tenant, request.audience);
    const scope = await personScopes(tenant, client, { userId: user.user_id, organizationId }, request.scope, api);
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
