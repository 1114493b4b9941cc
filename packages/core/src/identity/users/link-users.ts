import type { DataContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import { invalidBody } from "../../model/settings.ts";
import { localUserId } from "../../model/users/users.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import { removeAbsentTypes } from "../factors/linked-factors.ts";
import { forgetTrustedBrowsers } from "../factors/trusted-browser.ts";
import { accessColumns, endAccess } from "./account-access.ts";
import { noDeletion } from "./no-deletion.ts";

type User = Row<"users">;

/** Maximum number of attempts to announce a link while other requests change the factors of the user. */
const rounds = 5;

/**
 * Decides whether each of two accounts may be linked, as the write finds it. Called again after a lost race. Each function
 * throws an error if the account may not be linked.
 */
export interface LinkPermission {
  primary(user: User): Promise<void>;
  secondary(account: User): Promise<void>;
}

/**
 * Links an account to a primary account: a user who authenticates with either of them is signed in to the primary
 * account, and the factors of both count for it. Links are one level deep. The link is written by a conditional update,
 * so that of parallel links that would form a chain or a cycle, at most one succeeds. This write also decides for which
 * account the factors of the linked account count: their rows do not change. The roles, permissions, memberships and
 * sessions of the linked account are deleted and not merged.
 * @throws {PosternError} `invalid_request` or `conflict`, and the errors of `permission`.
 */
export async function linkUsers(context: DataContext, primary: User, secondary: User, permission: LinkPermission): Promise<void> {
  const { data } = context;
  const { user_id: primaryId } = primary;
  const { user_id: accountId } = secondary;
  if (primaryId === accountId) throw invalidBody("an account cannot be linked to itself");
  if (secondary.linked_to === primaryId) throw new PosternError("conflict", "The accounts are linked already.");
  if (secondary.linked_to !== "") throw new PosternError("conflict", "The account is linked to another user.");
  if (secondary.linked_count > 0) throw invalidBody("the account has linked accounts: unlink them first");
  if (primary.deletes_at !== null) throw new PosternError("conflict", "The user asked to delete the account.");
  await permission.secondary(secondary);

  await announceLink(context, primary, secondary.enrolled_factors ?? [], permission);
  try {
    await writeLink(context, primaryId, secondary, permission);
  } catch (error) {
    // After any other error, the link may have been written. A count that is too high only costs a query.
    if (isPosternError(error)) await withdrawLink(context, primaryId);
    throw error;
  }
  // If the primary account was deleted, the deletion removes the accounts that are linked to it. An account that the
  // deletion missed is unlinked here. If the primary account was taken over, its former user must not link an account
  // to it.
  if ((await data.users.count({ user_id: primaryId, ...accessColumns(primary) })) === 0) {
    await undoLink(context, primaryId, accountId);
    throw new PosternError("conflict", "The user was changed or deleted by another request.");
  }
  await endAccess(context, { event: "link", userId: accountId });
}

/**
 * Prepares the primary account for a link. Its `linked_count` is incremented before the link is written: a parallel
 * request then cannot link the primary account to another user, and every read of the primary account also reads its
 * linked accounts. The factor types of the linked account are listed before as well, so that the list never lacks one.
 * If factors are added, the trust in the user's browsers ends.
 * @param types the factor types of the account that is about to be linked.
 */
export async function announceLink(
  context: DataContext,
  primary: User,
  types: readonly string[],
  permission: Pick<LinkPermission, "primary">,
): Promise<void> {
  const { users } = context.data;
  let user: User | undefined = primary;
  for (let round = 0; round < rounds && user !== undefined; round++) {
    await permission.primary(user);
    // Not the revision, because each of many parallel logins of the user changes it. They must all be linked.
    const where = { user_id: primary.user_id, linked_to: "", factors_changed_at: user.factors_changed_at };
    const change = { ...(types.length > 0 && { set: listed(context, user, types) }), add: { linked_count: 1, revision: 1 } };
    if ((await users.update(where, change)) === 1) {
      if (types.length > 0) await forgetTrustedBrowsers(context.data, primary.user_id);
      return;
    }
    user = await findOne(users, { user_id: primary.user_id, linked_to: "" });
  }
  if (user !== undefined) throw lostRace("user");
  throw new PosternError("conflict", "The user was linked to another user by another request.");
}

/** Reverts {@link announceLink} if the link was not written. */
export async function withdrawLink(context: DataContext, primaryId: string): Promise<void> {
  await context.data.users.update({ user_id: primaryId }, { add: { linked_count: -1, revision: 1 } });
  await removeAbsentTypes(context, primaryId);
}

/** Reverts a link that was written although the primary account has changed. */
export async function undoLink(context: DataContext, primaryId: string, accountId: string): Promise<void> {
  const alone = { set: { linked_to: "", updated_at: context.now() }, add: { revision: 1 } };
  const undone = await context.data.users.update({ user_id: accountId, linked_to: primaryId }, alone);
  if (undone === 1) await withdrawLink(context, primaryId);
}

/** Writes the link, at the revision of the account at which its factors are known and the link is permitted. */
async function writeLink(context: DataContext, primaryId: string, secondary: User, permission: LinkPermission): Promise<void> {
  const { users } = context.data;
  const linked = async (account: User): Promise<Partial<User>> => {
    if (account !== secondary) {
      await permission.secondary(account);
      await listTypes(context, primaryId, account.enrolled_factors ?? []);
    }
    return { linked_to: primaryId, ...noDeletion, updated_at: context.now() };
  };
  const { outcome } = await changeRow(users, { user_id: secondary.user_id, linked_to: "", linked_count: 0 }, linked, secondary);
  if (outcome === "lost-race") throw lostRace("user");
  if (outcome === "absent") throw new PosternError("conflict", "The account was linked or deleted by another request.");
}

/** Adds factor types to the list of the primary account, unless it has them. */
async function listTypes(context: DataContext, primaryId: string, types: readonly string[]): Promise<void> {
  const { outcome } = await changeRow(context.data.users, { user_id: primaryId }, (user) =>
    types.every((type) => user.enrolled_factors?.includes(type)) ? undefined : listed(context, user, types),
  );
  if (outcome === "lost-race") throw lostRace("user");
}

function listed(context: DataContext, user: User, types: readonly string[]): Partial<User> {
  return { enrolled_factors: [...new Set([...(user.enrolled_factors ?? []), ...types])].toSorted(), factors_changed_at: context.now() };
}

/** Finds a linked account by provider and id. `id` may be the whole user id or the part after the pipe. */
export function findLinked(linked: readonly User[], provider: string, id: string): User | undefined {
  return linked.find((account) => account.provider === provider && (account.user_id === id || localUserId(account.user_id) === id));
}
