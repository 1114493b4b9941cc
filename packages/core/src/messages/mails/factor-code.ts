import { spokenCode, type CallMessage, type MailMessage, type SmsMessage } from "../message.ts";
import { codeOrLinkBlocks } from "./code-or-link.ts";

/** Returns the message with the code of a second factor. */
export function factorCode({ code }: { readonly code: string }): MailMessage & SmsMessage & CallMessage {
  return {
    template: "mfa_oob_code",
    code,
    write: (writing) => {
      const { t, app } = writing;
      return {
        subject: t.text("factorCodeSubject", { app }),
        blocks: [
          { kind: "text", text: t.text("factorCodeLead", { app }) },
          ...codeOrLinkBlocks(writing, { code }, ""),
          { kind: "note", text: t.text("factorCodeNote") },
        ],
      };
    },
    // The last line has the format for origin-bound one-time codes (WICG): phones fill in the code only on pages of
    // this host.
    writeText: ({ t, app, host }) => [t.text("factorCodeText", { code, app }), `@${host} #${code}`].join("\n\n"),
    writeSpokenText: ({ t, app }) => t.text("factorCodeSpoken", { code: spokenCode(code), app }),
  };
}
