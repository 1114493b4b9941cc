import { codeEvents, type FactorKind } from "./kind.ts";

/** An email address that receives codes. The verified address of an account is a factor without enrollment. */
export const emailFactor = {
  type: "email",
  mailName: "factorEmail",
  api: "email",
  tenant: "email",
  needs: "mail",
  authenticator: "oob",
  amr: ["otp"],
  uses: { resistsPhishing: false, permitsChanges: false, protectsAlone: false, permitsTrust: false },
  events: codeEvents,
} as const satisfies FactorKind;
