import { tenantNameOf } from "../../branding/tenant-name.ts";
import type { CodeTarget } from "../../identity/factors/factor-code.ts";
import { enrollFactor } from "../../identity/factors/enroll-factor.ts";
import { isChannelOf } from "../../identity/factors/factor-uses.ts";
import { updateFactor, type Factor } from "../../identity/factors/factors.ts";
import { newTotpSecret, totpUri } from "../../identity/factors/totp.ts";
import { choosePhoneChannel } from "../../messages/phone-channels.ts";
import type { FactorCodeRefusal } from "../../messages/send-factor-code.ts";
import type { MessageType } from "../../model/factors/multifactor.ts";
import { readPhoneNumber, type MisspelledPhone } from "../../model/phone-number.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { accountLabel } from "./account-label.ts";
import type { FactorContext } from "./context.ts";
import { sendCode } from "./send-code.ts";

/** Starts to add an authenticator app. @param codeHash the hash of a recovery code that becomes valid with it. */
export async function startApp(context: FactorContext, codeHash?: string): Promise<{ readonly factor: Factor; readonly secret: string }> {
  const { tenant } = context;
  const secret = newTotpSecret(tenant.random);
  const factor = await enrollFactor(tenant, context, { type: "totp", totpSecret: secret, ...(codeHash !== undefined && { codeHash }) });
  return { factor, secret };
}

/** Returns the `otpauth:` URI of a new authenticator app's key. The app shows the tenant's name as pages and messages do. */
export function authenticatorUri(tenant: RequestTenant, user: Row<"users">, secret: string): string {
  return totpUri({ issuer: tenantNameOf(tenant), account: accountLabel(user), secret });
}

/** A phone or an email address to add. */
interface NewTarget {
  readonly type: "phone" | "email";
  readonly address: string;
  /** How codes are sent to a phone. */
  readonly channel?: MessageType;
  /** The hash of a recovery code that becomes valid with the factor. */
  readonly codeHash?: string | undefined;
}

/** A factor that was stored, unconfirmed. */
interface StartedFactor {
  readonly factor: Factor;
  readonly target: CodeTarget;
  /** Why no code was sent. The user can request another one. */
  readonly refusal: FactorCodeRefusal | undefined;
}

/**
 * Starts to add a phone or an email address: stores it, and sends a code to it.
 * @param form the id of the form that requested the code.
 * @returns `used` if the user signed in with the address: one channel is one factor.
 */
export async function startTarget(
  context: FactorContext,
  { type, address, channel, codeHash }: NewTarget,
  form?: string,
): Promise<StartedFactor | "used"> {
  if (isChannelOf(context.first, address)) return "used";
  const added = { ...(channel !== undefined && { channel }), ...(codeHash !== undefined && { codeHash }) };
  const factor = await enrollFactor(context.tenant, context, { type, address, ...added });
  const target: CodeTarget = { id: factor.id, type, address, ...(channel !== undefined && { channel }) };
  return { factor, target, refusal: await sendCode(context, target, { purpose: "add-factor", form }) };
}

/** Why no phone was added: `used` as in {@link startTarget}, or the text is no phone number in international form. */
interface RejectedPhone {
  readonly problem: "phone-used" | "phone-invalid";
  /** The right spelling, if the number is only written in another form. */
  readonly misspelled?: MisspelledPhone;
}

/** Starts to add the phone whose number the user typed, as {@link startTarget}. */
export async function startPhone(context: FactorContext, typed: string, form: string | undefined): Promise<StartedFactor | RejectedPhone> {
  const read = await readPhoneNumber(typed);
  if ("fault" in read) return { problem: "phone-invalid", ...(read.correction !== undefined && { misspelled: read }) };
  const started = await startTarget(context, { type: "phone", address: read.number, channel: "sms" }, form);
  return started === "used" ? { problem: "phone-used" } : started;
}

/** Returns where the codes of a new factor are sent. Undefined for a factor without sent codes. */
export function newFactorTarget({ id, type, address, channel }: Factor): CodeTarget | undefined {
  return (type === "phone" || type === "email") && address !== null ? { id, type, address, channel } : undefined;
}

/** Options of {@link resendCode}. */
interface ResendOptions {
  /** The channel for this code and later ones. Default: the channel that is stored for the phone. */
  readonly channel?: MessageType | undefined;
  /** The id of the form that requested the code. */
  readonly form?: string | undefined;
}

/** Sends another code to a new phone. @returns why no code was sent; undefined if it was sent. */
export async function resendCode(
  context: FactorContext,
  { factor, target }: Pick<StartedFactor, "factor" | "target">,
  { channel, form }: ResendOptions,
): Promise<FactorCodeRefusal | undefined> {
  const refusal = await sendCode(context, { ...target, ...(channel !== undefined && { channel }) }, { purpose: "add-factor", form });
  // The tenant's default is stored if the tenant does not offer the channel.
  if (channel !== undefined && refusal === undefined)
    await updateFactor(context.tenant, factor, { channel: choosePhoneChannel(context.tenant, channel) });
  return refusal;
}
