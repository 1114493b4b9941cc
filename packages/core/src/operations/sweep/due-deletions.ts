import { deleteUser } from "../../identity/users/delete-user.ts";
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

type Account = Row<"users">;

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
      for (const { tenant_id: tenantId, ...user } of rows) {
        const tenant = await tenantForSweep(installation, tenantId);
        if (tenant !== undefined) await takeStep(tenant, user, limit);
        // Counted, so that the loop ends even if all rows belong to deleted tenants.
        await limit.batch(1);
      }
      if (rows.length < chunk) return;
      await endOfTurn();
    }
  });
  return { removed: limit.handled, finished };
}

async function takeStep(tenant: RequestTenant, user: Account, limit: WorkLimit): Promise<void> {
  const { user_id, linked_to, deletes_at: at, deletion_step_at: step } = user;
  const due = { user_id, linked_to, deletion_step_at: step };
  if (at === null || step === null || linked_to !== "") {
    // The account was linked since the request. The request was about the account that it no longer is.
    await tenant.data.users.update(due, { set: { deletes_at: null, deletion_step_at: null }, add: { revision: 1 } });
  } else if (step < at) {
    const isReminder = (await tenant.data.users.update(due, { set: { deletion_step_at: at }, add: { revision: 1 } })) === 1;
    if (isReminder) await mailDeletion(tenant, user, { at, isReminder });
  } else if (await deleteUser(tenant, user_id, limit, due)) {
    await tenant.audit({ type: "sdu", description: "The account was deleted, as its user had asked.", ...auditUser(user) });
  }
}
