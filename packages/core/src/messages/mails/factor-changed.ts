import type { FactorType } from "../../model/factors/factor-types.ts";
import type { MailTranslate } from "../../locales/mails/translate.ts";
import type { MailMessage } from "../message.ts";
import { factsBlock, type SignInFacts } from "./sign-in-facts.ts";

/** The change to a factor that the email reports. */
export type FactorChange = "added" | "removed";

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

/** Returns the mail which tells a user that a second factor was added to their account, or removed from it. */
export function factorChanged(change: FactorChange, type: FactorType, facts: SignInFacts): MailMessage {
  return {
    template: `factor_${change}`,
    write: (writing) => {
      const { t, sender } = writing;
      const factor = nameOf(t, type);
      return {
        subject: t.text(change === "added" ? "factorAddedSubject" : "factorRemovedSubject"),
        blocks: [
          { kind: "text", text: t.text(change === "added" ? "factorAddedLead" : "factorRemovedLead", { factor, sender }) },
          factsBlock(writing, facts),
          { kind: "note", text: t.text("factorChangedNote", { sender }) },
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
