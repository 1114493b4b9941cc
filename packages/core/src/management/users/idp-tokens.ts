import { tokensOf } from "../../identity/providers/upstream-tokens.ts";
import type { ReadTokens } from "../../identity/users/present-users.ts";
import type { Caller } from "../../tenants/callers/caller.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/**
 * Returns a function that reads the tokens of identity providers, or undefined if the caller does not have the scope
 * `read:user_idp_tokens`. The tokens are returned as stored and are not refreshed.
 */
export function idpTokens(tenant: RequestTenant, { scopes }: Pick<Caller, "scopes">): ReadTokens | undefined {
  if (!scopes.has("read:user_idp_tokens")) return undefined;
  return async (accountIds) => {
    const tokens = await tokensOf(tenant, accountIds);
    const shown = [...tokens].map(
      ([id, { access, refresh }]) => [id, { access_token: access, ...(refresh !== undefined && { refresh_token: refresh }) }] as const,
    );
    return new Map(shown);
  };
}
