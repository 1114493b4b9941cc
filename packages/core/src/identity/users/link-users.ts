import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { invalidBody } from "../../model/settings.ts";
import { localUserId } from "../../model/users/users.ts";
import { accessColumns, endAccess } from "./account-access.ts";

type User = Row<"users">;

/**
 * Links an account to a primary account: a user who authenticates with either of them is signed in to the primary
 * account. Links are one level deep. The link is written by a conditional update, so that of parallel links that would
 * form a chain or a cycle, at most one succeeds. The roles, permissions, memberships and sessions of the linked account
 * are deleted and not merged.
 * @throws {PosternError} `invalid_request` or `conflict`.
 */
export async function linkUsers(context: DataContext, primary: User, secondary: User): Promise<void> {
  const { data } = context;
  if (primary.user_id === secondary.user_id) throw invalidBody("an account cannot be linked to itself");
  if (secondary.linked_to === primary.user_id) throw new PosternError("conflict", "The accounts are linked already.");
  if (secondary.linked_to !== "") throw new PosternError("conflict", "The account is linked to another user.");
  if (secondary.linked_count > 0) throw invalidBody("the account has linked accounts: unlink them first");

  // The count is incremented before the link is written. A parallel request then cannot link the primary account to
  // another user, and every read of the primary account also reads its linked accounts.
  const raised = await data.users.update({ user_id: primary.user_id, linked_to: "" }, { add: { linked_count: 1, revision: 1 } });
  if (raised !== 1) throw new PosternError("conflict", "The user was linked to another user by another request.");
  const linked = await data.users.update(
    { user_id: secondary.user_id, linked_to: "", linked_count: 0 },
    { set: { linked_to: primary.user_id, updated_at: context.now() }, add: { revision: 1 } },
  );
  if (linked !== 1) {
    await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    throw new PosternError("conflict", "The account was linked or deleted by another request.");
  }
  // If the primary account was deleted, the deletion removes the accounts that are linked to it. An account that the
  // deletion missed is unlinked here. If the primary account was taken over, its former user must not link an account
  // to it.
  if ((await data.users.count({ user_id: primary.user_id, ...accessColumns(primary) })) === 0) {
    const back = { set: { linked_to: "", updated_at: context.now() }, add: { revision: 1 } };
    const undone = await data.users.update({ user_id: secondary.user_id, linked_to: primary.user_id }, back);
    if (undone === 1) await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    throw new PosternError("conflict", "The user was changed or deleted by another request.");
  }
  await endAccess(context, { event: "link", userId: secondary.user_id });
}

/** Finds a linked account by provider and id. `id` may be the whole user id or the part after the pipe. */
export function findLinked(linked: readonly User[], provider: string, id: string): User | undefined {
  return linked.find((account) => account.provider === provider && (account.user_id === id || localUserId(account.user_id) === id));
}
