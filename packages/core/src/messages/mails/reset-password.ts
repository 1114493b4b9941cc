import type { MailMessage } from "../message.ts";
import { codeOrLinkBlocks, type CodeOrLink } from "./code-or-link.ts";

/** Returns the mail with a link, a code or both with which a user sets a new password. */
export function resetPasswordMail(codeOrLink: CodeOrLink): MailMessage {
  return {
    template: codeOrLink.code === undefined ? "reset_email" : "reset_email_by_code",
    ...codeOrLink,
    write: (writing) => {
      const { t, sender } = writing;
      return {
        subject: t.text("resetSubject"),
        blocks: [
          { kind: "text", text: t.text("resetLead", { sender }) },
          ...codeOrLinkBlocks(writing, codeOrLink, t.text("resetButton")),
          { kind: "note", text: t.text("resetNote") },
        ],
      };
    },
  };
}
