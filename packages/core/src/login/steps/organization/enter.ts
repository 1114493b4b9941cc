import { auditUser } from "../../../logs/audit.ts";
import type { Row } from "../../../store/schema.ts";
import { addMember, isMember } from "../../../identity/organizations/members.ts";
import { PosternError } from "../../../errors.ts";
import type { Interaction, BrowserSession } from "../../interaction.ts";
import type { StepDecision } from "../../step.ts";

/**
 * Returns the decision to continue as a member of an organization. If the session's connection is not enabled for the
 * organization, the user must first sign in with another connection. Adds the user as a member if the organization's
 * connection assigns membership on login.
 * @throws {PosternError} `access_denied` if the user is not a member of the organization.
 */
export async function enter(
  { tenant, client }: Interaction,
  { user, session }: BrowserSession,
  organization: Row<"organizations">,
): Promise<Exclude<StepDecision<never>, { kind: "show" }>> {
  const { data } = tenant;
  if (!(await tenant.connections.offers(client, session.connection_id, organization.id)))
    return { kind: "sign-in", organizationId: organization.id };
  const entered = { kind: "pass", settled: { organization } } as const;
  if (await isMember(data, organization.id, user.user_id)) return entered;

  const enabled = await tenant.organizationConnections(organization.id);
  const connection = enabled.find(({ connection_id: id }) => id === session.connection_id);
  if (connection?.assign_membership_on_login !== true) {
    throw new PosternError("access_denied", `the user is not a member of the organization '${organization.id}'`);
  }
  if (await addMember(tenant, organization.id, user.user_id)) {
    const { id, name } = organization;
    await tenant.audit({
      type: "organization_member_added",
      description: "Users who sign in with this connection become members of the organization.",
      organization: { id, name },
      ...auditUser(user),
    });
  }
  return entered;
}
