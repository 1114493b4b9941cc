import type { MailMessage } from "../message.ts";

/** Welcomes a new user. */
export function welcome(): MailMessage {
  return {
    template: "welcome_email",
    write: ({ say, sender, address }) => ({
      subject: say.text("welcomeSubject", { sender }),
      blocks: [{ kind: "text", text: say.text("welcomeLead", { sender, address }) }],
    }),
  };
}
