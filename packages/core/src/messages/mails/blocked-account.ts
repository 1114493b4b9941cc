import type { MailMessage } from "../message.ts";
import { factsBlock, type SignInFacts } from "./sign-in-facts.ts";

/** Returns the mail which tells the owner of an account that sign-ins with its password are temporarily blocked. */
export function blockedAccount(facts: SignInFacts): MailMessage {
  return {
    template: "blocked_account",
    values: { user: { source_ip: facts.ip ?? "" } },
    write: (writing) => {
      const { t, sender } = writing;
      return {
        subject: t.text("blockedSubject"),
        blocks: [
          { kind: "text", text: t.text("blockedLead", { sender }) },
          factsBlock(writing, facts),
          { kind: "note", text: t.text("blockedNote") },
        ],
      };
    },
  };
}
