import * as z from "zod";
import type { Row } from "../../../store/schema.ts";
import { organizationLook } from "../../../model/organizations/branding.ts";
import type { Interaction } from "../../interaction.ts";

/** Who invites to what, as every page says it on the way. */
export const InvitedTo = z
  .strictObject({
    organization: z
      .strictObject({
        name: z.string().meta({ description: "For people" }),
        logoUrl: z.string().exactOptional().meta({ description: "The address of its logo" }),
      })
      .meta({ description: "What the invitation leads into" }),
    inviter: z.string().meta({ description: "The name of who invites" }),
  })
  .meta({ id: "InvitedTo", description: "The invitation that the person came with" });

export type InvitedTo = z.infer<typeof InvitedTo>;

/** An invitation, and the organization that it leads into. */
export interface FoundInvitation {
  readonly invitation: Row<"invitations">;
  readonly organization: Row<"organizations">;
}

/** The invitation that an interaction came with; undefined where there is none, or it was withdrawn. */
export async function findInvitationOf({ tenant, request }: Interaction): Promise<FoundInvitation | undefined> {
  if (request.invitation === undefined) return undefined;
  const [invitation] = await tenant.data.invitations.find({ where: { id: request.invitation.id }, limit: 1 });
  const organization = invitation && (await tenant.organization(invitation.organization_id));
  return invitation && organization && { invitation, organization };
}

/** Who invites to what; undefined where nobody does, or not any more. */
export async function invitedTo(interaction: Interaction): Promise<InvitedTo | undefined> {
  const found = await findInvitationOf(interaction);
  if (found === undefined || found.invitation.accepted_at !== null) return undefined;
  return toInvitedTo(found);
}

/** An invitation in the words of a screen. */
export function toInvitedTo({ invitation, organization }: FoundInvitation): InvitedTo {
  return { organization: organizationLook(organization), inviter: invitation.inviter_name };
}
