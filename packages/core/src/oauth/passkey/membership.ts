import { PosternError } from "../../errors.ts";
import { addMember } from "../../identity/organizations/members.ts";
import { auditUser } from "../../logs/audit.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/**
 * Requires that the users of a connection become members of an organization when they sign in. Otherwise a user who signs
 * up for the organization would have an account but receive no tokens.
 * @throws {PosternError} `invalid_request`.
 */
export async function requireAssignedMembership(tenant: RequestTenant, connectionId: string, organizationId: string): Promise<void> {
  const enabled = await tenant.organizationConnections(organizationId);
  if (enabled.find(({ connection_id: id }) => id === connectionId)?.assign_membership_on_login !== true)
    throw new PosternError("invalid_request", "'organization' does not accept new users of this connection (assign_membership_on_login)");
}

/** Adds a new user to the organization that they signed up for. */
export async function addNewMember(tenant: RequestTenant, user: Row<"users">, { id, name }: Row<"organizations">): Promise<void> {
  if (!(await addMember(tenant, id, user.user_id))) return;
  await tenant.audit({
    type: "organization_member_added",
    description: "Users who sign in with this connection become members of the organization.",
    organization: { id, name },
    ...auditUser(user),
  });
}
