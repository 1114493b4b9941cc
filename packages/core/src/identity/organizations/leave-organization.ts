import type { TenantContext } from "../../context.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { Row } from "../../store/schema.ts";
import { isMember, removeMember } from "./members.ts";

/**
 * Removes a user from an organization at the request of the user, with their roles there. Writes the audit event.
 * @returns `false` if the user is not a member.
 */
export async function leaveOrganization(
  tenant: TenantContext,
  { user, client }: { readonly user: Row<"users">; readonly client: RegisteredClient | undefined },
  organizationId: string,
): Promise<boolean> {
  if (!(await isMember(tenant.data, organizationId, user.user_id))) return false;
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
