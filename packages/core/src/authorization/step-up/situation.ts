import type { Row } from "../../store/schema.ts";
import { codeTargets } from "../../identity/factors/factor-code.ts";
import type { FactorDemand, FactorSituation } from "../../identity/factors/factor-policy.ts";
import { passkeysEnabled } from "../../identity/connections/passkey-settings.ts";
import { factorTypesOf, readConfirmedFactors } from "../../identity/factors/confirmed-factors.ts";
import type { FirstFactor, PassedFactor } from "../../identity/factors/factor-uses.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import { areFactorsFrozen } from "../../identity/factors/frozen-factors.ts";
import { sendableFactors } from "../../identity/factors/policy-problem.ts";
import { isBrowserTrusted, type TrustLifetimes } from "../../identity/factors/trusted-browser.ts";
import { webauthnTypes } from "../../identity/webauthn/credential.ts";
import { factorTypeSchema } from "../../model/factors/factor-types.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import type { Acr } from "../../model/factors/acr.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** A user, and the circumstances of a sign-in or a session that decide about their factors. */
export interface FactorCheck {
  readonly tenant: RequestTenant;
  /** The primary account. */
  readonly user: Row<"users">;
  readonly first: FirstFactor;
  readonly passed?: readonly PassedFactor[];
  /** The part of `passed` that the user passed in this login. Default: all. */
  readonly passedNow?: readonly PassedFactor[];
  /** The text of the cookie of trusted browsers. */
  readonly trustedBrowser: string | undefined;
  /** The id of the connection of the sign-in, if the user can add a passkey for it. */
  readonly connectionId?: string | undefined;
  readonly acrs?: readonly Acr[] | undefined;
  readonly isAcrVoluntary?: boolean | undefined;
  readonly demands?: readonly FactorDemand[];
}

/** Returns the situation according to the user's row. The browser is not trusted. */
export function presumedSituation(check: FactorCheck): FactorSituation {
  const { tenant, user, first, passed = [], passedNow = passed, acrs = [], isAcrVoluntary = false, demands = [] } = check;
  return {
    settings: multifactorSettings(tenant.record),
    enrolled: factorTypeSchema.array().parse(user.enrolled_factors ?? []),
    hasMailbox: user.email !== "" && user.email_verified,
    first,
    passed,
    passedNow,
    isBrowserTrusted: false,
    acrs,
    isAcrVoluntary,
    demands,
    // Fewer factors never make a sufficient sign-in insufficient, so the host and the connection are only checked if a
    // factor is missing.
    available: [...sendableFactors(tenant.host), ...webauthnTypes],
    hasPasskeys: true,
    usedChannels: [],
    now: tenant.now(),
    isFrozen: areFactorsFrozen(tenant, user),
  };
}

/** Reads everything that decides about the factors of a user. `factors`: the user's confirmed factors. */
export async function readSituation(
  check: FactorCheck,
): Promise<{ readonly situation: FactorSituation; readonly factors: readonly Factor[] }> {
  const { tenant, user, first, trustedBrowser, connectionId } = check;
  const presumed = presumedSituation(check);
  const lifetimes = trustLifetimesOf(tenant);
  const [isTrusted, relyingParty, connection] = await Promise.all([
    trustedBrowser !== undefined && lifetimes !== undefined && isBrowserTrusted(tenant, user.user_id, trustedBrowser, lifetimes),
    tenant.relyingParty(),
    connectionId === undefined ? undefined : tenant.connections.byId(connectionId),
  ]);
  const factors = await readConfirmedFactors(tenant, user);
  // A passkey that was the first factor is no second one.
  const enrolled = factorTypesOf(factors).filter((type) => type !== "passkey" || first.method !== "passkey");
  // An enrolled key stays required on a host without WebAuthn. Otherwise a password would be sufficient there to add
  // another factor.
  const keys = webauthnTypes.filter((type) => relyingParty !== undefined || enrolled.includes(type));
  const available = [...sendableFactors(tenant.host), ...keys];
  const usedChannels = (["phone", "email"] as const).filter((type) =>
    enrolled.includes(type) || type === "email" ? codeTargets({ user, factors, first }, type).length === 0 : false,
  );
  const hasPasskeys = connection !== undefined && passkeysEnabled(connection);
  return { situation: { ...presumed, enrolled, isBrowserTrusted: isTrusted, available, usedChannels, hasPasskeys }, factors };
}

/** Returns how long the tenant's users may trust a browser. Undefined if the tenant does not allow it. */
export function trustLifetimesOf({ record }: RequestTenant): TrustLifetimes | undefined {
  const { remember, trustEndedAt: endedAt } = multifactorSettings(record);
  if (!remember.display_remember_me_checkbox) return undefined;
  return { overall: remember.mfa_session_overall_timeout * 1000, idle: remember.mfa_session_inactivity_timeout * 1000, endedAt };
}

/**
 * Whether a factor counts as an enrollment in Auth0's sense. A passkey is another way to sign in, and a recovery code a
 * substitute.
 */
export function isSecondFactor(type: string): boolean {
  return type !== "passkey" && type !== "recovery-code";
}
