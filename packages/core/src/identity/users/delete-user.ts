import type { DataContext, ServiceContext } from "../../context.ts";
import { splitIntoParts } from "../../store/by-ids.ts";
import type { Row } from "../../store/schema.ts";
import { endOfTurn } from "../../store/turn.ts";
import type { WorkLimit } from "../../store/work-limit.ts";
import { removeAbsentTypes } from "../factors/linked-factors.ts";
import { revokeSessionsOfAccounts } from "../sessions/revoke-all.ts";
import { removeRecordsOf } from "./account-access.ts";

/** An account whose deletion has begun. */
type DeletedAccount = Pick<Row<"users">, "user_id" | "linked_to">;

/** The number of rows that one query reads. */
const chunk = 500;

/**
 * Deletes a user, the accounts that are linked to the user, and everything that belongs to them. After the first write,
 * every read treats the accounts as absent. When `limit` is reached, the rest stays; another call or `sweep` deletes
 * it.
 * @returns whether the user existed.
 */
export async function deleteUser(context: DataContext, userId: string, limit: WorkLimit): Promise<boolean> {
  const { data } = context;
  const set = deletionOf(context);
  const marked = await data.users.update({ user_id: userId, linked_to: "" }, { set });
  const begun = marked === 1 || (await data.users.count({ user_id: userId, deleting_at: { exists: true } })) === 1;
  if (!begun) return false;
  await data.users.update({ linked_to: userId }, { set });
  await limit.run(() => finishDeletedUsers(context, [{ user_id: userId, linked_to: "" }], limit));
  return true;
}

/**
 * Begins the deletion of every account in a connection. When this function returns, no read finds any of these
 * accounts, their login keys can be reused, and the sessions that linked accounts started are revoked. If an account in
 * the connection is linked to a primary account in another connection, the primary account stays. If a primary account
 * is in the connection, all accounts that are linked to it are deleted as well. Idempotent. Yields to the event loop
 * after every 50 accounts.
 * @param createdBefore keeps accounts that were created at this time or later, in milliseconds since 1970. Default: all
 * accounts are deleted.
 * @returns the first accounts, at most `chunk`. The caller can finish their deletion.
 */
export async function beginDeletingUsersOf(
  context: DataContext,
  connection: string,
  createdBefore?: number,
): Promise<readonly DeletedAccount[]> {
  const where = { connection, ...(createdBefore !== undefined && { created_at: { lt: createdBefore } }) };
  let first: readonly DeletedAccount[] | undefined;
  for (;;) {
    const accounts = await context.data.users.find({ where, fields: ["user_id", "linked_to"], limit: chunk });
    first ??= accounts;
    // Only an empty page ends the loop, because new accounts may be created in between.
    if (accounts.length === 0) return first;
    for (const part of splitIntoParts(accounts)) {
      await beginDeleting(
        context,
        part.map(({ user_id: id }) => id),
      );
      await endOfTurn();
    }
  }
}

/** Marks at most 50 accounts and their linked accounts as deleted. */
async function beginDeleting(context: DataContext, ids: readonly string[]): Promise<void> {
  const { data } = context;
  const set = deletionOf(context);
  await data.users.update({ user_id: { in: ids } }, { set });
  await data.users.update({ linked_to: { in: ids } }, { set });
  const marked = { user_id: { in: ids }, deleting_at: { exists: true } };
  // The accounts are read again after they were marked, because marked accounts can no longer be linked.
  await detach(context, await data.users.find({ where: marked, fields: ["user_id", "linked_to"], limit: 50 }));
}

/**
 * Unlinks marked accounts from their primary users and revokes the sessions that they started. Idempotent: the primary
 * user's `linked_count` is decremented only if the write that unlinks the account changed it.
 */
async function detach(context: DataContext, accounts: readonly DeletedAccount[]): Promise<void> {
  const linked = accounts.filter(({ linked_to: primary }) => primary !== "");
  await revokeSessionsOfAccounts(context, linked, "account-deleted");
  for (const { user_id: id, linked_to: primary } of linked) {
    const where = { user_id: id, linked_to: primary, deleting_at: { exists: true } };
    if ((await context.data.users.update(where, { set: { linked_to: "" } })) === 1)
      await context.data.users.update({ user_id: primary }, { add: { linked_count: -1, revision: 1 } });
    await removeAbsentTypes(context, primary);
  }
  // Revokes the sessions of logins that were in progress.
  await revokeSessionsOfAccounts(context, linked, "account-deleted");
}

/**
 * Deletes accounts whose deletion has begun, and everything that belongs to them. Idempotent.
 * @throws when `limit` is reached; see {@link WorkLimit.run}.
 */
export async function finishDeletedUsers(context: DataContext, accounts: readonly DeletedAccount[], limit: WorkLimit): Promise<void> {
  const { data } = context;
  for (const part of splitIntoParts(accounts)) {
    const ids = part.map(({ user_id: id }) => id);
    await detach(context, part);
    // Marks the linked accounts that are not marked yet, because they were linked after the primary account was marked
    // or because of a crash.
    await data.users.update({ linked_to: { in: ids } }, { set: deletionOf(context) });
    for (;;) {
      const where = { linked_to: { in: ids }, deleting_at: { exists: true } };
      const linked = await data.users.find({ where, fields: ["user_id"], limit: 50 });
      if (linked.length === 0) break;
      await removeAccounts(
        context,
        linked.map(({ user_id: id }) => id),
        limit,
      );
    }
    await removeAccounts(context, ids, limit);
  }
}

/**
 * Returns the columns that hide an account from every read and free its login keys for a new account. Clears
 * `connection`, so that a loop over the accounts in the connection does not find the account again.
 */
export function deletionOf(context: ServiceContext) {
  const keys = { email_key: null, username_key: null, phone_key: null, subject_key: null };
  return { deleting_at: context.now(), connection: "", ...keys };
}

async function removeAccounts(context: DataContext, ids: readonly string[], limit: WorkLimit): Promise<void> {
  await removeRecordsOf(context, ids, limit);
  const removed = await context.data.users.delete({ user_id: { in: ids }, deleting_at: { exists: true } });
  await limit.batch(removed);
}
