import { factorKind, type FactorType } from "../../model/factors/factor-types.ts";
import type { MailTranslate } from "../../locales/mails/translate.ts";
import type { MailMessage, SmsMessage } from "../message.ts";
import { factsBlock, type SignInFacts } from "./sign-in-facts.ts";

/** The change to a factor that the email reports. `replaced`: the user got another recovery code. */
export type FactorChange = "added" | "removed" | "updated" | "replaced";

/** A change of one or more factors. */
export interface ChangedFactors {
  readonly change: FactorChange;
  readonly types: readonly FactorType[];
  /** The URL of the page that protects the account if the user did not make the change. Omitted: an administrator made it. */
  readonly undoLink?: string;
}

/** The names of the texts about a change. */
const texts = {
  added: ["factorAddedSubject", "factorAddedLead"],
  removed: ["factorRemovedSubject", "factorRemovedLead"],
  updated: ["factorUpdatedSubject", "factorUpdatedLead"],
  replaced: ["factorReplacedSubject", "factorReplacedLead"],
} as const satisfies { readonly [change in FactorChange]: readonly [subject: string, lead: string] };

function nameOf(t: MailTranslate, type: FactorType): string {
  return t.text(factorKind(type).mailName);
}

/** Returns the message which tells a user that second factors of their account were added, removed or changed. */
export function factorChanged({ change, types, undoLink }: ChangedFactors, facts: SignInFacts): MailMessage & SmsMessage {
  const [subject, lead] = texts[change];
  const factorsIn = (t: MailTranslate): string => [...new Set(types.map((type) => nameOf(t, type)))].join(", ");
  return {
    template: `factor_${change}`,
    ...(undoLink !== undefined && { link: undoLink }),
    writeText: ({ t, sender }) => {
      const further = undoLink === undefined ? t.text("factorAdministratorNote", { sender }) : `${t.text("factorUndoButton")}: ${undoLink}`;
      return [t.text(lead, { factor: factorsIn(t), sender }), further].join("\n\n");
    },
    write: (writing) => {
      const { t, sender } = writing;
      const factor = factorsIn(t);
      return {
        subject: t.text(subject),
        blocks: [
          { kind: "text", text: t.text(lead, { factor, sender }) },
          factsBlock(writing, facts),
          { kind: "note", text: t.text(undoLink === undefined ? "factorAdministratorNote" : "factorChangedNote", { sender }) },
          ...(undoLink === undefined
            ? []
            : [
                { kind: "link" as const, label: t.text("factorUndoButton"), link: undoLink },
                { kind: "note" as const, text: t.text("factorUndoNote") },
              ]),
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
