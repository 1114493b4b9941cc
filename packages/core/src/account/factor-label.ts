import type { Factor } from "../identity/factors/factors.ts";
import { maskAddress } from "../identity/factors/mask-address.ts";
import type { Translate } from "../locales/translate.ts";
import { choosePhoneChannel } from "../messages/phone-channels.ts";
import { factorTypeSchema, type FactorType } from "../model/factors/factor-types.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/** The texts that name a type of factor. */
const names = {
  totp: "addFactorTotp",
  phone: "addFactorPhone",
  email: "securityEmail",
  "recovery-code": "factorRecoveryLabel",
  "webauthn-roaming": "securityKey",
  "webauthn-platform": "securityDevice",
  passkey: "securityPasskey",
} as const satisfies { readonly [type in FactorType]: string };

/** The fields of a factor that its label shows. */
type LabeledFactor = Pick<Factor, "type" | "address" | "channel">;

/** Returns the name of a factor's type, with the masked address that its codes are sent to. */
export function factorTypeLabel(tenant: RequestTenant, t: Translate, { type, address, channel }: LabeledFactor): string {
  const isCalled = type === "phone" && choosePhoneChannel(tenant, channel) === "voice";
  const name = t.text(isCalled ? "addFactorCall" : names[factorTypeSchema.parse(type)]);
  // The address is isolated, because it has its own text direction.
  return address === null ? name : `${name} \u2068${maskAddress(address)}\u2069`;
}

/** Returns the name that the user gave a factor, otherwise the name of its type. */
export function factorLabel(tenant: RequestTenant, t: Translate, factor: LabeledFactor & Pick<Factor, "name">): string {
  return factor.name ?? factorTypeLabel(tenant, t, factor);
}
