import { auditClient, auditUser } from "../../logs/audit.ts";
import type { Row } from "../../store/schema.ts";
import type { SignUpResult } from "../../identity/users/sign-up.ts";
import { mailAccountExists, mailVerificationLink } from "../../messages/links.ts";
import { limitMessageWithoutCode } from "../../messages/message-limits.ts";
import { canMail } from "../../messages/send.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";

/**
 * Sends an email to the address that was used for a sign-up. The owner of a new account gets a verification link,
 * unless the connection requires no verification. The owner of an existing account is informed about the sign-up, and
 * gets a link to set a new password. Both cases create a ticket and render an email, so that both take the same time.
 * If a limit on messages is exceeded, no email is sent. Only the log reports this, because the response must not reveal
 * whether an email was sent.
 */
export async function sendSignUpMail(
  tenant: RequestTenant,
  client: RegisteredClient | undefined,
  database: Row<"connections">,
  signedUp: Extract<SignUpResult, { kind: "created" | "taken" }>,
): Promise<void> {
  if (!canMail(tenant)) return;
  if (signedUp.kind === "taken") {
    const { owner, fields } = signedUp;
    if (owner === undefined || !fields.includes("email")) return;
    const refusal = await limitMessageWithoutCode(tenant, { channel: "email", address: owner.email, client }, { isResetLink: true });
    if (refusal === undefined) await mailAccountExists(tenant, database, { user: owner, client });
    else await recordUnsent(tenant, owner, client);
    return;
  }
  const { user } = signedUp;
  const { verification } = databaseOptions(database).attributes?.email?.signup ?? {};
  if (user.email === "" || verification?.active === false) return;
  if ((await mailVerificationLink(tenant, { user, client }, true)) !== undefined) await recordUnsent(tenant, user, client);
}

async function recordUnsent(tenant: RequestTenant, user: Row<"users">, client: RegisteredClient | undefined): Promise<void> {
  await tenant.audit({
    type: "fv",
    description: "The mail was not sent: too many messages were requested.",
    ...auditClient(client),
    ...auditUser(user),
  });
}
