import type { MailMessage } from "../message.ts";

/**
 * Tells the owner of an account that an identity provider can now sign in to it.
 * @param provider the display name of the provider.
 */
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
