import { chooseFactor, phoneOf, type ChosenFactor, type FactorChoice } from "../../../identity/factors/choose-factor.ts";
import type { CodeTarget } from "../../../identity/factors/factor-code.ts";
import { choosePhoneChannel } from "../../../messages/phone-channels.ts";
import type { MessageType } from "../../../model/factors/multifactor.ts";
import type { FactorResult } from "../../factors/challenge.ts";
import type { LastCode } from "../../factors/challenge-screen.ts";
import type { FactorContext } from "../../factors/context.ts";
import { resendDelay, sendCode } from "../../factors/send-code.ts";
import type { Interaction } from "../../interaction.ts";
import type { MissingFactor } from "../../missing-factor.ts";
import { passFactor } from "../../pass-factor.ts";
import type { LoginProgress } from "../../progress.ts";
import type { ActionResult } from "../../step.ts";
import { loginOf } from "../code/request.ts";

/** Returns the context in which the user passes or adds the factor that a login requires. */
export function contextOf(interaction: Interaction, { user, first, factors }: MissingFactor): FactorContext {
  const { tenant, client, request } = interaction;
  return { tenant, user, client, first, factors, boundTo: loginOf(interaction).id, uiLocales: request.ui_locales };
}

/**
 * Returns the factor that the user chose, otherwise the strongest one. Undefined if the interaction requires no enrolled
 * factor now.
 * @param choice the choice of the user. Default: the one that the progress contains.
 */
export function chosenFactor({ missingFactor: missing, progress }: Interaction, choice?: FactorChoice): ChosenFactor | undefined {
  if (missing?.decision.kind !== "challenge") return undefined;
  const { type: factor, destination } = progress.factor_choice ?? {};
  return chooseFactor({ ...missing, types: missing.decision.types }, choice ?? { factor, destination });
}

/** Returns the code that was sent last, as the page shows it. */
export function lastCode(interaction: Interaction, chosen: Pick<ChosenFactor, "type" | "target" | "targets">): LastCode {
  const { target } = chosen;
  const phone = phoneOf(chosen);
  const sent = target && sentCode(interaction, target);
  const waited = sent && Math.floor((interaction.tenant.now() - sent.sent_at) / 1000);
  return {
    channel: phone && sentCode(interaction, phone)?.channel,
    resendIn: waited === undefined ? undefined : Math.max(0, resendDelay - waited),
  };
}

/**
 * Returns the code that was sent last, if it was sent to this target for the same user. The email addresses of all
 * accounts are targets with the same id.
 */
function sentCode({ progress, missingFactor: missing }: Interaction, { id }: CodeTarget): LoginProgress["factor_code"] {
  const { factor_code: sent } = progress;
  return sent?.factor_id === id && sent.user_id === missing?.user.user_id ? sent : undefined;
}

/**
 * Stores the user's choice of a factor, and sends a code if the factor needs one.
 * @param channel the channel for a code to a phone. Default: the channel of the last code, otherwise the user's
 * preferred channel.
 */
export async function sendChosenCode(
  interaction: Interaction,
  missing: MissingFactor,
  { type, target }: ChosenFactor,
  form: string | undefined,
  channel?: MessageType,
): Promise<ActionResult> {
  const choose = (progress: LoginProgress): LoginProgress => ({
    ...progress,
    factor_choice: { type, ...(target && { destination: target.id }) },
  });
  if (target === undefined) return { change: choose };
  const addressed = { ...target, channel: channel ?? sentCode(interaction, target)?.channel ?? target.channel ?? null };
  const refusal = await sendCode(contextOf(interaction, missing), addressed, { purpose: "factor", form });
  if (refusal !== undefined) return { change: choose, problem: refusal.problem, refusal: refusal.error };
  return { change: (progress) => ({ ...choose(progress), factor_code: sentNow(interaction, missing, addressed) }) };
}

/** Returns the member of the progress for a code that was just sent. */
export function sentNow({ tenant }: Interaction, { user }: MissingFactor, target: CodeTarget): NonNullable<LoginProgress["factor_code"]> {
  return {
    factor_id: target.id,
    user_id: user.user_id,
    sent_at: tenant.now(),
    ...(target.type === "phone" && { channel: choosePhoneChannel(tenant, target.channel) }),
  };
}

/** How the user passed the factor. */
interface PassedForm {
  readonly type: ChosenFactor["type"];
  readonly trustsBrowser: boolean;
}

/** Continues the sign-in if the factor was passed. */
export function continueAfter(
  interaction: Interaction,
  missing: MissingFactor,
  result: FactorResult,
  passed: PassedForm,
): Promise<ActionResult> | ActionResult {
  if (result.kind === "rejected") return { problem: result.problem };
  return passFactor(interaction, missing, { ...passed, recoveryCode: result.nextRecoveryCode });
}
