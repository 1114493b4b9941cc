import { codeEvents, type FactorKind } from "./kind.ts";

/** A code that the user stored, which replaces another factor once. */
export const recoveryCodeFactor = {
  type: "recovery-code",
  mailName: "factorRecoveryCode",
  api: "recovery-code",
  tenant: "recovery-code",
  authenticator: "recovery-code",
  amr: [],
  uses: { resistsPhishing: false, permitsChanges: true, protectsAlone: false, permitsTrust: false },
  events: {
    ...codeEvents,
    passed: "gd_recovery_succeed",
    wrong: "gd_recovery_failed",
    locked: "gd_recovery_rate_limit_exceed",
    throttled: "gd_recovery_failed",
  },
} as const satisfies FactorKind;
