import type { TenantContext } from "../../context.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { areFactorsFrozen, frozenFactors } from "../factors/frozen-factors.ts";
import { isMember, removeMember } from "./members.ts";

/**
 * Removes a user from an organization at the request of the user, with their roles there. Writes the audit event.
 * @returns `false` if the user is not a member, was blocked, linked or deleted, or if the deletion is pending.
 * @throws {PosternError} `access_denied` if changes are frozen; `conflict` if concurrent requests keep changing the user.
 */
export async function leaveOrganization(
  tenant: TenantContext,
  { user, client }: { readonly user: Row<"users">; readonly client: RegisteredClient | undefined },
  organizationId: string,
): Promise<boolean> {
  if (!(await isMember(tenant.data, organizationId, user.user_id))) return false;
  // The write that allows the change, as in `unlinkOwnAccount`.
  const where = { user_id: user.user_id, linked_to: "", blocked: false, deletes_at: null } as const;
  const { outcome } = await changeRow(tenant.data.users, where, (current) => {
    if (areFactorsFrozen(tenant, current)) throw frozenFactors();
    return { updated_at: tenant.now() };
  });
  if (outcome === "lost-race") throw lostRace("user");
  if (outcome === "absent") return false;
  await removeMember(tenant.data, organizationId, user.user_id);
  await tenant.audit({
    type: "my_account_profile_succeeded",
    description: "The user left an organization.",
    ...auditClient(client),
    ...auditUser(user),
    details: { fields: ["organizations"], organization_id: organizationId },
  });
  return true;
}
