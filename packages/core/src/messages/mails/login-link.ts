import type { MailMessage, SmsMessage } from "../message.ts";
import { codeOrLinkBlocks } from "./code-or-link.ts";

/** A message with a link to sign in with. */
export function loginLink({ link }: { readonly link: string }): MailMessage & SmsMessage {
  return {
    template: "login_link",
    link,
    write: (writing) => {
      const { say, app } = writing;
      return {
        subject: say.text("loginLinkSubject", { app }),
        blocks: [
          { kind: "text", text: say.text("loginLinkLead", { app }) },
          ...codeOrLinkBlocks(writing, { link }, say.text("loginButton")),
          { kind: "note", text: say.text("loginLinkNote") },
        ],
      };
    },
    writeText: ({ say, app }) => [say.text("loginLinkText", { app }), link].join("\n\n"),
  };
}
