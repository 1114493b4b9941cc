import type { MailMessage } from "../message.ts";

/** Tells the owner of an account that it has a new password. */
export function passwordChanged(): MailMessage {
  return {
    template: "password_changed",
    write: ({ say, sender }) => ({
      subject: say.text("passwordChangedSubject"),
      blocks: [
        { kind: "text", text: say.text("passwordChangedLead", { sender }) },
        { kind: "note", text: say.text("passwordChangedNote") },
      ],
    }),
  };
}
