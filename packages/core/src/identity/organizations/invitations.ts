import type * as z from "zod";
import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import { findOne } from "../../store/find-one.ts";
import { findByIds } from "../../store/by-ids.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { sealedPlaceOf } from "../../store/sealed.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { createInvitationSchema } from "../../model/organizations/invitations.ts";
import { assignRoles } from "../access/role-assignments.ts";
import { sealOf } from "../../crypto/seal.ts";
import { linkedAccounts } from "../users/linked-accounts.ts";
import { boundedMetadata, addMissingMetadata } from "../users/metadata.ts";
import { addMember } from "./members.ts";

type Invitation = Row<"invitations">;

/**
 * Creates an invitation with a ticket. Stores the hash of the ticket for lookups, and the encrypted ticket for
 * responses that contain it.
 * @throws {PosternError} `invalid_request` if the metadata exceed the maximum size for a user.
 */
export async function createInvitation(
  context: DataContext,
  organizationId: string,
  body: z.infer<typeof createInvitationSchema>,
): Promise<Invitation> {
  const metadata = boundedMetadata(context.config.metadataBytes, {
    app_metadata: body.app_metadata ?? {},
    user_metadata: body.user_metadata ?? {},
  });
  const now = context.now();
  const ticket = context.random.alphanumeric(32);
  const id = context.random.record("uinv_");
  const sealed = await context.secrets.sealer.seal(sealedPlaceOf("invitations", context.data.tenantId, id), ticket);
  const invitation: Invitation = {
    id,
    organization_id: organizationId,
    ticket_hash: await sha256(ticket),
    ticket: sealed,
    seal: sealOf(context, [sealed]),
    client_id: body.client_id,
    connection_id: body.connection_id ?? null,
    inviter_name: body.inviter.name,
    invitee_email: body.invitee.email,
    ...metadata,
    roles: [...new Set(body.roles)],
    ttl_sec: body.ttl_sec,
    created_at: now,
    expires_at: now + body.ttl_sec * 1000,
    accepted_at: null,
    accepted_by: null,
    applied_at: null,
  };
  await context.data.invitations.insert([invitation]);
  return invitation;
}

/**
 * Decrypts the ticket of an invitation. Returns undefined and logs a warning for the operator if no key in the key ring
 * can decrypt it, so that one unreadable ticket does not break a list of invitations.
 */
export async function ticketOf(context: DataContext, { id, ticket }: Invitation): Promise<string | undefined> {
  try {
    return await context.secrets.sealer.open(sealedPlaceOf("invitations", context.data.tenantId, id), ticket);
  } catch (error) {
    context.host.logger.log({
      level: "warn",
      event: "unreadable_seal",
      tenant_id: context.data.tenantId,
      collection: "invitations",
      id,
      error,
    });
    return undefined;
  }
}

/** Finds the invitation that a ticket belongs to. */
export async function findInvitation(data: TenantData, ticket: string): Promise<Invitation | undefined> {
  const row = await findOne(data.invitations, { ticket_hash: await sha256(ticket) });
  return row;
}

/** Whether an invitation was sent to the email address of a user or of an account that is linked to the user. */
export async function isInvited(data: TenantData, { invitee_email: invited }: Invitation, user: Row<"users">): Promise<boolean> {
  if (user.email.toLowerCase() === invited) return true;
  const linked = user.linked_count === 0 ? [] : await linkedAccounts(data, [user.user_id]);
  return linked.some(({ email }) => email.toLowerCase() === invited);
}

/**
 * The outcome of accepting an invitation. `accepted`: by this call. `had`: the same user accepted it before. `refused`:
 * another user accepted it, or it has expired or was deleted.
 */
type Acceptance = "accepted" | "had" | "refused";

/**
 * Accepts an invitation. The user whose conditional write succeeds accepts it; nothing is granted before that write.
 * The membership, roles and metadata follow in idempotent steps. After a crash, the next call for the same user
 * completes them. After that, they are never granted again, so that a user who was removed from the organization cannot
 * rejoin with an old link.
 */
export async function acceptInvitation(context: DataContext, { id }: Pick<Invitation, "id">, user: Row<"users">): Promise<Acceptance> {
  const { data } = context;
  const now = context.now();
  const guard = { id, accepted_at: null, expires_at: { gt: now } };
  const decided = await data.invitations.update(guard, { set: { accepted_at: now, accepted_by: user.user_id } });
  const invitation = await findOne(data.invitations, { id });
  if (invitation === undefined || invitation.accepted_by !== user.user_id) return "refused";
  if (invitation.applied_at === null) {
    await give(context, invitation, user.user_id);
    await data.invitations.update({ id, applied_at: null }, { set: { applied_at: context.now() } });
  }
  return decided === 1 ? "accepted" : "had";
}

async function give(context: DataContext, invitation: Invitation, userId: string): Promise<void> {
  const { organization_id: organizationId, roles } = invitation;
  await addMember(context, organizationId, userId);
  // Skips roles that were deleted in the meantime.
  const known = await findByIds(context.data.roles, "id", roles);
  if (known.length > 0) {
    await assignRoles(
      context,
      userId,
      organizationId,
      known.map((role) => role.id),
    );
  }
  await addMetadata(context, invitation, userId);
}

/**
 * Adds the metadata in an invitation to the user. Existing keys in the user's `app_metadata` and `user_metadata` keep
 * their values.
 */
async function addMetadata(context: DataContext, invitation: Invitation, userId: string): Promise<void> {
  const { outcome } = await changeRow(context.data.users, { user_id: userId }, (user) => {
    const app_metadata = addMissingMetadata(user.app_metadata, invitation.app_metadata);
    const user_metadata = addMissingMetadata(user.user_metadata, invitation.user_metadata);
    if (app_metadata === user.app_metadata && user_metadata === user.user_metadata) return undefined;
    return { ...boundedMetadata(context.config.metadataBytes, { app_metadata, user_metadata }, user), updated_at: context.now() };
  });
  if (outcome === "lost-race") throw lostRace("user");
}
