import { codeEvents, type FactorKind } from "./kind.ts";

/** A phone that receives codes by text message or voice call. */
export const phoneFactor = {
  type: "phone",
  mailName: "factorPhone",
  api: "phone",
  tenant: "sms",
  needs: "sms",
  authenticator: "oob",
  authMethod: "sms",
  amr: ["sms"],
  uses: { resistsPhishing: false, permitsChanges: true, protectsAlone: true, permitsTrust: true },
  events: codeEvents,
} as const satisfies FactorKind;
