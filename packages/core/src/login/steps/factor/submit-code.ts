import type { FactorGuess } from "../../../identity/factors/verify-factor.ts";
import type { Interaction } from "../../interaction.ts";
import { checkFactorCode } from "../../check-factor-code.ts";
import { passFactor } from "../../pass-factor.ts";
import type { ActionResult } from "../../step.ts";
import { loginOf } from "../code/request.ts";
import { targetOf, type ChosenFactor } from "./chosen-factor.ts";

/** A submitted code of a factor. */
interface SubmittedCode {
  readonly code: string;
  readonly trustsBrowser: boolean;
}

/** Verifies the code of an enrolled factor, and continues the sign-in if it is right. */
export async function submitFactorCode(
  interaction: Interaction,
  chosen: ChosenFactor,
  { code, trustsBrowser }: SubmittedCode,
): Promise<ActionResult> {
  const { tenant, client, missingFactor: missing } = interaction;
  const factor = guessed(interaction, chosen);
  if (missing === undefined || factor === undefined) return { problem: "wrong-code" };
  const { user } = missing;
  const verdict = await checkFactorCode(tenant, client, { user, code, factor });
  if (verdict.kind === "throttled") return { problem: "too-many-attempts" };
  if (verdict.kind === "wrong") return { problem: "wrong-code" };
  return passFactor(interaction, missing, { type: chosen.type, recoveryCode: verdict.nextRecoveryCode, trustsBrowser });
}

function guessed(interaction: Interaction, chosen: ChosenFactor): FactorGuess["factor"] | undefined {
  const { type, candidates } = chosen;
  if (type === "totp") return { type, candidates };
  if (type === "recovery-code") return { type };
  const target = targetOf(chosen);
  if (target === undefined) return undefined;
  const { client } = interaction;
  const place = { purpose: "factor", clientId: client.record.client_id, loginId: loginOf(interaction).id } as const;
  return { type: target.type, target, place };
}
