import type { MailMessage, SmsMessage } from "../message.ts";
import { codeOrLinkBlocks } from "./code-or-link.ts";

/** Returns the message with a link to sign in with. */
export function loginLink({ link }: { readonly link: string }): MailMessage & SmsMessage {
  return {
    template: "login_link",
    link,
    write: (writing) => {
      const { t, app } = writing;
      return {
        subject: t.text("loginLinkSubject", { app }),
        blocks: [
          { kind: "text", text: t.text("loginLinkLead", { app }) },
          ...codeOrLinkBlocks(writing, { link }, t.text("loginButton")),
          { kind: "note", text: t.text("loginLinkNote") },
        ],
      };
    },
    writeText: ({ t, app }) => [t.text("loginLinkText", { app }), link].join("\n\n"),
  };
}
