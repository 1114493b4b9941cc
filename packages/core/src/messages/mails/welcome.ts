import type { MailMessage } from "../message.ts";

/** Returns the mail that welcomes a new user. */
export function welcome(): MailMessage {
  return {
    template: "welcome_email",
    write: ({ t, sender, address }) => ({
      subject: t.text("welcomeSubject", { sender }),
      blocks: [{ kind: "text", text: t.text("welcomeLead", { sender, address }) }],
    }),
  };
}
