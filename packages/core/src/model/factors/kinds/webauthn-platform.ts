import { webauthnKind, type FactorKind } from "./kind.ts";

/** The user's device, with a PIN or biometrics. Users cannot add it: they add a passkey. */
export const platformFactor = {
  ...webauthnKind,
  type: "webauthn-platform",
  mailName: "factorDevice",
  api: "webauthn-platform",
  tenant: "webauthn-platform",
  authMethod: "webauthn-platform",
  uses: { resistsPhishing: true, permitsChanges: true, protectsAlone: false, permitsTrust: true },
} as const satisfies FactorKind;
