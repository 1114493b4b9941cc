import { emailFactor } from "./kinds/email.ts";
import type { FactorKind } from "./kinds/kind.ts";
import { passkeyFactor } from "./kinds/passkey.ts";
import { phoneFactor } from "./kinds/phone.ts";
import { recoveryCodeFactor } from "./kinds/recovery-code.ts";
import { totpFactor } from "./kinds/totp.ts";
import { platformFactor } from "./kinds/webauthn-platform.ts";
import { roamingFactor } from "./kinds/webauthn-roaming.ts";

/**
 * All kinds of second factors, the strongest first, in the order in which they are offered. Every place that accepts a
 * factor reads this table. A kind has a line here, one in `login/factors/kinds.ts` for its pages and, if users enter codes,
 * one in `identity/factors/kinds.ts`.
 */
export const factorKinds = [
  passkeyFactor,
  roamingFactor,
  platformFactor,
  totpFactor,
  phoneFactor,
  emailFactor,
  recoveryCodeFactor,
] as const satisfies readonly FactorKind[];
