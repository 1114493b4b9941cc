import type { OwnDeletion } from "../context.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { accountDeletion } from "./mails/account-deletion.ts";
import { canMail, sendMail } from "./send.ts";

/** A mail about a deletion. `isReminder`: it is sent a day before the deletion. Default: at the request. */
type MailedDeletion = OwnDeletion & { readonly isReminder?: true };

/**
 * Tells a user when the account will be deleted, because the user asked for it, and how to keep it. Does nothing for a user
 * without an email address. Errors are logged.
 */
export async function mailDeletion(tenant: RequestTenant, user: Row<"users">, { client, ...deletion }: MailedDeletion): Promise<void> {
  if (!canMail(tenant) || user.email === "") return;
  const mail = accountDeletion(deletion);
  try {
    await sendMail(tenant, mail, { to: user.email, user, client });
  } catch (error) {
    tenant.host.logger.log({ level: "warn", event: "mail_failed", template: mail.template, tenant_id: tenant.id, error });
  }
}
