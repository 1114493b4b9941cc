import type { FactorPages } from "./kind.ts";
import { SentLead } from "./sent-code.tsx";

/** The pages of email addresses, which receive codes. Users add one with the MFA API. */
export const emailPages: FactorPages = {
  label: () => "securityEmail",
  title: ({ sent }) => (sent === true ? "factorTitleEmail" : "againTitle"),
  use: () => "factorUseEmail",
  Lead: ({ t, screen }) => <SentLead t={t} screen={screen} text="factorLeadEmail" />,
  input: "sent-code",
};
