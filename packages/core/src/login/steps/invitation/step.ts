import { auditUser } from "../../../logs/audit.ts";
import * as z from "zod";
import { acceptInvitation, isInvited } from "../../../identity/organizations/invitations.ts";
import { PosternError } from "../../../errors.ts";
import { action, showScreen, passStep, describeStep, step } from "../../step.ts";
import { nameOf } from "../name-of.ts";
import { otherAccount } from "../other-account.ts";
import { findInvitationOf, invitedToSchema, toInvitedTo } from "./invitation.ts";

const definition = describeStep({
  name: "invitation",
  summary: "Asks the user to accept an invitation, or to sign in with the invited account",
  screenFields: {
    ...invitedToSchema.shape,
    email: z.string().meta({ description: "The invited email address" }),
    account: z.string().meta({ description: "The signed-in user" }),
    invited: z.boolean().meta({ description: "Whether the signed-in user is the user who was invited" }),
  },
  problems: {},
  silentError: ["interaction_required", "the user must accept the invitation first"],
  actions: {
    "accept-invitation": action({ summary: "Join the organization", fields: {}, isConsent: true })(({ browser }) => {
      const joinedBy = browser?.user.user_id;
      return joinedBy === undefined ? {} : { change: (progress) => ({ ...progress, joined_by: joinedBy }) };
    }),
    "not-now": action({ summary: "Decline for now. The invitation stays valid", fields: {} })(() => ({
      change: (progress) => ({ ...progress, declined: "the user did not accept the invitation" }),
    })),
    "other-account": otherAccount,
  },
});

export type InvitationScreen = z.output<typeof definition.screen>;

/**
 * Asks whether to join an organization. If the signed-in user is not the one who was invited, asks them to sign in with
 * another account. A sign-in alone does not accept the invitation.
 */
export const invitationStep = step(definition, {
  requiresSession: true,
  async decide(interaction, { person: { user } }) {
    const { tenant, request, progress } = interaction;
    if (request.invitation === undefined) return passStep;
    const found = await findInvitationOf(interaction);
    if (found === undefined) throw new PosternError("access_denied", "the invitation was withdrawn", { reason: "invitation-withdrawn" });
    if (found.invitation.accepted_at === null) {
      if (found.invitation.expires_at <= tenant.now()) throw refusalOf(false);
      const invited = await isInvited(tenant.data, found.invitation, user);
      if (!invited || progress.joined_by !== user.user_id) {
        const { invitee_email: email } = found.invitation;
        return showScreen({ name: "invitation", ...toInvitedTo(found), email, account: nameOf(user), invited });
      }
    }
    const acceptance = await acceptInvitation(tenant, found.invitation, user);
    if (acceptance === "refused") throw refusalOf(found.invitation.accepted_at !== null);
    if (acceptance === "accepted") {
      await tenant.audit({
        type: "si",
        ...auditUser(user),
        organization: { id: found.organization.id, name: found.organization.name },
        details: { invitation_id: found.invitation.id },
      });
    }
    return passStep;
  },
});

function refusalOf(used: boolean): PosternError {
  return used
    ? new PosternError("access_denied", "the invitation was used", { reason: "invitation-used" })
    : new PosternError("access_denied", "the invitation has expired", { reason: "invitation-expired" });
}
