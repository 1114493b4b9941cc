import { areFactorsFrozen, frozenFactors } from "../../identity/factors/frozen-factors.ts";
import { isProtected, listsProtection } from "../../identity/factors/protected-account.ts";
import { showsRecentFactor, type TokenAuthentication } from "../../identity/factors/recent-factor.ts";
import type { LinkPermission } from "../../identity/users/link-users.ts";
import { auditUser } from "../../logs/audit.ts";
import { PosternError } from "../../errors.ts";
import { multifactorAcr } from "../../model/factors/acr.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import type { Row } from "../../store/schema.ts";
import { insufficientAuthentication } from "../../tenants/callers/bearer-token.ts";
import type { ManagementContext } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** A token of the user whose account is linked. */
interface AccountToken {
  readonly sessionId?: string;
  readonly authentication?: TokenAuthentication;
}

/** The permission of a caller who may update every user, and need not pass the factors of the accounts. */
export const administratorLink: LinkPermission = { primary: async () => undefined, secondary: async () => undefined };

/**
 * Returns the permission of users who link an account to their own one, or unlink it. The access token must show a recent
 * factor of the user, and `link_with` one of the other account, if they have one.
 * @param linkWith the ID token of the other account.
 */
export function ownLink({ tenant, caller }: ManagementContext, linkWith: AccountToken | undefined): LinkPermission {
  return {
    primary: (user) =>
      requireRecentFactor(tenant, user, caller, (text) => insufficientAuthentication(text, `acr_values="${multifactorAcr}"`)),
    secondary: (account) =>
      requireRecentFactor(tenant, account, linkWith, (text) => new PosternError("forbidden", `body: 'link_with': ${text}`)),
  };
}

/**
 * Requires that a token shows a recent factor of its user, if the user has one.
 * @param refusal creates the error for a token that shows none.
 * @throws {PosternError} the error of `refusal`; `access_denied` if the user's factors are frozen: a link adds factors.
 */
async function requireRecentFactor(
  tenant: RequestTenant,
  user: Row<"users">,
  { sessionId, authentication }: AccountToken = {},
  refusal: (text: string) => PosternError,
): Promise<void> {
  if (areFactorsFrozen(tenant, user)) throw frozenFactors();
  if (!(await isProtected(tenant.data, user))) return;
  const settings = multifactorSettings(tenant.record);
  const token = sessionId !== undefined && authentication !== undefined && { sessionId, authentication };
  if (token !== false && (await showsRecentFactor(tenant, settings, token))) return;
  throw refusal("the account has a second factor, so the token must come from a sign-in with one within the last 15 minutes");
}

/** Reports that accounts with factors were linked by a caller who need not pass them. */
export async function reportUnconfirmedLink(
  { tenant, caller }: ManagementContext,
  primary: Row<"users">,
  account: Row<"users">,
): Promise<void> {
  const unconfirmed = [primary, account].filter(listsProtection).map(({ user_id: id }) => id);
  if (unconfirmed.length === 0) return;
  await tenant.audit({
    type: "w",
    description: "Accounts were linked without their second factors, because the caller may update every user.",
    details: { linked_account: account.user_id, unconfirmed_accounts: unconfirmed },
    client: { client_id: caller.clientId, name: caller.clientName },
    ...auditUser(primary),
  });
}
