import type { MailMessage } from "../message.ts";

/** Tells the owner of an account that it has a new password. */
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
