import type { Collections } from "../data/contract.ts";
import type { Installation } from "./installation.ts";
import { sealAnew } from "./key-ring.ts";
import { finishRemovals, sweepExpired, type Removals, type Swept } from "./sweep.ts";

/** What opening a database counts against the budget, in rows. */
const costOfOpening = 10;

/** Tenants that are looked up at a time. */
const page = 50;

/** Where the next call goes on among the tenants' own databases. What a process forgets, a later round does. */
const positions = new WeakMap<Installation, string>();

/** Sweeps the first database, and then those of tenants' own in turn, from where the call before stopped. */
export async function sweepDatabases(installation: Installation, removals: Removals, budget: number): Promise<Swept> {
  const { stores, environment } = installation;
  let swept = await sweepOne(installation, stores.first, removals, budget);
  if (!stores.isolated) return swept;
  await stores.closeIdle();
  let left = budget - swept.removed - swept.sealedAnew;
  for (;;) {
    const after = positions.get(installation) ?? "";
    const tenants = await stores.first.tenants.find({
      where: { id: { gt: after }, deleting_at: null },
      orderBy: { fields: ["id"], direction: "asc" },
      limit: page,
      fields: ["id"],
    });
    for (const { id } of tenants) {
      if (left <= 0) return { ...swept, finished: false };
      positions.set(installation, id);
      left -= costOfOpening;
      try {
        const adapter = await stores.adapterOf(id);
        if (adapter === undefined) continue;
        const own = await sweepOne(installation, adapter.collections, removals, left);
        left -= own.removed + own.sealedAnew;
        swept = sum(swept, own);
      } catch (error) {
        // The other tenants' databases are looked after all the same.
        environment.logger.log({ level: "error", event: "sweep_failed", tenant_id: id, error });
        swept = { ...swept, finished: false };
      }
    }
    if (tenants.length === page) continue;
    positions.delete(installation);
    return swept;
  }
}

async function sweepOne(installation: Installation, collections: Collections, removals: Removals, budget: number): Promise<Swept> {
  const { environment } = installation;
  const finished = await finishRemovals(installation, collections, removals, budget);
  const expired = await sweepExpired({ collections, environment }, Math.max(0, budget - finished.removed));
  const removed = finished.removed + expired.removed;
  const sealed = await sealAnew(collections, environment, Math.max(0, budget - removed));
  return { ...sealed, removed, finished: finished.finished && expired.finished && sealed.finished };
}

function sum(one: Swept, other: Swept): Swept {
  return {
    removed: one.removed + other.removed,
    sealedAnew: one.sealedAnew + other.sealedAnew,
    olderKeysInUse: one.olderKeysInUse || other.olderKeysInUse,
    finished: one.finished && other.finished,
  };
}
