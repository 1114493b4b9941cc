import type { MailMessage } from "../message.ts";

/**
 * Returns the mail which tells the owner of an account that the user of another account tried to use its email address. The
 * page does not reveal that the account exists.
 */
export function addressInUse(): MailMessage {
  return {
    template: "address_in_use",
    write: ({ t, sender }) => ({
      subject: t.text("addressInUseSubject"),
      blocks: [
        { kind: "text", text: t.text("addressInUseLead", { sender }) },
        { kind: "note", text: t.text("addressInUseNote") },
      ],
    }),
  };
}
