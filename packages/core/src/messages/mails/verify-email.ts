import type { MailMessage } from "../message.ts";
import { codeOrLinkBlocks, type CodeOrLink } from "./code-or-link.ts";

/** Asks the owner of an email address to verify it, with a link, a code or both. */
export function verifyEmail(wayIn: CodeOrLink): MailMessage {
  return {
    template: wayIn.code === undefined ? "verify_email" : "verify_email_by_code",
    ...wayIn,
    write: (writing) => {
      const { say, sender, address } = writing;
      return {
        subject: say.text("verifySubject"),
        blocks: [
          { kind: "text", text: say.text("verifyLead", { address, sender }) },
          ...codeOrLinkBlocks(writing, wayIn, say.text("verifyButton")),
          { kind: "note", text: say.text("verifyNote", { sender }) },
        ],
      };
    },
  };
}
