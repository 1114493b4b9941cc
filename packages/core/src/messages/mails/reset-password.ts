import type { MailMessage } from "../message.ts";
import { wayInBlocks, type WayIn } from "./way-in.ts";

/** Leads to a new password, by link, by code or by either. */
export function resetPassword(wayIn: WayIn): MailMessage {
  return {
    template: wayIn.code === undefined ? "reset_email" : "reset_email_by_code",
    ...wayIn,
    write: (writing) => {
      const { say, sender } = writing;
      return {
        subject: say.text("resetSubject"),
        blocks: [
          { kind: "text", text: say.text("resetLead", { sender }) },
          ...wayInBlocks(writing, wayIn, say.text("resetButton")),
          { kind: "note", text: say.text("resetNote") },
        ],
      };
    },
  };
}
