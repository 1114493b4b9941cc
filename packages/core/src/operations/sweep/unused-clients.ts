import { endOfTurn } from "../../store/turn.ts";
import type { Collections } from "../../store/contract.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import type { Installation } from "../../tenants/installation.ts";
import { removeClient } from "../../tenants/remove-client.ts";
import { tenantForSweep, type SweepCount } from "./sweep.ts";

/** Milliseconds after which a client that registered itself is deleted if no user has accepted it. */
const lifetime = 86_400_000;

/** Clients per query. */
const chunk = 100;

/**
 * Deletes the clients that registered themselves and that no user accepted within a day. A client that a user accepts at
 * the same time stays: its deletion starts only if it is still unused.
 */
export async function removeUnusedClients(installation: Installation, collections: Collections, budget: number): Promise<SweepCount> {
  const limit = new WorkLimit(budget);
  const finished = await limit.run(async () => {
    for (;;) {
      const where = { unused_since: { lt: installation.now() - lifetime }, deleting_at: null } as const;
      const rows = await collections.clients.find({ where, fields: ["tenant_id", "client_id", "unused_since"], limit: chunk });
      for (const { tenant_id: tenantId, client_id, unused_since } of rows) {
        const tenant = await tenantForSweep(installation, tenantId);
        if (tenant !== undefined) await removeClient(tenant, { client_id }, { unused_since }, limit);
        // Counted, so that the loop ends even if all rows belong to deleted tenants.
        await limit.batch(1);
      }
      if (rows.length < chunk) return;
      await endOfTurn();
    }
  });
  return { removed: limit.handled, finished };
}
