import type { MailMessage } from "../message.ts";
import { timeText } from "./time-text.ts";

/** Returns the mail with which an operator tests the email settings of a tenant. @param at in milliseconds since 1970. */
export function testMail(at: number): MailMessage {
  return {
    template: "test_email",
    write: ({ t, sender }) => ({
      subject: t.text("testSubject", { sender }),
      blocks: [{ kind: "text", text: t.text("testLead", { sender, time: timeText(at, t.lang) }) }],
    }),
  };
}
