import type { MailMessage } from "../message.ts";
import { codeOrLinkBlocks, type CodeOrLink } from "./code-or-link.ts";

/** A mail with a link, a code or both to set a new password. */
export function resetPassword(codeOrLink: CodeOrLink): MailMessage {
  return {
    template: codeOrLink.code === undefined ? "reset_email" : "reset_email_by_code",
    ...codeOrLink,
    write: (writing) => {
      const { say, sender } = writing;
      return {
        subject: say.text("resetSubject"),
        blocks: [
          { kind: "text", text: say.text("resetLead", { sender }) },
          ...codeOrLinkBlocks(writing, codeOrLink, say.text("resetButton")),
          { kind: "note", text: say.text("resetNote") },
        ],
      };
    },
  };
}
