import { findInvitation } from "../../../identity/organizations/invitations.ts";
import { PosternError } from "../../../errors.ts";
import type { AuthorizationCheck } from "./check.ts";

/**
 * Checks the ticket of an invitation. The invitation selects the organization, even if the client does not allow
 * organizations otherwise.
 */
export const checkInvitation: AuthorizationCheck = async (checked) => {
  const { invitation: ticket, organization: named, client_id: clientId } = checked.sent;
  if (ticket === undefined) return;
  const { data } = checked.tenant;
  const invitation = await findInvitation(data, ticket);
  const organization = invitation && (await checked.tenant.organization(invitation.organization_id));
  if (invitation === undefined || organization === undefined || invitation.client_id !== clientId) {
    throw new PosternError("invalid_request", "'invitation' does not match an existing invitation");
  }
  if (named !== undefined && (await checked.tenant.organization(named))?.id !== organization.id) {
    throw new PosternError("invalid_request", "'invitation' and 'organization' name different organizations");
  }
  if (invitation.accepted_at === null && invitation.expires_at <= checked.tenant.now()) {
    throw new PosternError("access_denied", "the invitation has expired", { reason: "invitation-expired" });
  }
  checked.request.invitation = { id: invitation.id, email: invitation.invitee_email };
  checked.request.organization = { id: organization.id, by_name: named !== undefined && named !== organization.id };
  const { connection_id: connectionId } = invitation;
  const connection = connectionId === null ? undefined : await checked.tenant.connections.byId(connectionId);
  if (connection !== undefined) checked.request.connection = connection.name;
};
