import { phoneOf, type ChosenFactor } from "../identity/factors/choose-factor.ts";
import { multifactorSettings, type MessageType } from "../model/factors/multifactor.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/** The part of a tenant that decides how codes are sent to phones. */
type PhoneTenant = Pick<RequestTenant, "host" | "record">;

/** Whether second-factor codes can be sent by voice call: the host places calls, and the tenant enables them. */
export function canCall({ host, record }: PhoneTenant): boolean {
  return host.sms?.call !== undefined && multifactorSettings(record).phone.message_types.includes("voice");
}

/** Returns how second-factor codes can be sent to phones, the default first. */
export function phoneChannels(tenant: PhoneTenant): readonly [MessageType, ...MessageType[]] {
  if (!canCall(tenant)) return ["sms"];
  return multifactorSettings(tenant.record).phone.message_types.includes("sms") ? ["sms", "voice"] : ["voice"];
}

/** Returns the preferred channel if the tenant offers it, otherwise the default. */
export function choosePhoneChannel(tenant: PhoneTenant, preferred: string | null | undefined): MessageType {
  const channels = phoneChannels(tenant);
  return channels.find((channel) => channel === preferred) ?? channels[0];
}

/** The fields of a screen that describe how codes are sent to a phone. */
export interface PhoneChannelState {
  /** Omitted if the tenant offers no calls. */
  readonly channel?: MessageType;
  /** The channel that the user can switch to. */
  readonly otherChannel?: MessageType;
}

/** Returns the fields of a screen for a phone. Empty if the tenant offers no calls. */
export function phoneChannelState(tenant: PhoneTenant, preferred: string | null | undefined): PhoneChannelState {
  if (!canCall(tenant)) return {};
  const channel = choosePhoneChannel(tenant, preferred);
  const otherChannel = phoneChannels(tenant).find((one) => one !== channel);
  return { channel, ...(otherChannel !== undefined && { otherChannel }) };
}

/**
 * Returns the fields of a page that asks for a factor, which can offer a phone as another factor. Empty if it offers no
 * phone. The user can switch the channel only if the factor is the phone.
 * @param sentBy the channel of the code that was sent last. May be untrusted text from a URL or form: if the tenant
 * does not offer the channel, the default is used.
 */
export function factorChannelState(tenant: PhoneTenant, chosen: ChosenFactor, sentBy: string | undefined): PhoneChannelState {
  const phone = phoneOf(chosen);
  if (phone === undefined) return {};
  const preferred = sentBy ?? phone.channel;
  return chosen.type === "phone" ? phoneChannelState(tenant, preferred) : fixedPhoneChannelState(tenant, preferred);
}

/** Returns the state without `otherChannel`, for a page on which the user cannot switch. */
export function fixedPhoneChannelState(tenant: PhoneTenant, preferred: string | null | undefined): Pick<PhoneChannelState, "channel"> {
  const { channel } = phoneChannelState(tenant, preferred);
  return channel === undefined ? {} : { channel };
}
