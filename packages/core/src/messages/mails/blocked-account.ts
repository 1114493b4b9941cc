import type { MailMessage } from "../message.ts";
import { factsBlock, type SignInFacts } from "./sign-in-facts.ts";

/** Tells the owner of an account that password logins to it are temporarily blocked. */
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
