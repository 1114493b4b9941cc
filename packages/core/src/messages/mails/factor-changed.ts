import type { FactorType } from "../../model/factors/factor-types.ts";
import type { MailTranslate } from "../../locales/mails/translate.ts";
import type { MailMessage } from "../message.ts";
import { factsBlock, type SignInFacts } from "./sign-in-facts.ts";

/** The change to a factor that the email reports. `replaced`: the user got another recovery code. */
export type FactorChange = "added" | "removed" | "updated" | "replaced";

const changes = {
  added: ["factorAddedSubject", "factorAddedLead"],
  removed: ["factorRemovedSubject", "factorRemovedLead"],
  updated: ["factorUpdatedSubject", "factorUpdatedLead"],
} as const;

/** The names of the texts that name a factor. */
const names = {
  totp: "factorTotp",
  phone: "factorPhone",
  email: "factorEmail",
  "recovery-code": "factorRecoveryCode",
  "webauthn-roaming": "factorSecurityKey",
  "webauthn-platform": "factorDevice",
  passkey: "factorPasskey",
} as const satisfies { readonly [type in FactorType]: string };

function nameOf(t: MailTranslate, type: FactorType): string {
  return t.text(names[type]);
}

/** A change of one or more factors. */
export interface ChangedFactors {
  readonly change: FactorChange;
  readonly types: readonly FactorType[];
  /** Whether an administrator made the change, and not the user. */
  readonly byAdministrator: boolean;
}

/** Returns the mail which tells a user that second factors of their account were added, removed or changed. */
export function factorChanged({ change, types, byAdministrator }: ChangedFactors, facts: SignInFacts): MailMessage {
  return {
    template: `factor_${change}`,
    write: (writing) => {
      const { t, sender } = writing;
      const factor = [...new Set(types.map((type) => nameOf(t, type)))].join(", ");
      const [subject, lead] =
        change === "replaced"
          ? [t.text("recoveryReplacedSubject"), t.text("recoveryReplacedLead", { sender })]
          : [t.text(changes[change][0]), t.text(changes[change][1], { factor, sender })];
      return {
        subject,
        blocks: [
          { kind: "text", text: lead },
          factsBlock(writing, facts),
          { kind: "note", text: t.text(byAdministrator ? "factorAdministratorNote" : "factorChangedNote", { sender }) },
        ],
      };
    },
  };
}

/** Returns the mail which tells a user that too many codes of a second factor were wrong. */
export function factorLocked(facts: SignInFacts): MailMessage {
  return {
    template: "factor_locked",
    write: (writing) => {
      const { t, sender } = writing;
      return {
        subject: t.text("factorLockedSubject"),
        blocks: [
          { kind: "text", text: t.text("factorLockedLead", { sender }) },
          factsBlock(writing, facts),
          { kind: "note", text: t.text("factorLockedNote") },
        ],
      };
    },
  };
}
