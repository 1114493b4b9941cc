import { toFactorGuess } from "../../../identity/factors/factor-guess.ts";
import { confirmOwnFactor } from "../../../identity/factors/confirm-own-factor.ts";
import { hasIndependentFactor } from "../../../identity/factors/factor-policy.ts";
import { findFactor, type Factor } from "../../../identity/factors/factors.ts";
import { firstRecoveryCodeIn, recoveryCodeId } from "../../../identity/factors/recovery-code.ts";
import { verifyFactor } from "../../../identity/factors/verify-factor.ts";
import { factorTypeSchema, type FactorType } from "../../../model/factors/factor-types.ts";
import { multifactorSettings } from "../../../model/factors/multifactor.ts";
import type { Interaction } from "../../interaction.ts";
import type { MissingFactor } from "../../missing-factor.ts";
import type { LoginProgress } from "../../progress.ts";
import { withNewestProgress } from "../../login-session.ts";
import { passFactor, repeatPass } from "../../pass-factor.ts";
import type { ActionResult } from "../../step.ts";
import { loginOf } from "../code/request.ts";
import { newFactorTarget } from "./new-factor.ts";

/** The first code of a new factor. */
interface Confirmation {
  readonly factor: Factor;
  readonly code: string;
  /** A fingerprint of the submitted form, see `formOf`. */
  readonly form: string | undefined;
}

/**
 * Confirms the factor that the user adds, with its first code. The factor also counts as passed. With the first factor,
 * the user gets a recovery code, if the tenant enables it.
 */
export async function confirmNewFactor(interaction: Interaction, { factor, code, form }: Confirmation): Promise<ActionResult> {
  const { tenant, client, missingFactor: missing } = interaction;
  if (missing === undefined) return {};
  const { user } = missing;
  const type = factorTypeSchema.parse(factor.type);
  const place = { purpose: "add-factor", clientId: client.record.client_id, loginId: loginOf(interaction).id } as const;
  const guess = toFactorGuess({ type, candidates: [factor], target: newFactorTarget(factor) }, place);
  if (guess === undefined) return {};
  const owner = { user, client };
  const verdict = await verifyFactor(tenant, {
    ...owner,
    code,
    factor: guess,
    isNew: true,
    form,
    // Another submission of the form may have used the code since the progress was read.
    findRepeated: async () => repeatPass(await withNewestProgress(interaction), form),
  });
  if (verdict.kind === "repeated") return verdict.result;
  if (verdict.kind === "throttled") return { problem: "too-many-attempts" };
  if (verdict.kind === "wrong") return { problem: "wrong-code" };
  const recovery = await firstRecoveryCode(interaction, missing);
  const onlyIfFirst = !hasIndependentFactor(missing.factors.map((one) => one.type));
  const outcome = await confirmOwnFactor(tenant, owner, factor, { onlyIfFirst, codeHash: recovery?.hash });
  if (outcome === "already-enrolled") return otherFactorAdded;
  if (outcome === "unavailable") return { change: withoutNewFactor };
  return completeEnrollment(interaction, missing, { type, form, recoveryCode: recovery?.code });
}

/** The result if the user has another factor, which was added since the page was shown. They must pass it. */
export const otherFactorAdded: ActionResult = {
  problem: "already-enrolled",
  change: ({ factor_choice: _, ...progress }) => withoutNewFactor(progress),
};

function withoutNewFactor({ new_factor: _, ...progress }: LoginProgress): LoginProgress {
  return progress;
}

/** A factor that was just confirmed. */
interface ConfirmedFactor {
  readonly type: FactorType;
  /** A fingerprint of the submitted form, see `formOf`. */
  readonly form: string | undefined;
  /** The first recovery code, which must be shown to the user. */
  readonly recoveryCode: string | undefined;
}

/** Counts a factor that was just confirmed as passed. */
export function completeEnrollment(
  interaction: Interaction,
  missing: MissingFactor,
  { type, form, recoveryCode }: ConfirmedFactor,
): Promise<ActionResult> {
  const { user } = missing;
  // The user was read before the factor was confirmed. A pending link must see that the user has one.
  const enrolled = { ...user, enrolled_factors: [...new Set([...(user.enrolled_factors ?? []), type])] };
  return passFactor(interaction, { ...missing, user: enrolled }, { type, recoveryCode, form });
}

/** A recovery code, and its hash, which is stored with the new factor. */
interface FirstRecoveryCode {
  readonly code: string;
  readonly hash: string;
}

/**
 * Returns the first recovery code of a user who adds a factor. It becomes valid when the factor is confirmed, and derives
 * from the login session: after a crash, the user continues and sees it (`unseenRecoveryCode`).
 * @returns undefined if the user has a recovery code already, or the tenant does not enable them.
 */
export async function firstRecoveryCode(
  interaction: Interaction,
  { user, factors }: MissingFactor,
): Promise<FirstRecoveryCode | undefined> {
  const { tenant } = interaction;
  if (!multifactorSettings(tenant.record).factors["recovery-code"]) return undefined;
  const stored =
    factors.find(({ type }) => type === "recovery-code") ??
    (await findFactor(tenant.data, user.user_id, await recoveryCodeId(user.user_id)));
  if (stored !== undefined && stored.confirmed_at !== null) return undefined;
  return firstRecoveryCodeIn(tenant, user, loginOf(interaction).id);
}
