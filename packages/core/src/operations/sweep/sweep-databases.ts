import type { Collections } from "../../store/contract.ts";
import { endOfTurn } from "../../store/turn.ts";
import type { Row } from "../../store/schema.ts";
import type { Installation } from "../../tenants/installation.ts";
import { reencryptSecrets } from "../../tenants/key-ring.ts";
import { advance, countOwnStatistics, countStatistics, countStatisticsOf, oldestCount, type StatisticsResult } from "./daily-statistics.ts";
import { deleteDueAccounts } from "./due-deletions.ts";
import { removeUnusedClients } from "./unused-clients.ts";
import { completeDeletions, sweepExpired, type DeletionFunctions, type SweepResult } from "./sweep.ts";

/** The cost of opening a database, in rows of the budget. */
const costOfOpening = 10;

/** Tenants per query. */
const page = 50;

/**
 * The state of a round through the tenant-specific databases: the last database that was swept, and the results that
 * are reported at the end of the round.
 */
interface Round {
  readonly after: string;
  readonly finished: boolean;
  readonly olderKeysInUse: boolean;
}

const beginning: Round = { after: "", finished: true, olderKeysInUse: false };

/** The rounds in progress. After a restart, a new round begins. */
const rounds = new WeakMap<Installation, Round>();

/**
 * Sweeps the first database, and then the tenant-specific databases in turn, from the position of the previous call.
 * Each database gets a turn in a round, regardless of the work in the other databases. Only the call that ends a round
 * can report that nothing is left and that no older key is in use, because only then all databases were checked.
 */
export async function sweepDatabases(installation: Installation, removals: DeletionFunctions, budget: number): Promise<SweepResult> {
  const { stores } = installation;
  if (!stores.isolated)
    return sweepOne(installation, stores.first, removals, budget, (left) => countStatistics(installation, stores.first, left));
  await stores.closeIdle();
  // Half of the budget is for tenant-specific databases, so that a busy first database does not use all of it.
  const first = await sweepOne(installation, stores.first, removals, Math.ceil(budget / 2), async () => ({
    cost: 0,
    finished: true,
    // The events of the tenants of this database are counted in the turn of each tenant.
    countedUntil: await oldestCount(stores.first),
  }));
  let { removed, sealedAnew } = first;
  const skippedTenants: string[] = [];
  let left = budget - removed - sealedAnew;
  let round = rounds.get(installation) ?? beginning;
  for (;;) {
    const tenants = await stores.first.tenants.find({
      where: { id: { gt: round.after }, deleting_at: null, ready_at: { exists: true } },
      orderBy: { fields: ["id"], direction: "asc" },
      limit: page,
      fields: ["id", "counted_until"],
    });
    for (const tenant of tenants) {
      const { id } = tenant;
      if (left <= 0) return { removed, sealedAnew, olderKeysInUse: true, finished: false, skippedTenants };
      const own = await sweepTenant(installation, tenant, removals, left);
      skippedTenants.push(...own.skippedTenants);
      removed += own.removed;
      sealedAnew += own.sealedAnew;
      left -= costOfOpening + own.removed + own.sealedAnew;
      round = { after: id, finished: round.finished && own.finished, olderKeysInUse: round.olderKeysInUse || own.olderKeysInUse };
      rounds.set(installation, round);
    }
    if (tenants.length < page) break;
    await endOfTurn();
  }
  rounds.delete(installation);
  return {
    removed,
    sealedAnew,
    olderKeysInUse: first.olderKeysInUse || round.olderKeysInUse,
    finished: first.finished && round.finished,
    skippedTenants,
  };
}

const nothing: SweepResult = { removed: 0, sealedAnew: 0, olderKeysInUse: false, finished: true, skippedTenants: [] };

/**
 * Sweeps a tenant-specific database. A failing database does not block the others. It is reported as using older keys,
 * because its keys are unknown.
 */
async function sweepTenant(
  installation: Installation,
  tenant: Pick<Row<"tenants">, "id" | "counted_until">,
  removals: DeletionFunctions,
  budget: number,
): Promise<SweepResult> {
  const { stores } = installation;
  const { id: tenantId } = tenant;
  let swept: SweepResult | undefined;
  try {
    swept = await stores.visit(tenantId, (own) =>
      sweepOne(installation, own, removals, budget, (left) => countOwnStatistics(installation, own, tenantId, left)),
    );
  } catch (error) {
    installation.host.logger.log({ level: "error", event: "sweep_failed", tenant_id: tenantId, error });
    swept = { ...nothing, olderKeysInUse: true, skippedTenants: [tenantId] };
  }
  // A tenant without an own database has its events in the first one.
  if (swept === undefined) return { ...nothing, finished: (await countStatisticsOf(installation, stores.first, tenant, budget)).finished };
  await advance(stores.first, [tenantId], installation.now());
  return swept;
}

async function sweepOne(
  installation: Installation,
  collections: Collections,
  removals: DeletionFunctions,
  budget: number,
  count: (budget: number) => Promise<StatisticsResult>,
): Promise<SweepResult> {
  // Before the deletion of expired events, and with at most half of the budget, so that it delays nothing else for long.
  const counted = await count(Math.ceil(budget / 2));
  await endOfTurn();
  const parts = [
    (left: number) => completeDeletions(installation, collections, removals, left),
    (left: number) => deleteDueAccounts(installation, collections, left),
    (left: number) => removeUnusedClients(installation, collections, left),
    (left: number) => sweepExpired(installation, collections, left, counted.countedUntil),
  ];
  let removed = 0;
  let finished = counted.finished;
  for (const part of parts) {
    const done = await part(Math.max(0, budget - counted.cost - removed));
    removed += done.removed;
    finished &&= done.finished;
  }
  const sealed = await reencryptSecrets(collections, installation, Math.max(0, budget - counted.cost - removed));
  return { ...sealed, removed, finished: finished && sealed.finished, skippedTenants: [] };
}
