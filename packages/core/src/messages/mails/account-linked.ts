import type { MailMessage } from "../message.ts";

/** Tells the owner of an account that an identity provider now signs in to it as well. @param provider the provider's name, for people. */
export function accountLinked(provider: string): MailMessage {
  return {
    template: "account_linked",
    write: ({ say, sender }) => ({
      subject: say.text("accountLinkedSubject", { provider }),
      blocks: [
        { kind: "text", text: say.text("accountLinkedLead", { provider, sender }) },
        { kind: "note", text: say.text("accountLinkedNote", { sender }) },
      ],
    }),
  };
}
