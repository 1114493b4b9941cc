import type { ChosenFactor } from "../../identity/factors/choose-factor.ts";
import { maskAddress } from "../../identity/factors/mask-address.ts";
import { factorChannelState } from "../../messages/phone-channels.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { FactorScreen } from "../steps/factor/step.ts";
import type { FactorContext } from "./context.ts";
import { destinationState } from "./destinations.ts";
import { keyRequest } from "./key-authentication.ts";
import { lockedState } from "./locked-factor.ts";

/** The code of a factor that was sent last. */
export interface LastCode {
  /** Seconds until the page offers another code. Omitted if no code was sent to the chosen destination. */
  readonly resendIn?: number | undefined;
  /** How the last code was sent to a phone. May be untrusted text. */
  readonly channel?: string | undefined;
}

/** Returns the screen that asks for a factor. Viewing it sends no code. */
export async function challengeScreen(context: FactorContext, chosen: ChosenFactor, last: LastCode): Promise<FactorScreen> {
  const { tenant, user } = context;
  const { type, target, others } = chosen;
  const [key, locked] = await Promise.all([keyRequest(context, type), lockedState(tenant, user.user_id, type)]);
  return {
    name: "factor",
    factor: type,
    others: [...others],
    ...key,
    ...destinationState(tenant, chosen),
    ...(target && { sentTo: maskAddress(target.address), ...sentState(tenant, target.type, last) }),
    ...factorChannelState(tenant, chosen, last.channel),
    ...locked,
  };
}

/** Returns the fields of a screen that describe a code that was sent. Empty if none was sent. */
export function sentState(
  { record }: RequestTenant,
  type: "phone" | "email",
  { resendIn }: LastCode,
): Pick<FactorScreen, "sent" | "resendIn" | "validFor"> {
  if (resendIn === undefined) return {};
  return { sent: true, resendIn, validFor: multifactorSettings(record)[type].codes.otp_expiration_time };
}
