import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import type { UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { accessColumns } from "./account-access.ts";
import { linkUsers } from "./link-users.ts";
import { findUpstreamAccount, makeUpstreamAccount } from "./upstream-account.ts";

type User = Row<"users">;

/**
 * Links a user's identity at a provider to a primary account, so that the user can sign in with the provider as well.
 * Creates the linked account if it does not exist. Idempotent: an account that is already linked to this user stays
 * linked. The primary account's `linked_count` is incremented before the linked account is inserted. A crash between
 * the two writes leaves a count that is too high. Its only effect is an additional read.
 * @returns the linked account.
 * @throws {PosternError} `conflict` or `invalid_request` if the account belongs to another user or has linked accounts,
 * or if the primary account was linked or deleted in the meantime: see {@link isLinkRefusal}.
 */
export async function linkUpstream(
  context: DataContext,
  connection: Row<"connections">,
  profile: UpstreamProfile,
  primary: User,
): Promise<User> {
  const { data } = context;
  const known = await findUpstreamAccount(data, connection, profile.subject);
  if (known !== undefined) return linkKnown(context, primary, known);
  const raised = await data.users.update({ user_id: primary.user_id, linked_to: "" }, { add: { linked_count: 1, revision: 1 } });
  if (raised !== 1) throw new PosternError("conflict", "The user was linked to another user by another request.");
  const { account, isNew } = await makeUpstreamAccount(context, connection, profile, primary.user_id).catch(async (error: unknown) => {
    await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    throw error;
  });
  if (!isNew) {
    await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    return linkKnown(context, primary, account);
  }
  // If the primary account was deleted, the deletion removes the accounts that are linked to it. An account that the
  // deletion missed is unlinked here. If the primary account was taken over, its former user must not link an account
  // to it.
  if ((await data.users.count({ user_id: primary.user_id, ...accessColumns(primary) })) === 0) {
    const alone = { set: { linked_to: "", updated_at: context.now() }, add: { revision: 1 } };
    const undone = await data.users.update({ user_id: account.user_id, linked_to: primary.user_id }, alone);
    if (undone === 1) await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    throw new PosternError("conflict", "The user was changed or deleted by another request.");
  }
  return account;
}

/**
 * Returns whether an error that {@link linkUpstream} threw means that the account cannot be linked to this user. Any
 * other error is a failure.
 */
export function isLinkRefusal(error: unknown): error is PosternError {
  return isPosternError(error) && (error.code === "conflict" || error.code === "invalid_request");
}

async function linkKnown(context: DataContext, primary: User, account: User): Promise<User> {
  if (account.linked_to !== primary.user_id) await linkUsers(context, primary, account);
  return { ...account, linked_to: primary.user_id };
}
