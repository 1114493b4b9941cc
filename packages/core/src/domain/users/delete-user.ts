import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import type { Environment } from "../environment.ts";
import { revokeSessionsOfUser } from "../sessions/revoke-all.ts";
import { removeRecordsOf } from "./account-access.ts";

/**
 * Removes a user with everything of theirs, linked accounts included. From the first write on every read treats the account as absent;
 * a call after a crash, or `sweep`, finishes what is left.
 * @returns whether there was one.
 */
export async function deleteUser({ clock }: Environment, data: TenantData, userId: string): Promise<boolean> {
  const marked = await data.users.update({ user_id: userId, linked_to: "" }, { set: { deleting_at: clock.now() } });
  const begun = marked === 1 || (await data.users.count({ user_id: userId, deleting_at: { exists: true } })) === 1;
  if (!begun) return false;

  for (;;) {
    // Marked as well, so that none can be taken from here, and stand alone with half of what it had.
    await data.users.update({ linked_to: userId }, { set: { deleting_at: clock.now() } });
    const linked = await data.users.find({ where: { linked_to: userId, deleting_at: { exists: true } }, limit: 500 });
    for (const account of linked) {
      await removeRecordsOf(data, account.user_id);
      await data.users.delete({ user_id: account.user_id });
    }
    if (linked.length < 500) break;
  }
  await removeRecordsOf(data, userId);
  await data.users.delete({ user_id: userId, deleting_at: { exists: true } });
  return true;
}

/** Removes one account: a primary with all that is linked to it, a linked one alone. */
export async function deleteAccount(environment: Environment, data: TenantData, account: Row<"users">): Promise<void> {
  if (account.linked_to === "") {
    await deleteUser(environment, data, account.user_id);
    return;
  }
  const its = { accountId: account.user_id };
  await removeRecordsOf(data, account.user_id);
  await revokeSessionsOfUser(environment, data, account.linked_to, its);
  const removed = await data.users.delete({ user_id: account.user_id });
  // Those that it began meanwhile.
  await revokeSessionsOfUser(environment, data, account.linked_to, its);
  if (removed === 1) {
    await data.users.update({ user_id: account.linked_to }, { add: { linked_count: -1, revision: 1 } });
  }
}
