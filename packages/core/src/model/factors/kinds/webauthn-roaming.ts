import { webauthnKind, type FactorKind } from "./kind.ts";

/** A security key. */
export const roamingFactor = {
  ...webauthnKind,
  type: "webauthn-roaming",
  mailName: "factorSecurityKey",
  api: "webauthn-roaming",
  tenant: "webauthn-roaming",
  authMethod: "webauthn-roaming",
  uses: { resistsPhishing: true, permitsChanges: true, protectsAlone: true, permitsTrust: true },
} as const satisfies FactorKind;
