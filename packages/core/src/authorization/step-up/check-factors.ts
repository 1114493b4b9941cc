import { decideFactor, type FactorDecision } from "../../identity/factors/factor-policy.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import { reportPolicy } from "./report-policy.ts";
import { presumedSituation, readSituation, type FactorCheck } from "./situation.ts";

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

/** The error description if the user can neither use nor add a factor that the tenant or an Action requires. */
export const noRequiredFactor = "the user has no factor that the login requires";

/** The error description if the server cannot use any of the factors of a user, who must pass one. */
export const noUsableFactor = "none of the user's factors can be used now";
