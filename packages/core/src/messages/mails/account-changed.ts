import type { AccountChange } from "../../context.ts";
import type { MailMessage, SmsMessage } from "../message.ts";
import { factsBlock, type SignInFacts } from "./sign-in-facts.ts";

/** The names of the texts about a change. */
const texts = {
  email: ["emailChangedSubject", "emailChangedLead"],
  phone: ["phoneChangedSubject", "phoneChangedLead"],
  username: ["usernameChangedSubject", "usernameChangedLead"],
  password: ["passwordChangedSubject", "passwordChangedLead"],
  linked: ["accountAddedSubject", "accountAddedLead"],
  unlinked: ["accountUnlinkedSubject", "accountUnlinkedLead"],
} as const satisfies { readonly [change in AccountChange]: readonly [subject: string, lead: string] };

/** The template of each change that is not named `<change>_changed`. */
const templates: { readonly [change in AccountChange]?: string } = { linked: "account_linked_by_user", unlinked: "account_unlinked" };

/**
 * Returns the message which tells a user that they changed their account.
 * @param undoLink the URL of the page that protects the account if the user did not make the change.
 */
export function accountChanged(change: AccountChange, undoLink: string, facts: SignInFacts): MailMessage & SmsMessage {
  const [subject, lead] = texts[change];
  return {
    template: templates[change] ?? `${change}_changed`,
    link: undoLink,
    writeText: ({ t, sender }) => [t.text(lead, { sender }), `${t.text("factorUndoButton")}: ${undoLink}`].join("\n\n"),
    write: (writing) => {
      const { t, sender } = writing;
      return {
        subject: t.text(subject),
        blocks: [
          { kind: "text", text: t.text(lead, { sender }) },
          factsBlock(writing, facts),
          { kind: "note", text: t.text("accountChangedNote", { sender }) },
          { kind: "link", label: t.text("factorUndoButton"), link: undoLink },
          { kind: "note", text: t.text("factorUndoNote") },
        ],
      };
    },
  };
}
