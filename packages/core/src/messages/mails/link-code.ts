import type { MailMessage } from "../message.ts";
import { codeOrLinkBlocks } from "./code-or-link.ts";

/**
 * A mail with the code that links the account of an identity provider to the recipient's account. It names the provider
 * that will sign in to the account.
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
