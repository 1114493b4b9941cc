import { deleteUser, deletionOf } from "../../identity/users/delete-user.ts";
import { noDeletion } from "../../identity/users/no-deletion.ts";
import { announceDeletion, day } from "../../identity/users/own-deletion.ts";
import { auditUser } from "../../logs/audit.ts";
import { mailDeletion } from "../../messages/deletion-mail.ts";
import { endOfTurn } from "../../store/turn.ts";
import type { Collections } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import type { Installation } from "../../tenants/installation.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { tenantForSweep, type SweepCount } from "./sweep.ts";

/** Accounts per query. */
const chunk = 100;

/**
 * Deletes the accounts whose users asked for it, when their time has come, and reminds the users a day before. An account
 * that its user keeps at the same time stays: each write requires that the step is still due.
 */
export async function deleteDueAccounts(installation: Installation, collections: Collections, budget: number): Promise<SweepCount> {
  const limit = new WorkLimit(budget);
  const finished = await limit.run(async () => {
    for (;;) {
      const where = { deletion_step_at: { lt: installation.now() }, deleting_at: null } as const;
      const rows = await collections.users.find({ where, limit: chunk });
      let isProgress = false;
      for (const { tenant_id: tenantId, ...user } of rows) {
        const tenant = await tenantForSweep(installation, tenantId);
        if (tenant === undefined) continue;
        await takeStep(tenant, user, limit);
        isProgress = true;
        await limit.batch(1);
      }
      // The rows of a tenant that is being deleted are deleted with it.
      if (rows.length < chunk || !isProgress) return;
      await endOfTurn();
    }
  });
  return { removed: limit.handled, finished };
}

async function takeStep(tenant: RequestTenant, user: Row<"users">, limit: WorkLimit): Promise<void> {
  const { user_id, linked_to, blocked, deletes_at: at, deletion_step_at: step } = user;
  const now = tenant.now();
  const change = async (set: Partial<Row<"users">>): Promise<boolean> =>
    (await tenant.data.users.update({ user_id, linked_to, deletion_step_at: step }, { set, add: { revision: 1 } })) === 1;
  if (at === null || step === null || linked_to !== "") {
    await change(noDeletion);
  } else if (blocked) {
    // A blocked user cannot decide to keep the account.
    await change({ deletion_step_at: now + day });
  } else if (step < at - day) {
    if (await announceDeletion(tenant, user, { at, step })) await mailDeletion(tenant, user, { at });
  } else if (step < at) {
    // A reminder that comes late, because no job ran, still leaves a day.
    const later = at - now < day / 2 ? now + day : at;
    if (await change({ deletes_at: later, deletion_step_at: later })) await mailDeletion(tenant, user, { at: later, isReminder: true });
  } else if (await change(deletionOf(tenant))) {
    await deleteUser(tenant, user_id, limit);
    await tenant.audit({ type: "sdu", description: "The account was deleted, as its user had asked.", ...auditUser(user) });
  }
}
