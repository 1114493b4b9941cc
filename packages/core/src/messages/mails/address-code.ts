import type { MailMessage, SmsMessage } from "../message.ts";
import { codeOrLinkBlocks } from "./code-or-link.ts";

/** Returns the message with the code that confirms the new email address or phone number of an account. */
export function addressCode({ code }: { readonly code: string }): MailMessage & SmsMessage {
  return {
    template: "address_code",
    code,
    write: (writing) => {
      const { t, sender } = writing;
      return {
        subject: t.text("addressCodeSubject", { sender }),
        blocks: [
          { kind: "text", text: t.text("addressCodeLead", { sender }) },
          ...codeOrLinkBlocks(writing, { code }, ""),
          { kind: "note", text: t.text("addressCodeNote") },
        ],
      };
    },
    // The last line has the format for origin-bound one-time codes (WICG): phones fill in the code only on pages of
    // this host.
    writeText: ({ t, sender, host }) => [t.text("addressCodeText", { code, sender }), `@${host} #${code}`].join("\n\n"),
  };
}
