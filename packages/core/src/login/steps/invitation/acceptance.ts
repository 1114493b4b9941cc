import { acceptInvitation, isInvited } from "../../../domain/organizations/invitations.ts";
import { PosternError } from "../../../errors.ts";
import { organizationLook } from "../../../model/organizations/branding.ts";
import type { InvitationScreen } from "../../screen.ts";
import type { SignedIn, Visit } from "../../interaction.ts";

/**
 * Accepts the invitation that a visit came with. Who signed in on this visit did so to accept it; who was signed in before is asked first, and so nobody joins silently.
 * @returns what to ask: whether to join, or, of somebody else, to sign in as the one who is invited.
 * @throws {PosternError} `access_denied` for an invitation that is not to be had.
 */
export async function followInvitation({ tenant, demands, progress }: Visit, { user }: SignedIn): Promise<InvitationScreen | undefined> {
  if (demands.invitation === undefined) return undefined;
  const { data, environment } = tenant;
  const [invitation] = await data.invitations.find({ where: { id: demands.invitation.id }, limit: 1 });
  const organization = invitation && (await tenant.organization(invitation.organization_id));
  if (invitation === undefined || organization === undefined) throw new PosternError("access_denied", "the invitation was withdrawn");

  if (invitation.accepted_at === null) {
    const invited = await isInvited(data, invitation, user);
    const agreed = progress.user_id === user.user_id || progress.joined_by === user.user_id;
    if (!invited || !agreed) {
      return {
        name: "invitation",
        organization: organizationLook(organization),
        inviter: invitation.inviter_name,
        email: invitation.invitee_email,
        account: user.email || user.name || user.user_id,
        invited,
      };
    }
  }
  const acceptance = await acceptInvitation(environment, data, invitation, user);
  if (acceptance === "refused") throw new PosternError("access_denied", "the invitation has expired or was used");
  if (acceptance === "accepted") {
    await tenant.audit({
      type: "si",
      user: { user_id: user.user_id, name: user.name },
      organization: { id: organization.id, name: organization.name },
      details: { invitation_id: invitation.id },
    });
  }
  return undefined;
}
