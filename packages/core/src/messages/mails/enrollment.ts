import type { MailMessage } from "../message.ts";

/** Returns the mail with a link with which a user adds a second factor. */
export function enrollmentMail({ link }: { readonly link: string }): MailMessage {
  return {
    template: "enrollment_email",
    link,
    write: ({ t, sender }) => ({
      subject: t.text("enrollSubject"),
      blocks: [
        { kind: "text", text: t.text("enrollLead", { sender }) },
        { kind: "link", label: t.text("enrollButton"), link },
        { kind: "note", text: t.text("enrollNote", { sender }) },
      ],
    }),
  };
}
