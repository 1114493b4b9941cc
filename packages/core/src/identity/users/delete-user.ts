import type { DataContext, ServiceContext } from "../../context.ts";
import { splitIntoParts } from "../../store/by-ids.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { endOfTurn } from "../../store/turn.ts";
import type { WorkLimit } from "../../store/work-limit.ts";
import { revokeSessionsOfAccounts } from "../sessions/revoke-all.ts";
import { removeRecordsOf } from "./account-access.ts";

/** An account whose deletion has begun. */
type DeletedAccount = Pick<Row<"users">, "user_id" | "linked_to">;

/** Rows read by one query. */
const chunk = 500;

/**
 * Deletes a user and the linked accounts. After the first write, every read treats the accounts as absent. Up to
 * `limit`, everything that belongs to them is deleted as well; a repeated call or `sweep` deletes the rest.
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
 * Begins the deletion of every account of a connection. When it returns, no read finds any of them, their login keys
 * are free, and the sessions that linked accounts started are revoked. A primary user of another connection loses the
 * linked account; linked accounts of other connections are deleted with their primary user. Idempotent. Yields to the
 * event loop after every 50 accounts.
 * @param createdBefore keeps newer accounts, in milliseconds since 1970. Default: all accounts are deleted.
 * @returns the first accounts, at most `chunk`, whose deletion the caller can finish.
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
    // A short page does not end the loop, because a sign-up may happen in between.
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
  // Read after the mark: marked accounts cannot be linked any more.
  await detach(context, await data.users.find({ where: marked, fields: ["user_id", "linked_to"], limit: 50 }));
}

/**
 * Detaches marked accounts from their primary users and revokes the sessions that they started. Idempotent: the write
 * that detaches an account also decides whether the count is decremented.
 */
async function detach(context: DataContext, accounts: readonly DeletedAccount[]): Promise<void> {
  const linked = accounts.filter(({ linked_to: primary }) => primary !== "");
  await revokeSessionsOfAccounts(context, linked);
  for (const { user_id: id, linked_to: primary } of linked) {
    const where = { user_id: id, linked_to: primary, deleting_at: { exists: true } };
    if ((await context.data.users.update(where, { set: { linked_to: "" } })) === 1)
      await context.data.users.update({ user_id: primary }, { add: { linked_count: -1, revision: 1 } });
  }
  // Sessions of logins that were in progress.
  await revokeSessionsOfAccounts(context, linked);
}

/**
 * Deletes accounts whose deletion has begun, and everything that belongs to them. Idempotent. @throws when the limit is
 * reached; see {@link WorkLimit.run}.
 */
export async function finishDeletedUsers(context: DataContext, accounts: readonly DeletedAccount[], limit: WorkLimit): Promise<void> {
  const { data } = context;
  for (const part of splitIntoParts(accounts)) {
    const ids = part.map(({ user_id: id }) => id);
    await detach(context, part);
    // Marks accounts that were linked after the primary account was marked, and those that a crash left unmarked.
    await data.users.update({ linked_to: { in: ids } }, { set: deletionOf(context) });
    for (;;) {
      const where = { linked_to: { in: ids }, deleting_at: { exists: true } };
      const linked = await data.users.find({ where, fields: ["user_id"], limit: 50 });
      if (linked.length === 0) break;
      await removeAccounts(
        data,
        linked.map(({ user_id: id }) => id),
        limit,
      );
    }
    await removeAccounts(data, ids, limit);
  }
}

/**
 * The columns that hide an account from every read and free its login keys for a new account.
 * Clears `connection`, so that a loop over the accounts of the connection does not find the account again.
 */
export function deletionOf(context: ServiceContext) {
  const keys = { email_key: null, username_key: null, phone_key: null, subject_key: null };
  return { deleting_at: context.now(), connection: "", ...keys };
}

async function removeAccounts(data: TenantData, ids: readonly string[], limit: WorkLimit): Promise<void> {
  await removeRecordsOf(data, ids, limit);
  const removed = await data.users.delete({ user_id: { in: ids }, deleting_at: { exists: true } });
  await limit.batch(removed);
}
