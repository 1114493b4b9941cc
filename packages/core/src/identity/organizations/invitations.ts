import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import { findByIds } from "../../store/by-ids.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { placeOf } from "../../store/sealed.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { CreateInvitation } from "../../model/organizations/invitations.ts";
import { assignRoles } from "../access/role-assignments.ts";
import { sealOf } from "../../crypto/seal.ts";
import { linkedAccounts } from "../users/linked-accounts.ts";
import { boundedMetadata, addMissingMetadata } from "../users/metadata.ts";
import { addMember } from "./members.ts";

export type Invitation = Row<"invitations">;

/**
 * Makes an invitation. The ticket is found by its hash, and kept sealed for the replies that show it.
 * @throws {PosternError} `invalid_request` for metadata that are too large for a user.
 */
export async function createInvitation(context: DataContext, organizationId: string, body: CreateInvitation): Promise<Invitation> {
  const metadata = boundedMetadata(context.config.metadataBytes, {
    app_metadata: body.app_metadata ?? {},
    user_metadata: body.user_metadata ?? {},
  });
  const now = context.now();
  const ticket = context.random.alphanumeric(32);
  const id = context.random.record("uinv_");
  const sealed = await context.secrets.sealer.seal(placeOf("invitations", context.data.tenantId, id), ticket);
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

/** The text of an invitation's ticket; undefined, and told to the operator, where no key of the ring opens it: a list of others must not fail for it. */
export async function ticketOf(context: DataContext, { id, ticket }: Invitation): Promise<string | undefined> {
  try {
    return await context.secrets.sealer.open(placeOf("invitations", context.data.tenantId, id), ticket);
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

/** The invitation that a ticket stands for. */
export async function findInvitation(data: TenantData, ticket: string): Promise<Invitation | undefined> {
  const [row] = await data.invitations.find({ where: { ticket_hash: await sha256(ticket) }, limit: 1 });
  return row;
}

/** Whether an invitation is for this person: by the address of their account, or of one that is linked to it. */
export async function isInvited(data: TenantData, { invitee_email: invited }: Invitation, user: Row<"users">): Promise<boolean> {
  if (user.email.toLowerCase() === invited) return true;
  const linked = user.linked_count === 0 ? [] : await linkedAccounts(data, [user.user_id]);
  return linked.some(({ email }) => email.toLowerCase() === invited);
}

/** What came of an acceptance: theirs now, theirs before, or not to be had (used by somebody else, expired, withdrawn). */
export type Acceptance = "accepted" | "had" | "refused";

/**
 * Accepts an invitation. One guarded write decides whose it is; before it nothing is given to anybody. What it gives comes after, each part of it repeatable:
 * where this process is lost in between, the next call of the same person gives the rest. Once all was given nothing is given again,
 * so that whoever is removed later does not come back by an old link.
 */
export async function acceptInvitation(context: DataContext, { id }: Pick<Invitation, "id">, user: Row<"users">): Promise<Acceptance> {
  const { data } = context;
  const now = context.now();
  const guard = { id, accepted_at: null, expires_at: { gt: now } };
  const decided = await data.invitations.update(guard, { set: { accepted_at: now, accepted_by: user.user_id } });
  const [invitation] = await data.invitations.find({ where: { id }, limit: 1 });
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
  // A role that was deleted since is not given.
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

/** Adds what the person does not have. Who invites says nothing about somebody who was here before: what they have stays, in the app's metadata and in their own. */
async function addMetadata(context: DataContext, invitation: Invitation, userId: string): Promise<void> {
  const { outcome } = await changeRow(context.data.users, { user_id: userId }, (user) => {
    const app_metadata = addMissingMetadata(user.app_metadata, invitation.app_metadata);
    const user_metadata = addMissingMetadata(user.user_metadata, invitation.user_metadata);
    if (app_metadata === user.app_metadata && user_metadata === user.user_metadata) return undefined;
    return { ...boundedMetadata(context.config.metadataBytes, { app_metadata, user_metadata }, user), updated_at: context.now() };
  });
  if (outcome === "outrun") throw lostRace("user");
}
