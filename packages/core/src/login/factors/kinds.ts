import type { FactorType } from "../../model/factors/factor-types.ts";
import { emailPages } from "./kinds/email.tsx";
import type { FactorPages } from "./kinds/kind.ts";
import { phonePages } from "./kinds/phone.tsx";
import { recoveryCodePages } from "./kinds/recovery-code.tsx";
import { totpPages } from "./kinds/totp.tsx";
import { devicePages, passkeyPages, securityKeyPages } from "./kinds/webauthn.tsx";

/** The pages of each kind of factor. */
export const factorPages: { readonly [type in FactorType]: FactorPages } = {
  passkey: passkeyPages,
  "webauthn-roaming": securityKeyPages,
  "webauthn-platform": devicePages,
  totp: totpPages,
  phone: phonePages,
  email: emailPages,
  "recovery-code": recoveryCodePages,
};
