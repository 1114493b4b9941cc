import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import { removeAll } from "../../data/remove-all.ts";
import { WorkLimit } from "../../data/work-limit.ts";
import { PosternError } from "../../errors.ts";
import { invalidBody } from "../../model/settings.ts";
import type { Environment } from "../environment.ts";
import { revokeSessionsOfUser } from "../sessions/revoke-all.ts";
import { localUserId } from "../../model/users/users.ts";

type User = Row<"users">;

/**
 * Links an account to a primary: from then on both sign in as the primary. One guarded update decides, and links are one hop deep: of parallel links that
 * would make a chain or a ring, none or one wins. What the linked account had of its own (roles, permissions, memberships, sessions) is dropped, never merged.
 * @throws {PosternError} `invalid_request` or `conflict`.
 */
export async function linkUsers(environment: Environment, data: TenantData, primary: User, secondary: User): Promise<void> {
  if (primary.user_id === secondary.user_id) throw invalidBody("an account cannot be linked to itself");
  if (secondary.linked_to === primary.user_id) throw new PosternError("conflict", "The accounts are linked already.");
  if (secondary.linked_to !== "") throw new PosternError("conflict", "The account is linked to another user.");
  if (secondary.linked_count > 0) throw invalidBody("the account has linked accounts of its own: unlink them first");

  // First, so that nobody links the primary away meanwhile, and so that every reader of the primary looks for linked accounts.
  const raised = await data.users.update({ user_id: primary.user_id, linked_to: "" }, { add: { linked_count: 1, revision: 1 } });
  if (raised !== 1) throw new PosternError("conflict", "The user was linked to another user meanwhile.");
  const linked = await data.users.update(
    { user_id: secondary.user_id, linked_to: "", linked_count: 0 },
    { set: { linked_to: primary.user_id, updated_at: environment.clock.now() }, add: { revision: 1 } },
  );
  if (linked !== 1) {
    await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    throw new PosternError("conflict", "The account was linked or removed meanwhile.");
  }
  // Removed meanwhile: then its removal takes along what is linked to it by now, and the rest stands alone again.
  if ((await data.users.count({ user_id: primary.user_id })) === 0) {
    const back = { set: { linked_to: "", updated_at: environment.clock.now() }, add: { revision: 1 } };
    await data.users.update({ user_id: secondary.user_id, linked_to: primary.user_id }, back);
    throw new PosternError("conflict", "The user was removed meanwhile.");
  }
  await dropAccess(environment, data, secondary.user_id);
}

/**
 * Makes a linked account stand alone again, with nothing but its profile: the sessions of the user that it began end with their tokens.
 * @returns false where it was not linked to this user.
 */
export async function unlinkUser(
  environment: Environment,
  data: TenantData,
  primary: Pick<User, "user_id">,
  accountId: string,
): Promise<boolean> {
  // Before it can sign in again by itself: what a crash may have left behind from linking.
  await dropAccess(environment, data, accountId);
  // Before, so that a crash leaves none of the primary's sessions to the account; and after, for those that it began meanwhile.
  const its = { accountId };
  await revokeSessionsOfUser(environment, data, primary.user_id, its);
  const unlinked = await data.users.update(
    { user_id: accountId, linked_to: primary.user_id },
    { set: { linked_to: "", updated_at: environment.clock.now() }, add: { revision: 1 } },
  );
  await revokeSessionsOfUser(environment, data, primary.user_id, its);
  if (unlinked === 1) await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
  return unlinked === 1;
}

async function dropAccess(environment: Environment, data: TenantData, userId: string): Promise<void> {
  const where = { user_id: userId };
  await data.user_roles.delete(where);
  await data.user_permissions.delete(where);
  await data.organization_members.delete(where);
  const now = environment.clock.now();
  await data.refresh_tokens.update({ ...where, revoked_at: null }, { set: { revoked_at: now } });
  await revokeSessionsOfUser(environment, data, userId);
  await removeAll(data.consents, where, "id", new WorkLimit());
}

/** The linked account that a provider and an id name; the id may be whole or the part after the pipe. */
export function findLinked(linked: readonly User[], provider: string, id: string): User | undefined {
  return linked.find((account) => account.provider === provider && (account.user_id === id || localUserId(account.user_id) === id));
}
