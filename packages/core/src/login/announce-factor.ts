import { auditClient, auditUser } from "../logs/audit.ts";
import { notifyFactorChange } from "../messages/factor-mails.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { toApiFactorType, type FactorType } from "../model/factors/factor-types.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/**
 * Tells a user that they added a factor, and writes the audit event.
 * @param user the account before the change.
 */
export async function announceNewFactor(
  tenant: RequestTenant,
  client: RegisteredClient | undefined,
  user: Row<"users">,
  type: FactorType,
): Promise<void> {
  const notice = await notifyFactorChange(tenant, user, { change: "added", type, client });
  await tenant.audit({
    type: "gd_enrollment_complete",
    description: "A second factor was added.",
    details: { authenticator: { type: toApiFactorType(type) }, ...notice },
    ...auditClient(client),
    ...auditUser(user),
  });
}
