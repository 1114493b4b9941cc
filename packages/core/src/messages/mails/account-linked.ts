import type { MailMessage } from "../message.ts";

/**
 * Returns the mail which tells the owner of an account that it can now be signed in to with an identity provider.
 * @param provider the display name of the provider.
 */
export function accountLinked(provider: string): MailMessage {
  return {
    template: "account_linked",
    write: ({ t, sender }) => ({
      subject: t.text("accountLinkedSubject", { provider }),
      blocks: [
        { kind: "text", text: t.text("accountLinkedLead", { provider, sender }) },
        { kind: "note", text: t.text("accountLinkedNote", { sender }) },
      ],
    }),
  };
}
