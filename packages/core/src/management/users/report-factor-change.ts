import { auditUser } from "../../logs/audit.ts";
import { notifyAdministeredChange } from "../../messages/factor-mails.ts";
import type { FactorChange } from "../../messages/mails/factor-changed.ts";
import type { AuditEvent } from "../../model/logs/audit-event.ts";
import { factorTypeSchema, toApiFactorType } from "../../model/factors/factor-types.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** The audit events of changes by an administrator, with Auth0's types. */
const events: { readonly [change in FactorChange]: Pick<AuditEvent, "type" | "description"> } = {
  added: { type: "gd_enrollment_complete", description: "An administrator added a second factor." },
  removed: { type: "gd_unenroll", description: "An administrator removed a second factor." },
  updated: { type: "gd_update_device_account", description: "An administrator changed a second factor." },
  replaced: { type: "gd_enrollment_complete", description: "An administrator replaced the recovery code." },
};

/** A factor that an administrator changed, as it was stored. */
type ChangedFactor = Pick<Row<"factors">, "type" | "confirmed_at"> & Partial<Pick<Row<"factors">, "id" | "address">>;

/**
 * Reports a change of a user's factors by an administrator: an audit event for each factor, and one message to the user.
 * Factors that were never confirmed are ignored, because the user could not authenticate with them. Without another
 * factor, nothing is reported.
 * @param user the account before the change.
 */
export async function reportFactorChange(
  tenant: RequestTenant,
  user: Row<"users">,
  change: FactorChange,
  factors: readonly ChangedFactor[],
): Promise<void> {
  const types = factors.filter(({ confirmed_at: confirmed }) => confirmed !== null).map(({ type }) => factorTypeSchema.parse(type));
  if (types.length === 0) return;
  const notice = await notifyAdministeredChange(tenant, user, { change, types }, factors);
  await Promise.all(
    types.map((type) =>
      tenant.audit({ ...events[change], details: { authenticator: { type: toApiFactorType(type) }, ...notice }, ...auditUser(user) }),
    ),
  );
}
