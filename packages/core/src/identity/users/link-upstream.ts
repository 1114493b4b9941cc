import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import type { UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { accessColumns } from "./account-access.ts";
import { linkUsers } from "./link-users.ts";
import { findUpstreamAccount, makeUpstreamAccount } from "./upstream-account.ts";

type User = Row<"users">;

/**
 * Makes who somebody is at a provider an account of a user of ours, who from then on signs in by it as well. Repeatable: an account that is linked there already stays so.
 * The primary counts its linked accounts first, and one insert decides; a process that is lost between them leaves a count that is too high, which costs a read.
 * @returns the linked account.
 * @throws {PosternError} `conflict` or `invalid_request` if it belongs to another user or has linked accounts of its own, or if the primary was linked or
 *   removed meanwhile: {@link isLinkRefusal}.
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
  if (raised !== 1) throw new PosternError("conflict", "The user was linked to another user meanwhile.");
  const { account, made } = await makeUpstreamAccount(context, connection, profile, primary.user_id).catch(async (error: unknown) => {
    await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    throw error;
  });
  if (!made) {
    await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    return linkKnown(context, primary, account);
  }
  // The user was removed: the removal takes along what is linked to it by now, and the rest stands alone. Or their account was taken over: nobody who had it
  // before links an account to it.
  if ((await data.users.count({ user_id: primary.user_id, ...accessColumns(primary) })) === 0) {
    const alone = { set: { linked_to: "", updated_at: context.now() }, add: { revision: 1 } };
    const undone = await data.users.update({ user_id: account.user_id, linked_to: primary.user_id }, alone);
    if (undone === 1) await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
    throw new PosternError("conflict", "The user was changed or removed meanwhile.");
  }
  return account;
}

/** `true` if an error of {@link linkUpstream} says that the account cannot be linked to this user. Anything else is a failure. */
export function isLinkRefusal(error: unknown): error is PosternError {
  return isPosternError(error) && (error.code === "conflict" || error.code === "invalid_request");
}

async function linkKnown(context: DataContext, primary: User, account: User): Promise<User> {
  if (account.linked_to !== primary.user_id) await linkUsers(context, primary, account);
  return { ...account, linked_to: primary.user_id };
}
