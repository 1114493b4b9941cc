import type { MailMessage } from "../message.ts";

/** Greets somebody whose account is ready. */
export function welcome(): MailMessage {
  return {
    template: "welcome_email",
    write: ({ say, sender, address }) => ({
      subject: say.text("welcomeSubject", { sender }),
      blocks: [{ kind: "text", text: say.text("welcomeLead", { sender, address }) }],
    }),
  };
}
