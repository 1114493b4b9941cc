import type { MailMessage } from "../message.ts";
import { codeOrLinkBlocks, type CodeOrLink } from "./code-or-link.ts";

/** Asks the owner of an email address to verify it, with a link, a code or both. */
export function verifyEmail(codeOrLink: CodeOrLink): MailMessage {
  return {
    template: codeOrLink.code === undefined ? "verify_email" : "verify_email_by_code",
    ...codeOrLink,
    write: (writing) => {
      const { say, sender, address } = writing;
      return {
        subject: say.text("verifySubject"),
        blocks: [
          { kind: "text", text: say.text("verifyLead", { address, sender }) },
          ...codeOrLinkBlocks(writing, codeOrLink, say.text("verifyButton")),
          { kind: "note", text: say.text("verifyNote", { sender }) },
        ],
      };
    },
  };
}
