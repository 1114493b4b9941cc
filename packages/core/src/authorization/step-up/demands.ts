import { readConfirmedFactors } from "../../identity/factors/confirmed-factors.ts";
import { confirmationDemand, type FactorDemand } from "../../identity/factors/factor-policy.ts";
import type { FirstFactor } from "../../identity/factors/factor-uses.ts";
import { isClaimedBy } from "../../identity/users/claimed-account.ts";
import type { Row } from "../../store/schema.ts";
import { demandsOfAudience } from "../../tenants/audience.ts";
import type { CachedApi } from "../../tenants/settings-cache.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { Demanded } from "../actions/redirected.ts";

/** The parts of a login's progress that can require factors. */
export interface DemandingProgress {
  /** The profile at an identity provider that waits to be linked. `agreed`: the user wants the link. */
  readonly pending_link?: { readonly agreed?: true };
  /** The factors that the host's actions require. */
  readonly demanded?: Demanded;
}

/** Returns the factors that a login requires in addition to the tenant's policy and the client's request. */
export async function demandsOfLogin(
  tenant: RequestTenant,
  user: Row<"users">,
  { pending_link: link, demanded }: DemandingProgress = {},
): Promise<readonly FactorDemand[]> {
  // A linked account is another way into the user's account. A user with factors confirms it with one of them.
  const isLinking = link?.agreed === true && (await readConfirmedFactors(tenant, user)).length > 0;
  const linking: readonly FactorDemand[] = isLinking ? [confirmationDemand] : [];
  return [...linking, ...(demanded?.user_id === user.user_id ? demanded.demands : [])];
}

/**
 * The demand of a code that was sent to an unproven address of an account with a factor: the mailbox or the phone alone is
 * not sufficient, see `needsFactorToClaim`.
 */
export const claimDemand: FactorDemand = { ...confirmationDemand, action: "challenge" };

/** Whether a sign-in by a code claims an address that is unproven because the user must pass a factor first. */
export function claimsAddress(account: Row<"users">, { method, channels = [] }: Pick<FirstFactor, "method" | "channels">): boolean {
  return method === "otp" && isClaimedBy(channels, account);
}

/** Returns the factors that a request for tokens of an API requires. */
export function demandsAt(api: CachedApi | undefined): readonly FactorDemand[] {
  return demandsOfAudience(api?.record.identifier ?? null);
}
