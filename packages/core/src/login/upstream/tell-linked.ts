import type { Row } from "../../data/schema.ts";
import { mailLater } from "../../mail/later.ts";
import { accountLinked } from "../../mail/messages/account-linked.ts";
import { canMail, sendMail } from "../../mail/send.ts";
import type { Interaction } from "../interaction.ts";
import { toProviderChoice } from "./providers.ts";

/** Tells the owner of an account by mail that an identity provider was linked to it. The mail is sent after the response. */
export function tellLinked({ tenant, client, request }: Interaction, connection: Row<"connections">, user: Row<"users">): void {
  if (user.email === "" || !canMail(tenant)) return;
  const message = accountLinked(toProviderChoice(connection).label);
  const recipient = { to: user.email, user, client, uiLocales: request.ui_locales };
  mailLater(tenant, message.template, () => sendMail(tenant, message, recipient));
}
