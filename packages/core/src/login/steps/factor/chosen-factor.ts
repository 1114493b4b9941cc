import { chooseFactor, phoneOf, type ChosenFactor, type FactorChoice } from "../../../identity/factors/choose-factor.ts";
import type { CodeTarget } from "../../../identity/factors/factor-code.ts";
import { maskAddress } from "../../../identity/factors/mask-address.ts";
import { choosePhoneChannel, factorChannelState, type PhoneChannelState } from "../../../messages/phone-channels.ts";
import { trySendFactorCode } from "../../../messages/send-factor-code.ts";
import { multifactorSettings, type MessageType } from "../../../model/factors/multifactor.ts";
import type { Row } from "../../../store/schema.ts";
import type { Interaction } from "../../interaction.ts";
import type { LoginProgress } from "../../progress.ts";
import type { ActionResult } from "../../step.ts";
import { loginOf } from "../code/request.ts";

/** Seconds until the page offers to send another code. */
const resendDelay = 30;

/**
 * Returns the factor that the user chose, otherwise the strongest one. Undefined if the interaction requires no enrolled
 * factor now.
 * @param choice the choice of the user. Default: the one that the progress contains.
 */
export function chosenFactor({ missingFactor: missing, progress }: Interaction, choice?: FactorChoice): ChosenFactor | undefined {
  if (missing?.decision.kind !== "challenge") return undefined;
  const { factor_choice: factor, factor_destination: destination } = progress;
  return chooseFactor({ ...missing, types: missing.decision.types }, choice ?? { factor, destination });
}

/** The fields of a screen that describe the code of a factor. `sent` is omitted if the user must request the code. */
interface SentState {
  /** The masked destination. Omitted for a factor without sent codes. */
  readonly sentTo?: string;
  readonly sent?: true;
  /** Seconds until the page offers another code. */
  readonly resendIn?: number;
  /** The lifetime of a code in seconds. */
  readonly validFor?: number;
}

/** Returns the fields of a screen that describe the code that was sent. Viewing a page never sends a code. */
export function sentState(interaction: Interaction, target: CodeTarget | undefined): SentState {
  if (target === undefined) return {};
  const { tenant } = interaction;
  const sentTo = maskAddress(target.address);
  const sent = sentCode(interaction, target);
  if (sent === undefined) return { sentTo };
  const waited = Math.floor((tenant.now() - sent.sent_at) / 1000);
  const { otp_expiration_time: validFor } = multifactorSettings(tenant.record)[target.type].codes;
  return { sentTo, sent: true, resendIn: Math.max(0, resendDelay - waited), validFor };
}

/** Returns the fields of a screen that describe how codes are sent to the user's phone, if it is one of the factors. */
export function channelState(interaction: Interaction, chosen: ChosenFactor): PhoneChannelState {
  const phone = phoneOf(chosen);
  return factorChannelState(interaction.tenant, chosen, phone && sentCode(interaction, phone)?.channel);
}

/** Returns the channel of the code that was sent last, otherwise the preferred channel of the phone. */
function currentChannel(interaction: Interaction, target: CodeTarget): string | null | undefined {
  return sentCode(interaction, target)?.channel ?? target.channel;
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
  { type, target, user }: ChosenFactor,
  form: string | undefined,
  channel?: MessageType,
): Promise<ActionResult> {
  const choose: ActionResult["change"] = ({ factor_destination: _, ...progress }) => ({
    ...progress,
    factor_choice: type,
    ...(target && { factor_destination: target.id }),
  });
  if (target === undefined) return { change: choose };
  const addressed = { ...target, channel: channel ?? currentChannel(interaction, target) ?? null };
  return sendCodeTo(interaction, { target: addressed, user, purpose: "factor", form, choose });
}

/** A code to send, and the change of the progress that belongs to it. */
interface CodeRequest {
  readonly target: CodeTarget;
  readonly user: Row<"users">;
  readonly purpose: "factor" | "add-factor";
  readonly form: string | undefined;
  readonly choose: NonNullable<ActionResult["change"]>;
}

/** Sends a code of a factor. If a limit prevents another code, the earlier code stays valid. */
export async function sendCodeTo(interaction: Interaction, { target, user, purpose, form, choose }: CodeRequest): Promise<ActionResult> {
  const { tenant, client, request } = interaction;
  const place = { purpose, loginId: loginOf(interaction).id };
  const refusal = await trySendFactorCode(tenant, { client, user, target, place, uiLocales: request.ui_locales, form });
  if (refusal !== undefined) return { change: choose, problem: refusal.problem, refusal: refusal.error };
  const factor_code = {
    factor_id: target.id,
    user_id: user.user_id,
    sent_at: tenant.now(),
    ...(target.type === "phone" && { channel: choosePhoneChannel(tenant, target.channel) }),
  };
  return { change: (progress) => ({ ...choose(progress), factor_code }) };
}
