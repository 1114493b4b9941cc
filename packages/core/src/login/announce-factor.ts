import { auditClient, auditUser } from "../logs/audit.ts";
import { sendFactorChangedMail } from "../messages/factor-mails.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { toApiFactorType, type FactorType } from "../model/factors/factor-types.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/**
 * Mails a user that they added a factor, and writes the audit event.
 * @param user the account before the change.
 */
export function announceNewFactor(
  tenant: RequestTenant,
  client: RegisteredClient | undefined,
  user: Row<"users">,
  type: FactorType,
): Promise<void> {
  sendFactorChangedMail(tenant, user, { change: "added", type, client });
  return tenant.audit({
    type: "gd_enrollment_complete",
    description: "A second factor was added.",
    details: { authenticator: { type: toApiFactorType(type) } },
    ...auditClient(client),
    ...auditUser(user),
  });
}
