import { tenantNameOf } from "../../../branding/tenant-name.ts";
import { enrollFactor } from "../../../identity/factors/enroll-factor.ts";
import { findFactor, isPendingFactor, updateFactor, type Factor, type NewFactor } from "../../../identity/factors/factors.ts";
import { isChannelOf } from "../../../identity/factors/factor-uses.ts";
import { areFactorsFrozen } from "../../../identity/factors/frozen-factors.ts";
import { maskAddress } from "../../../identity/factors/mask-address.ts";
import { newTotpSecret, totpUri } from "../../../identity/factors/totp.ts";
import type { CodeTarget } from "../../../identity/factors/factor-code.ts";
import { choosePhoneChannel } from "../../../messages/phone-channels.ts";
import { type FactorType } from "../../../model/factors/factor-types.ts";
import type { MessageType } from "../../../model/factors/multifactor.ts";
import type { Row } from "../../../store/schema.ts";
import type { RequestTenant } from "../../../tenants/tenant.ts";
import type { Interaction } from "../../interaction.ts";
import { passedFactors } from "../../missing-factor.ts";
import type { ActionResult } from "../../step.ts";
import { sendCodeTo } from "../factor/chosen-factor.ts";

/**
 * Returns the factors that the user may add now. Empty if the interaction does not require a new factor, and while the
 * user's factors are frozen.
 */
export function addableTypes(interaction: Interaction): readonly FactorType[] {
  const { missingFactor: missing } = interaction;
  return missing?.decision.kind === "enroll" && !isFrozen(interaction) ? missing.decision.types : [];
}

/** Whether the interaction requires a new factor, but the user's factors are frozen. The user cannot sign in then. */
export function isFrozen({ tenant, missingFactor: missing }: Interaction): boolean {
  return missing?.decision.kind === "enroll" && areFactorsFrozen(tenant, missing.user);
}

/**
 * Whether the user must pass a factor instead of adding one, and has passed none: the factor was added since the page was
 * shown.
 */
export function isOvertaken(interaction: Interaction): boolean {
  const { missingFactor: missing } = interaction;
  return missing?.decision.kind === "challenge" && passedFactors(interaction, missing.user).length === 0;
}

/** Returns the unconfirmed factor that the user is adding. Undefined if there is none, or if it has expired. */
export async function newFactor({ tenant, progress, missingFactor: missing }: Interaction): Promise<Factor | undefined> {
  const { new_factor: id } = progress;
  if (id === undefined || missing === undefined || areFactorsFrozen(tenant, missing.user)) return undefined;
  const factor = await findFactor(tenant.data, missing.user.user_id, id);
  return factor !== undefined && isPendingFactor(tenant, factor) ? factor : undefined;
}

/** Returns the name of an account in the user's authenticator. */
export function accountLabel({ email, phone_number: phone, username, user_id: id }: Row<"users">): string {
  return email || phone || username || id;
}

/** Returns the `otpauth:` URI of a new authenticator app's key. The app shows the tenant's name as pages and messages do. */
export function authenticatorUri(tenant: RequestTenant, user: Row<"users">, secret: string): string {
  return totpUri({ issuer: tenantNameOf(tenant), account: accountLabel(user), secret });
}

/** Returns the name of an account for a page that its visitor opened with a link, and that somebody else may see. */
export function maskedAccount(user: Row<"users">): string {
  return maskAddress(accountLabel(user));
}

/** Starts to add an authenticator app. */
export async function startTotp(interaction: Interaction): Promise<ActionResult> {
  return startFactor(interaction, { type: "totp", totpSecret: newTotpSecret(interaction.tenant.random) });
}

/** Starts to add a phone: sends a code to its number. */
export async function startPhone(interaction: Interaction, phone: string, form: string | undefined): Promise<ActionResult> {
  const { tenant, client, missingFactor: missing } = interaction;
  if (missing === undefined) return {};
  if (isChannelOf(missing.first, phone)) return { problem: "phone-used", change: (progress) => ({ ...progress, rejected_phone: phone }) };
  const started = await enrollFactor(tenant, { user: missing.user, client }, { type: "phone", address: phone, channel: "sms" });
  const target: CodeTarget = { id: started.id, type: "phone", address: phone };
  const choose: ActionResult["change"] = ({ rejected_phone: _, ...progress }) => ({
    ...progress,
    factor_choice: "phone",
    new_factor: started.id,
  });
  return sendCodeTo(interaction, { target, user: missing.user, purpose: "add-factor", form, choose });
}

async function startFactor({ tenant, client, missingFactor: missing }: Interaction, input: NewFactor): Promise<ActionResult> {
  if (missing === undefined) return {};
  const { id } = await enrollFactor(tenant, { user: missing.user, client }, input);
  return { change: (progress) => ({ ...progress, factor_choice: input.type, new_factor: id }) };
}

/**
 * Returns the target for codes of a new phone. Undefined for other factors.
 * @param channel the channel for the next code. Default: the channel that is stored for the phone.
 */
export function newFactorTarget({ id, type, address, channel: last }: Factor, channel?: MessageType): CodeTarget | undefined {
  return type === "phone" && address !== null ? { id, type, address, channel: channel ?? last } : undefined;
}

/**
 * Stores the preferred channel of a new phone. Stores the tenant's default if the tenant does not offer the requested
 * channel.
 */
export async function setPhoneChannel(tenant: RequestTenant, phone: Factor, channel: MessageType): Promise<void> {
  await updateFactor(tenant, phone, { channel: choosePhoneChannel(tenant, channel) });
}
