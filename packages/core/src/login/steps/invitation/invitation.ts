import * as z from "zod";
import { findOne } from "../../../store/find-one.ts";
import type { Row } from "../../../store/schema.ts";
import { organizationLook } from "../../../model/organizations/branding.ts";
import type { Interaction } from "../../interaction.ts";

/** The organization and the inviter. The screens of an invited login contain them. */
export const invitedToSchema = z
  .strictObject({
    organization: z
      .strictObject({
        name: z.string().meta({ description: "The display name" }),
        logoUrl: z.string().exactOptional().meta({ description: "The URL of the logo" }),
      })
      .meta({ description: "The organization that the visitor is invited to" }),
    inviter: z.string().meta({ description: "The name of the inviter" }),
  })
  .meta({ id: "InvitedTo", description: "The invitation that this login started from" });

export type InvitedTo = z.infer<typeof invitedToSchema>;

/** An invitation, and the organization that it belongs to. */
interface FoundInvitation {
  readonly invitation: Row<"invitations">;
  readonly organization: Row<"organizations">;
}

/**
 * Returns the invitation that an interaction started from. Returns undefined if there is none, or if the invitation or
 * its organization was deleted.
 */
export async function findInvitationOf({ tenant, request }: Interaction): Promise<FoundInvitation | undefined> {
  if (request.invitation === undefined) return undefined;
  const invitation = await findOne(tenant.data.invitations, { id: request.invitation.id });
  const organization = invitation && (await tenant.organization(invitation.organization_id));
  return invitation && organization && { invitation, organization };
}

/**
 * Returns the organization and the inviter. Returns undefined if the interaction did not start from an invitation, or
 * if the invitation was accepted already.
 */
export async function invitedTo(interaction: Interaction): Promise<InvitedTo | undefined> {
  const found = await findInvitationOf(interaction);
  if (found === undefined || found.invitation.accepted_at !== null) return undefined;
  return toInvitedTo(found);
}

/** Converts an invitation to the form that screens contain. */
export function toInvitedTo({ invitation, organization }: FoundInvitation): InvitedTo {
  return { organization: organizationLook(organization), inviter: invitation.inviter_name };
}
