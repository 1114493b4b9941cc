import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { invalidBody } from "../../model/settings.ts";
import { localUserId } from "../../model/users/users.ts";
import { accessColumns, endAccess } from "./account-access.ts";

type User = Row<"users">;

/**
 * Links an account to a primary: from then on both sign in as the primary. One guarded update decides, and links are one hop deep: of parallel links that
 * would make a chain or a ring, none or one wins. What the linked account had of its own (roles, permissions, memberships, sessions) is dropped, never merged.
 * @throws {PosternError} `invalid_request` or `conflict`.
 */
export async function linkUsers(context: DataContext, primary: User, secondary: User): Promise<void> {
  const { data } = context;
  if (primary.user_id === secondary.user_id) throw invalidBody("an account cannot be linked to itself");
  if (secondary.linked_to === primary.user_id) throw new PosternError("conflict", "The accounts are linked already.");
  if (secondary.linked_to !== "") throw new PosternError("conflict", "The account is linked to another user.");
  if (secondary.linked_count > 0) throw invalidBody("the account has linked accounts of its own: unlink them first");

  // First, so that nobody links the primary away meanwhile, and so that every reader of the primary looks for linked accounts.
  const raised = await data.users.update({ user_id: primary.user_id, linked_to: "" }, { add: { linked_count: 1, revision: 1 } });
  if (raised !== 1) throw new PosternError("conflict", "The user was linked to another user meanwhile.");
  const linked = await data.users.update(
    { user_id: secondary.user_id, linked_to: "", linked_count: 0 },
    { set: { linked_to: primary.user_id, updated_at: context.now() }, add: { revision: 1 } },
  );
  if (linked !== 1) {
    await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    throw new PosternError("conflict", "The account was linked or removed meanwhile.");
  }
  // The user was removed: the removal takes along what is linked to it by now, and the rest stands alone again. Or their account was taken over: nobody who
  // had it before links an account to it.
  if ((await data.users.count({ user_id: primary.user_id, ...accessColumns(primary) })) === 0) {
    const back = { set: { linked_to: "", updated_at: context.now() }, add: { revision: 1 } };
    const undone = await data.users.update({ user_id: secondary.user_id, linked_to: primary.user_id }, back);
    if (undone === 1) await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    throw new PosternError("conflict", "The user was changed or removed meanwhile.");
  }
  await endAccess(context, { event: "link", userId: secondary.user_id });
}

/** The linked account that a provider and an id name; the id may be whole or the part after the pipe. */
export function findLinked(linked: readonly User[], provider: string, id: string): User | undefined {
  return linked.find((account) => account.provider === provider && (account.user_id === id || localUserId(account.user_id) === id));
}
