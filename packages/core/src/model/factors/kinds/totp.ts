import { codeEvents, type FactorKind } from "./kind.ts";

/** An authenticator app (RFC 6238). */
export const totpFactor = {
  type: "totp",
  mailName: "factorTotp",
  api: "otp",
  tenant: "otp",
  authenticator: "otp",
  authMethod: "authenticator",
  amr: ["otp"],
  uses: { resistsPhishing: false, permitsChanges: true, protectsAlone: true, permitsTrust: true },
  events: codeEvents,
} as const satisfies FactorKind;
