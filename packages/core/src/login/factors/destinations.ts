import * as z from "zod";
import { otherTargets, type ChosenFactor } from "../../identity/factors/choose-factor.ts";
import { maskAddress } from "../../identity/factors/mask-address.ts";
import { fixedPhoneChannelState } from "../../messages/phone-channels.ts";
import { factorTypeSchema } from "../../model/factors/factor-types.ts";
import { messageTypeSchema } from "../../model/factors/multifactor.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** A phone or an email address that the user can choose for the code. */
export const destinationSchema = z.strictObject({
  id: z.string().meta({ description: "The value of `destination` in `choose-factor`" }),
  factor: factorTypeSchema.meta({ description: "The type of the factor" }),
  sentTo: z.string().meta({ description: "The masked phone number or email address" }),
  channel: messageTypeSchema
    .exactOptional()
    .meta({ description: "How a code is sent to the phone. Omitted if the tenant offers no voice calls" }),
});

type Destination = z.output<typeof destinationSchema>;

/** Returns the field of a screen with the other destinations of the user's codes. Empty if the user has one of each type. */
export function destinationState(tenant: RequestTenant, chosen: ChosenFactor): { readonly destinations?: Destination[] } {
  const destinations = otherTargets(chosen).map(({ id, type, address, channel }): Destination => ({
    id,
    factor: type,
    sentTo: maskAddress(address),
    ...(type === "phone" && fixedPhoneChannelState(tenant, channel)),
  }));
  return destinations.length === 0 ? {} : { destinations };
}
