import type { MailMessage } from "../message.ts";
import { codeOrLinkBlocks } from "./code-or-link.ts";

/**
 * Returns the mail which tells the owner of an account that someone tried to sign up with its email address. The
 * sign-up page does not reveal that the account exists.
 */
export function accountExists({ link }: { readonly link: string }): MailMessage {
  return {
    template: "account_exists",
    link,
    write: (writing) => {
      const { t, sender } = writing;
      return {
        subject: t.text("accountExistsSubject"),
        blocks: [
          { kind: "text", text: t.text("accountExistsLead", { sender }) },
          ...codeOrLinkBlocks(writing, { link }, t.text("resetButton")),
          { kind: "note", text: t.text("accountExistsNote") },
        ],
      };
    },
  };
}
