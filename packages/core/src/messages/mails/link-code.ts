import type { MailMessage } from "../message.ts";
import { codeOrLinkBlocks } from "./code-or-link.ts";

/**
 * Returns the mail with the code that links an account at an identity provider to the recipient's account. The mail
 * names the provider that the account can be signed in to with.
 */
export function linkCode({ code, provider }: { readonly code: string; readonly provider: string }): MailMessage {
  return {
    template: "link_code",
    code,
    write: (writing) => {
      const { t, sender } = writing;
      return {
        subject: t.text("linkCodeSubject", { provider }),
        blocks: [
          { kind: "text", text: t.text("linkCodeLead", { provider, sender }) },
          ...codeOrLinkBlocks(writing, { code }, ""),
          { kind: "note", text: t.text("linkCodeNote", { provider }) },
        ],
      };
    },
  };
}
