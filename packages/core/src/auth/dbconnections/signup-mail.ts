import type { Row } from "../../data/schema.ts";
import { createTicket } from "../../domain/tickets/ticket.ts";
import type { SignedUp } from "../../domain/users/sign-up.ts";
import { accountExists } from "../../mail/messages/account-exists.ts";
import { verifyEmail } from "../../mail/messages/verify-email.ts";
import { canMail, sendMail } from "../../mail/send.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { resetPasswordLink, verifyEmailLink } from "../../tenancy/ticket-links.ts";
import type { Client, Tenant } from "../../tenancy/tenant.ts";

/**
 * Writes to the address that somebody signed up with: a new account's owner verifies it, unless the connection wants no verification, and who has an account by it learns that, with a
 * way back in. Either makes a ticket and writes a mail, so that both take the same time.
 */
export async function sendSignUpMail(
  tenant: Tenant,
  client: Client | undefined,
  database: Row<"connections">,
  signedUp: Extract<SignedUp, { kind: "created" | "taken" }>,
): Promise<void> {
  const taken = signedUp.kind === "taken";
  const user = taken ? signedUp.owner : signedUp.user;
  const { verification } = databaseOptions(database).attributes?.email?.signup ?? {};
  const wanted = taken ? signedUp.fields.includes("email") : verification?.active !== false;
  if (!wanted || user === undefined || user.email === "" || !canMail(tenant)) return;
  const purpose = taken ? "reset-password" : "verify-email";
  const ticket = await createTicket(tenant.environment, tenant.data, { purpose, user, clientId: client?.record.client_id });
  const message = taken
    ? accountExists({ link: resetPasswordLink(tenant, ticket) })
    : verifyEmail({ link: verifyEmailLink(tenant, ticket) });
  await sendMail(tenant, message, { to: user.email, user, client });
}
