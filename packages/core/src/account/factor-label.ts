import type { Factor } from "../identity/factors/factors.ts";
import { maskAddress } from "../identity/factors/mask-address.ts";
import type { Translate } from "../locales/translate.ts";
import { factorTypeSchema, type FactorType } from "../model/factors/factor-types.ts";

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

/** Returns the name of a factor's type, with the masked address that its codes are sent to. */
export function factorTypeLabel(t: Translate, { type, address }: Pick<Factor, "type" | "address">): string {
  const name = t.text(names[factorTypeSchema.parse(type)]);
  // The address is isolated, because it has its own text direction.
  return address === null ? name : `${name} \u2068${maskAddress(address)}\u2069`;
}

/** Returns the name that the user gave a factor, otherwise the name of its type. */
export function factorLabel(t: Translate, factor: Pick<Factor, "type" | "address" | "name">): string {
  return factor.name ?? factorTypeLabel(t, factor);
}
