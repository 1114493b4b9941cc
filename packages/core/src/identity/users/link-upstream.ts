import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import type { UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { isProtected, listsProtection } from "../factors/protected-account.ts";
import { accessColumns } from "./account-access.ts";
import { announceLink, linkUsers, undoLink, withdrawLink, type LinkPermission } from "./link-users.ts";
import { findUpstreamAccount, makeUpstreamAccount } from "./upstream-account.ts";

type User = Row<"users">;

/**
 * Links a user's identity at a provider to a primary account, so that the user can sign in with the provider as well.
 * Creates the linked account if it does not exist. Idempotent: an account that is already linked to this user stays
 * linked. An account with second factors is not linked, because the provider does not ask for them. The primary account's
 * `linked_count` is incremented before the linked account is inserted. A crash between the two writes leaves a count that
 * is too high. Its only effect is an additional read.
 * @param primary the account as it was read when the link was permitted. If it has received its first factor since then,
 * the accounts are not linked.
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
  await announceLink(context, primary, [], permissionFor(context, primary));
  const { account, isNew } = await makeUpstreamAccount(context, connection, profile, primary.user_id).catch(async (error: unknown) => {
    // After any other error, the account may have been inserted. A count that is too high only costs a query.
    if (isPosternError(error)) await withdrawLink(context, primary.user_id);
    throw error;
  });
  if (!isNew) {
    await withdrawLink(context, primary.user_id);
    return linkKnown(context, primary, account);
  }
  // If the primary account was deleted, the deletion removes the accounts that are linked to it. An account that the
  // deletion missed is unlinked here. If the primary account was taken over, its former user must not link an account
  // to it.
  if ((await data.users.count({ user_id: primary.user_id, ...accessColumns(primary) })) === 0) {
    await undoLink(context, primary.user_id, account.user_id);
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
  if (account.linked_to !== primary.user_id) await linkUsers(context, primary, account, permissionFor(context, primary));
  return { ...account, linked_to: primary.user_id };
}

/**
 * The caller has decided about the factors of the primary account as it was read. The user has authenticated at the
 * provider, and has passed no factor of the provider's account.
 */
function permissionFor({ data }: DataContext, read: User): LinkPermission {
  return {
    async primary(user) {
      if (listsProtection(user) && !listsProtection(read))
        throw new PosternError("conflict", "The user added a second factor in another request.");
    },
    async secondary(account) {
      if (await isProtected(data, account)) throw new PosternError("conflict", "The account has second factors of its own.");
    },
  };
}
