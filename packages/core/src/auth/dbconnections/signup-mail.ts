import type { Row } from "../../data/schema.ts";
import type { SignedUp } from "../../domain/users/sign-up.ts";
import { mailAccountExists, mailVerificationLink } from "../../mail/links.ts";
import { canMail } from "../../mail/send.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
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
  if (!canMail(tenant)) return;
  if (signedUp.kind === "taken") {
    const { owner, fields } = signedUp;
    if (owner !== undefined && fields.includes("email")) await mailAccountExists(tenant, database, { user: owner, client });
    return;
  }
  const { user } = signedUp;
  const { verification } = databaseOptions(database).attributes?.email?.signup ?? {};
  if (user.email !== "" && verification?.active !== false) await mailVerificationLink(tenant, { user, client });
}
