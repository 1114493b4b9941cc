import type { MailMessage } from "../message.ts";
import { codeOrLinkBlocks, type CodeOrLink } from "./code-or-link.ts";

/** A mail with a link, a code or both to set a new password. */
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
