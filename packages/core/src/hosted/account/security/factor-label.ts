import type { Factor } from "../../../identity/factors/factors.ts";
import { maskAddress } from "../../../identity/factors/mask-address.ts";
import { factorPages } from "../../../login/factors/kinds.ts";
import type { Translate } from "../../../locales/translate.ts";
import { choosePhoneChannel } from "../../../messages/phone-channels.ts";
import { factorTypeSchema } from "../../../model/factors/factor-types.ts";
import type { RequestTenant } from "../../../tenants/tenant.ts";

/** The fields of a factor that its label shows. */
type LabeledFactor = Pick<Factor, "type" | "address" | "channel">;

/** Returns the name of a factor's type, with the masked address that its codes are sent to. */
export function factorTypeLabel(tenant: RequestTenant, t: Translate, { type, address, channel }: LabeledFactor): string {
  const { label } = factorPages[factorTypeSchema.parse(type)];
  const name = t.text(label(choosePhoneChannel(tenant, channel)));
  // The address is isolated, because it has its own text direction.
  return address === null ? name : `${name} \u2068${maskAddress(address)}\u2069`;
}

/** Returns the name that the user gave a factor, otherwise the name of its type. */
export function factorLabel(tenant: RequestTenant, t: Translate, factor: LabeledFactor & Pick<Factor, "name">): string {
  return factor.name ?? factorTypeLabel(tenant, t, factor);
}
