import type { Row } from "../../store/schema.ts";
import { mailLater } from "../../messages/mail-later.ts";
import { accountLinked } from "../../messages/mails/account-linked.ts";
import { canMail, sendMail } from "../../messages/send.ts";
import type { Interaction } from "../interaction.ts";
import { toProviderChoice } from "./providers.ts";

/**
 * Notifies the owner of an account, by a mail after the response, that an identity provider was linked to the account.
 */
export function notifyLinkedAccount({ tenant, client, request }: Interaction, connection: Row<"connections">, user: Row<"users">): void {
  if (user.email === "" || !canMail(tenant)) return;
  const message = accountLinked(toProviderChoice(tenant, connection).label);
  const recipient = { to: user.email, user, client, uiLocales: request.ui_locales };
  mailLater(tenant, message.template, () => sendMail(tenant, message, recipient));
}
