import type { Row } from "../../store/schema.ts";
import { codeTargets } from "../../identity/factors/factor-code.ts";
import { decideFactor, type FactorDecision, type FactorDemand, type FactorSituation } from "../../identity/factors/factor-policy.ts";
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
import { reportPolicy } from "./report-policy.ts";

/** The input for a decision about the factors of a user. */
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

/** A decision about the factors of a user. `factors`: the user's confirmed factors, if the user must pass one. */
export interface FactorCheckResult {
  readonly decision: FactorDecision;
  readonly factors: readonly Factor[];
}

/**
 * Decides whether a user must pass a factor. Sends no query if the sign-in is sufficient without one. Otherwise it may
 * read the trusted browser, the user's factors and the tenant's domains.
 */
export async function checkFactors(check: FactorCheck): Promise<FactorCheckResult> {
  const presumed = presumedSituation(check);
  const atOnce = decideFactor(presumed);
  // The user's row can list a type that no factor has. An Action that requires a new factor of this type is not satisfied.
  const isCertain = presumed.enrolled.length === 0 || presumed.demands.every(({ action }) => action !== "enroll");
  if (atOnce.kind === "sufficient" && isCertain) {
    await reportPolicy(check.tenant, atOnce);
    return { decision: atOnce, factors: [] };
  }
  const { situation, factors } = await readSituation(check);
  const decision = decideFactor(situation);
  await reportPolicy(check.tenant, decision);
  return { decision, factors };
}

/** Returns the situation according to the user's row. The browser is not trusted. */
function presumedSituation(check: FactorCheck): FactorSituation {
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

/** The error description if the user can neither use nor add a factor that the tenant or an Action requires. */
export const noRequiredFactor = "the user has no factor that the login requires";

/** The error description if the server cannot use any of the factors of a user, who must pass one. */
export const noUsableFactor = "none of the user's factors can be used now";

/**
 * Whether a factor counts as an enrollment in Auth0's sense. A passkey is another way to sign in, and a recovery code a
 * substitute.
 */
export function isSecondFactor(type: string): boolean {
  return type !== "passkey" && type !== "recovery-code";
}

/** Returns the primary account of an account. */
export async function primaryOf({ data }: RequestTenant, account: Row<"users">): Promise<Row<"users">> {
  if (account.linked_to === "") return account;
  const [primary] = await data.users.find({ where: { user_id: account.linked_to }, limit: 1 });
  return primary ?? account;
}
