import type { FactorType } from "../../model/factors/factor-types.ts";
import type { MailTranslate } from "../../locales/mails/translate.ts";
import type { MailMessage } from "../message.ts";
import { factsBlock, type SignInFacts } from "./sign-in-facts.ts";

/** The change to a factor that the email reports. */
export type FactorChange = "added" | "removed" | "replaced";

/** A change to a factor, for an email. */
interface ReportedChange {
  readonly change: FactorChange;
  readonly type: FactorType;
  /** The URL of the page that protects the account if the user did not make the change. */
  readonly link: string;
}

/** The names of the texts about a change. */
const texts = {
  added: ["factorAddedSubject", "factorAddedLead"],
  removed: ["factorRemovedSubject", "factorRemovedLead"],
  replaced: ["factorReplacedSubject", "factorReplacedLead"],
} as const satisfies { readonly [change in FactorChange]: readonly [subject: string, lead: string] };

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

/** Returns the mail which tells a user that they added, removed or replaced a second factor. */
export function factorChanged({ change, type, link }: ReportedChange, facts: SignInFacts): MailMessage {
  const [subject, lead] = texts[change];
  return {
    template: `factor_${change}`,
    write: (writing) => {
      const { t, sender } = writing;
      return {
        subject: t.text(subject),
        blocks: [
          { kind: "text", text: t.text(lead, { factor: nameOf(t, type), sender }) },
          factsBlock(writing, facts),
          { kind: "note", text: t.text("factorChangedNote", { sender }) },
          { kind: "link", label: t.text("factorUndoButton"), link },
          { kind: "note", text: t.text("factorUndoNote") },
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
