import { webauthnKind, type FactorKind } from "./kind.ts";

/**
 * A passkey. Its name in the APIs is a Postern extension: no response of the Authentication API contains it. A tenant
 * enables passkeys for each connection.
 */
export const passkeyFactor = {
  ...webauthnKind,
  type: "passkey",
  mailName: "factorPasskey",
  api: "passkey",
  uses: { resistsPhishing: true, permitsChanges: true, protectsAlone: true, permitsTrust: true },
} as const satisfies FactorKind;
