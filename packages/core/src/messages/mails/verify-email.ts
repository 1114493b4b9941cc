import type { MailMessage } from "../message.ts";
import { wayInBlocks, type WayIn } from "./way-in.ts";

/** Asks the owner of an address to confirm that it is theirs, by link, by code or by either. */
export function verifyEmail(wayIn: WayIn): MailMessage {
  return {
    template: wayIn.code === undefined ? "verify_email" : "verify_email_by_code",
    ...wayIn,
    write: (writing) => {
      const { say, sender, address } = writing;
      return {
        subject: say.text("verifySubject"),
        blocks: [
          { kind: "text", text: say.text("verifyLead", { address, sender }) },
          ...wayInBlocks(writing, wayIn, say.text("verifyButton")),
          { kind: "note", text: say.text("verifyNote", { sender }) },
        ],
      };
    },
  };
}
