import type { MailMessage } from "../message.ts";
import { codeOrLinkBlocks, type CodeOrLink } from "./code-or-link.ts";

/** Leads to a new password, by link, by code or by either. */
export function resetPassword(wayIn: CodeOrLink): MailMessage {
  return {
    template: wayIn.code === undefined ? "reset_email" : "reset_email_by_code",
    ...wayIn,
    write: (writing) => {
      const { say, sender } = writing;
      return {
        subject: say.text("resetSubject"),
        blocks: [
          { kind: "text", text: say.text("resetLead", { sender }) },
          ...codeOrLinkBlocks(writing, wayIn, say.text("resetButton")),
          { kind: "note", text: say.text("resetNote") },
        ],
      };
    },
  };
}
