import type { FactorPages } from "./kind.ts";

/** The pages of recovery codes. */
export const recoveryCodePages: FactorPages = {
  label: () => "factorRecoveryLabel",
  title: () => "factorTitleRecovery",
  use: () => "factorUseRecovery",
  Lead: ({ t }) => <p class="lead">{t.text("factorLeadRecovery")}</p>,
  input: "text",
};
