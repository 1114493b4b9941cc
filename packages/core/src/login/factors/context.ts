import type { FactorOwner } from "../../identity/factors/factor-events.ts";
import type { FirstFactor } from "../../identity/factors/factor-uses.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/**
 * Where a user passes or adds a second factor: in a login, on the page of a mailed link, on the account page or with the
 * MFA API. Each of them creates its context; everything in this folder works in all of them.
 */
export interface FactorContext extends FactorOwner {
  readonly tenant: RequestTenant;
  /**
   * The id of the login session, session or `mfa_token`, or the hash of the ticket. Codes and WebAuthn challenges are valid
   * only there.
   */
  readonly boundTo: string;
  readonly first: FirstFactor;
  /** The user's confirmed factors. */
  readonly factors: readonly Factor[];
  /** The languages that the client prefers for messages, as in the parameter `ui_locales`. */
  readonly uiLocales?: string | undefined;
}
