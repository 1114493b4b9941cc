import { findFactor } from "../../../identity/factors/factors.ts";
import { firstRecoveryCodeIn, getsRecoveryCode, recoveryCodeId, type HashedRecoveryCode } from "../../../identity/factors/recovery-code.ts";
import { multifactorSettings } from "../../../model/factors/multifactor.ts";
import type { EnrollmentContext, NewFactorResult } from "../../factors/confirm-new-factor.ts";
import type { FactorContext } from "../../factors/context.ts";
import type { Interaction } from "../../interaction.ts";
import type { MissingFactor } from "../../missing-factor.ts";
import { passFactor } from "../../pass-factor.ts";
import type { ActionResult } from "../../step.ts";
import { contextOf } from "../factor/chosen-factor.ts";
import { factorProgress } from "../factor/progress.ts";
import { addFactorProgress } from "./progress.ts";

/** Returns the context in which the user adds the factor that a login requires. */
export function enrollmentContext(interaction: Interaction, missing: MissingFactor): EnrollmentContext {
  const context = contextOf(interaction, missing);
  return { ...context, prepare: () => firstRecoveryCode(context) };
}

/** The result if the user has another factor, which was added since the page was shown. They must pass it. */
export const otherFactorAdded: ActionResult = {
  problem: "already-enrolled",
  leaves: [factorProgress, addFactorProgress],
};

/** Counts a factor that was just confirmed as passed. */
export function continueWithNewFactor(
  interaction: Interaction,
  missing: MissingFactor,
  result: NewFactorResult,
): Promise<ActionResult> | ActionResult {
  switch (result.kind) {
    case "rejected":
      return { problem: result.problem };
    case "already-enrolled":
      return otherFactorAdded;
    case "unavailable":
      return { leaves: [addFactorProgress] };
    case "confirmed": {
      const { type, recoveryCode } = result;
      const { user } = missing;
      // The user was read before the factor was confirmed. A pending link must see that the user has one.
      const enrolled = { ...user, enrolled_factors: [...new Set([...(user.enrolled_factors ?? []), type])] };
      return passFactor(interaction, { ...missing, user: enrolled }, { type, recoveryCode });
    }
  }
}

/**
 * Returns the first recovery code of a user who adds a factor. It derives from the login session: after a crash, the user
 * continues and sees it (`unseenRecoveryCode`). Undefined if the user has one, which a
 * parallel login may have added, or if the tenant does not enable them.
 */
async function firstRecoveryCode({ tenant, user, factors, boundTo }: FactorContext): Promise<HashedRecoveryCode | undefined> {
  if (!getsRecoveryCode(multifactorSettings(tenant.record), factors)) return undefined;
  const stored = await findFactor(tenant.data, user.user_id, await recoveryCodeId(user.user_id));
  return stored !== undefined && stored.confirmed_at !== null ? undefined : firstRecoveryCodeIn(tenant, user, boundTo);
}
