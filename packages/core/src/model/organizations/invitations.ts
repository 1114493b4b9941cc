import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { emailSchema } from "../email-address.ts";
import { metadataSchema, nameText, timestampSchema, toTimestamp } from "../fields.ts";
import { clientIdSchema } from "../clients/client-id.ts";

/** The default lifetime (seven days) and the maximum lifetime (thirty days), in seconds. */
const defaultLifetime = 604_800;
const maximumLifetime = 2_592_000;

const id = z.string().min(1).max(64);

/** An invitation as the Management API returns it. */
export const invitationSchema = z
  .strictObject({
    id: z.string(),
    organization_id: z.string(),
    inviter: z.strictObject({ name: z.string() }),
    invitee: z.strictObject({ email: z.string() }),
    invitation_url: z.string().exactOptional(),
    ticket_id: z.string().exactOptional().meta({
      description:
        "Absent, like `invitation_url`, if the caller lacks `create:organization_invitations` or a scope that the invitation grants, or if the ticket was sealed with a key that is no longer configured",
    }),
    client_id: z.string(),
    connection_id: z.string().exactOptional(),
    app_metadata: metadataSchema.exactOptional(),
    user_metadata: metadataSchema.exactOptional(),
    roles: z.array(z.string()),
    ttl_sec: z.int(),
    created_at: timestampSchema,
    expires_at: timestampSchema,
  })
  .meta({ id: "Invitation" });

const given = metadataSchema.exactOptional().meta({
  description: "Added to the user's metadata. Metadata of an existing account is not replaced",
});

/** The body of `POST /api/v2/organizations/{id}/invitations`. */
export const createInvitationSchema = z
  .strictObject({
    inviter: z.strictObject({ name: nameText(300) }),
    invitee: z.strictObject({ email: emailSchema }),
    client_id: clientIdSchema,
    connection_id: id.exactOptional(),
    app_metadata: given,
    user_metadata: given,
    roles: z.array(id).max(50).default([]),
    ttl_sec: z
      .int()
      .min(0)
      .max(maximumLifetime)
      .overwrite((seconds) => (seconds === 0 ? defaultLifetime : seconds))
      .default(defaultLifetime)
      .meta({ description: "Seconds. 0 stands for the default" }),
    send_invitation_email: z.boolean().default(true),
  })
  .meta({ id: "CreateInvitation" });

/**
 * The part of a response that the row does not contain in readable form. The row contains the encrypted ticket, and the
 * URL depends on the client.
 */
export interface InvitationLink {
  readonly ticket: string;
  readonly url: string;
}

/** Converts a row to the Management API format. Empty fields are omitted, except for the roles. */
export function toInvitation(row: Row<"invitations">, link: InvitationLink | undefined): z.infer<typeof invitationSchema> {
  return {
    id: row.id,
    organization_id: row.organization_id,
    inviter: { name: row.inviter_name },
    invitee: { email: row.invitee_email },
    ...(link && { invitation_url: link.url, ticket_id: link.ticket }),
    client_id: row.client_id,
    ...(row.connection_id !== null && { connection_id: row.connection_id }),
    ...(Object.keys(row.app_metadata).length > 0 && { app_metadata: row.app_metadata }),
    ...(Object.keys(row.user_metadata).length > 0 && { user_metadata: row.user_metadata }),
    roles: [...row.roles],
    ttl_sec: row.ttl_sec,
    created_at: toTimestamp(row.created_at),
    expires_at: toTimestamp(row.expires_at),
  };
}
