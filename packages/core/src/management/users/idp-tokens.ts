import { tokensOf } from "../../identity/providers/upstream-tokens.ts";
import type { ReadTokens } from "../../identity/users/present-users.ts";
import type { Caller } from "../../tenants/callers/caller.ts";
import type { Tenant } from "../../tenants/tenant.ts";

/**
 * Returns a function that reads the tokens of identity providers, for callers with `read:user_idp_tokens`; undefined
 * for others. The tokens are returned as stored, without a refresh.
 */
export function idpTokens(tenant: Tenant, { scopes }: Pick<Caller, "scopes">): ReadTokens | undefined {
  if (!scopes.has("read:user_idp_tokens")) return undefined;
  return async (accountIds) => {
    const tokens = await tokensOf(tenant, accountIds);
    const shown = [...tokens].map(
      ([id, { access, refresh }]) => [id, { access_token: access, ...(refresh !== undefined && { refresh_token: refresh }) }] as const,
    );
    return new Map(shown);
  };
}
