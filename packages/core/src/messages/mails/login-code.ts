import type { MailMessage, SmsMessage } from "../message.ts";
import { loginLink } from "./login-link.ts";
import { codeOrLinkBlocks, type CodeOrLink } from "./code-or-link.ts";

/**
 * Returns the message with a code to sign in with, or with a code and a link. Without a code, returns the message of
 * {@link loginLink}.
 */
export function loginCode({ code, link }: CodeOrLink): MailMessage & SmsMessage {
  if (code === undefined) {
    if (link === undefined) throw new TypeError("a login message requires a code or a link");
    return loginLink({ link });
  }
  const codeOrLink = { code, ...(link !== undefined && { link }) };
  return {
    template: "login_code",
    ...codeOrLink,
    write: (writing) => {
      const { t, app } = writing;
      return {
        subject: t.text("loginCodeSubject", { app }),
        blocks: [
          { kind: "text", text: t.text("loginCodeLead", { app }) },
          ...codeOrLinkBlocks(writing, codeOrLink, t.text("loginButton")),
          { kind: "note", text: t.text("loginCodeNote") },
        ],
      };
    },
    // The last line has the format for origin-bound one-time codes (WICG): phones fill in the code only on pages of
    // this host.
    writeText: ({ t, app, host }) =>
      [t.text("loginCodeText", { code, app }), ...(link === undefined ? [] : [link]), `@${host} #${code}`].join("\n\n"),
  };
}
