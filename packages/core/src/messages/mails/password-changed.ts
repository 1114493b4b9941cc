import type { MailMessage } from "../message.ts";

/** Returns the mail which tells the owner of an account that its password was changed. */
export function passwordChangedMail(): MailMessage {
  return {
    template: "password_changed",
    write: ({ t, sender }) => ({
      subject: t.text("passwordChangedSubject"),
      blocks: [
        { kind: "text", text: t.text("passwordChangedLead", { sender }) },
        { kind: "note", text: t.text("passwordChangedNote") },
      ],
    }),
  };
}
