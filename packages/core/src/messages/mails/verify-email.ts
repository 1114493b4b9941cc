import type { MailMessage } from "../message.ts";
import { codeOrLinkBlocks, type CodeOrLink } from "./code-or-link.ts";

/** Returns the mail that asks the owner of an email address to verify it with a link, a code or both. */
export function verifyEmailMail(codeOrLink: CodeOrLink): MailMessage {
  return {
    template: codeOrLink.code === undefined ? "verify_email" : "verify_email_by_code",
    ...codeOrLink,
    write: (writing) => {
      const { t, sender, address } = writing;
      return {
        subject: t.text("verifySubject"),
        blocks: [
          { kind: "text", text: t.text("verifyLead", { address, sender }) },
          ...codeOrLinkBlocks(writing, codeOrLink, t.text("verifyButton")),
          { kind: "note", text: t.text("verifyNote", { sender }) },
        ],
      };
    },
  };
}
