import type { Interaction } from "../../interaction.ts";
import type { ChosenFactor } from "../../../identity/factors/choose-factor.ts";
import { toFactorGuess } from "../../../identity/factors/factor-guess.ts";
import { verifyFactor } from "../../../identity/factors/verify-factor.ts";
import { withNewestProgress } from "../../login-session.ts";
import { passFactor, repeatPass } from "../../pass-factor.ts";
import type { ActionResult } from "../../step.ts";
import { loginOf } from "../code/request.ts";

/** A submitted code of a factor. */
interface SubmittedCode {
  readonly code: string;
  readonly trustsBrowser: boolean;
  /** A fingerprint of the submitted form, see `formOf`. */
  readonly form: string | undefined;
}

/** Verifies the code of an enrolled factor, and continues the sign-in if it is right. */
export async function submitFactorCode(
  interaction: Interaction,
  chosen: ChosenFactor,
  { code, trustsBrowser, form }: SubmittedCode,
): Promise<ActionResult> {
  const { tenant, client, missingFactor: missing } = interaction;
  const { type, user } = chosen;
  const place = { purpose: "factor", clientId: client.record.client_id, loginId: loginOf(interaction).id } as const;
  const factor = toFactorGuess(chosen, place);
  if (missing === undefined || factor === undefined) return { problem: "wrong-code" };
  const verdict = await verifyFactor(tenant, {
    user,
    client,
    code,
    factor,
    // The sign-in that the code completes must start one session.
    place: { id: place.loginId, isRepeatable: false },
    form,
    // Another submission of the form may have used the code since the progress was read.
    findRepeated: async () => repeatPass(await withNewestProgress(interaction), form),
  });
  if (verdict.kind === "repeated") return verdict.result;
  if (verdict.kind === "throttled") return { problem: "too-many-attempts" };
  if (verdict.kind === "wrong") return { problem: "wrong-code" };
  return passFactor(interaction, missing, { type, recoveryCode: verdict.nextRecoveryCode, trustsBrowser, form });
}
