import { auditClient, auditUser } from "../../../logs/audit.ts";
import { verifyFactor, type FactorGuess } from "../../../identity/factors/verify-factor.ts";
import { sendFactorLockedMail } from "../../../messages/factor-mails.ts";
import { toApiFactorType } from "../../../model/factors/factor-types.ts";
import type { Interaction } from "../../interaction.ts";
import { withNewestProgress } from "../../login-session.ts";
import { passFactor, repeatPass } from "../../pass-factor.ts";
import type { ActionResult } from "../../step.ts";
import { loginOf } from "../code/request.ts";
import { targetOf, type ChosenFactor } from "./chosen-factor.ts";

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
  const factor = guessed(interaction, chosen);
  if (missing === undefined || factor === undefined) return { problem: "wrong-code" };
  const { user } = missing;
  const verdict = await verifyFactor(tenant, { user, code, factor });
  const details = { factor: toApiFactorType(chosen.type) };
  const about = { details, ...auditClient(client), ...auditUser(user) };
  switch (verdict.kind) {
    case "right":
      return passFactor(interaction, missing, { type: chosen.type, recoveryCode: verdict.nextRecoveryCode, trustsBrowser, form });
    case "throttled":
      await tenant.audit({ type: "gd_auth_failed", description: "Too many failed codes of a second factor.", ...about });
      return { problem: "too-many-attempts" };
    case "wrong": {
      // Another submission of the form may have used the code since the progress was read.
      const repeated = await repeatPass(await withNewestProgress(interaction), form, trustsBrowser);
      if (repeated !== undefined) return repeated;
      await tenant.audit({ type: "gd_auth_failed", description: "Wrong code of a second factor.", ...about });
      if (verdict.isLast) {
        sendFactorLockedMail(tenant, user, client);
        await tenant.audit({ type: "gd_otp_rate_limit_exceed", description: "A factor is locked: too many codes were wrong.", ...about });
      }
      return { problem: "wrong-code" };
    }
  }
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
