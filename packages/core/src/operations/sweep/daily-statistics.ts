import type { Collections } from "../../store/contract.ts";
import type { Row, StoredRow } from "../../store/schema.ts";
import { firstUlidAt } from "../../store/ulid.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import type { Installation } from "../../tenants/installation.ts";
import { countEvents, dayAt, newDay, type CountedEvents } from "./count-events.ts";

/** Milliseconds after which an event is counted. By then, every process has written its earlier events. */
const settleTime = 60_000;

/** Milliseconds after which the log of a tenant is read again. */
const interval = 5 * 60_000;

/** Milliseconds after which the active users of a tenant are counted again, if users have signed in. */
const activeUsersInterval = 3_600_000;

/** Milliseconds within which a user who signed in is active. */
const activeTime = 30 * 86_400_000;

/** Reads that have the cost of one deleted row. */
const readsPerRow = 10;

/** Tenants per query. */
const page = 50;

/** The result of counting. */
export interface StatisticsResult {
  /** The cost, in rows of the budget. */
  readonly cost: number;
  /** Whether nothing is left to count. */
  readonly finished: boolean;
  /** Milliseconds since 1970. The events before this instant are counted, so they may be deleted. */
  readonly countedUntil: number;
}

type CountedTenant = Pick<Row<"tenants">, "id" | "counted_until">;

/**
 * Counts the log events of every tenant of the first database that was not counted in the last minutes, those first that
 * wait longest. Each tenant's row contains the instant up to which its events are counted.
 */
export async function countStatistics(installation: Installation, collections: Collections, budget: number): Promise<StatisticsResult> {
  const limit = new WorkLimit(budget * readsPerRow);
  const now = installation.now();
  const finished = await limit.run(async () => {
    for (;;) {
      const tenants = await collections.tenants.find({
        where: { counted_until: { lt: now - settleTime - interval }, deleting_at: null },
        orderBy: { fields: ["counted_until", "id"], direction: "asc" },
        fields: ["id", "counted_until"],
        limit: page,
      });
      const unchanged: string[] = [];
      for (const tenant of tenants) {
        const counted = await countTenant(installation, collections, tenant, limit);
        if (counted === "none") unchanged.push(tenant.id);
        await limit.batch(1);
      }
      await advance(collections, unchanged, now - settleTime);
      if (tenants.length < page) return;
    }
  });
  return { cost: Math.ceil(limit.handled / readsPerRow), finished, countedUntil: await oldestCount(collections) };
}

/** Counts the log events of one tenant of the first database, as {@link countStatistics} does. */
export async function countStatisticsOf(
  installation: Installation,
  collections: Collections,
  tenant: CountedTenant,
  budget: number,
): Promise<Omit<StatisticsResult, "countedUntil">> {
  const limit = new WorkLimit(budget * readsPerRow);
  const finished = await limit.run(async () => {
    if ((await countTenant(installation, collections, tenant, limit)) === "none") {
      await advance(collections, [tenant.id], installation.now() - settleTime);
    }
  });
  return { cost: Math.ceil(limit.handled / readsPerRow), finished };
}

/** Counts the log events in a tenant-specific database. They are counted up to the last event of its newest day. */
export async function countOwnStatistics(
  installation: Installation,
  own: Collections,
  tenantId: string,
  budget: number,
): Promise<StatisticsResult> {
  const limit = new WorkLimit(budget * readsPerRow);
  const now = installation.now();
  const until = now - settleTime;
  let counted: CountedEvents = "none";
  const finished = await limit.run(async () => {
    const newest = await newestDay(own, tenantId);
    counted = await countEvents(own, { tenantId, from: newest?.last_event_id ?? "", until }, now, limit);
    await countActiveUsers(own, tenantId, now, counted === "counted");
  });
  // After a conflict, the other process has not counted all events yet.
  const isDone = finished && !isConflict(counted);
  return { cost: Math.ceil(limit.handled / readsPerRow), finished: isDone, countedUntil: isDone ? until : 0 };
}

function isConflict(counted: CountedEvents): boolean {
  return counted === "conflict";
}

/** Stores that the events of tenants before an instant are counted. */
export async function advance({ tenants }: Collections, ids: readonly string[], countedUntil: number): Promise<void> {
  if (ids.length > 0)
    await tenants.update({ id: { in: ids }, counted_until: { lt: countedUntil } }, { set: { counted_until: countedUntil } });
}

/** Returns the instant before which the events of every tenant are counted. */
export async function oldestCount({ tenants }: Collections): Promise<number> {
  const [oldest] = await tenants.find({
    where: { deleting_at: null },
    orderBy: { fields: ["counted_until", "id"], direction: "asc" },
    fields: ["counted_until"],
    limit: 1,
  });
  return oldest?.counted_until ?? 0;
}

async function countTenant(
  installation: Installation,
  collections: Collections,
  { id: tenantId, counted_until: countedUntil }: CountedTenant,
  limit: WorkLimit,
): Promise<CountedEvents> {
  const now = installation.now();
  const until = now - settleTime;
  const progress = (instant: number): Promise<void> => advance(collections, [tenantId], Math.min(instant, until));
  const counted = await countEvents(collections, { tenantId, from: firstUlidAt(countedUntil), until, progress }, now, limit);
  if (counted === "counted" || dayAt(countedUntil) !== dayAt(now))
    await countActiveUsers(collections, tenantId, now, counted === "counted");
  if (counted === "counted") await progress(until);
  return counted;
}

/**
 * Counts the users who signed in within 30 days: with the first call of a day, and at most once an hour after sign-ins.
 * Uses the index of the last sign-in, so it reads no row of a user. A tenant without active users gets no new day.
 */
async function countActiveUsers(collections: Collections, tenant_id: string, now: number, hasEvents: boolean): Promise<void> {
  const { daily_statistics: days, users } = collections;
  const newest = await newestDay(collections, tenant_id);
  if (newest === undefined) return;
  const date = dayAt(now);
  const isNewDay = newest.date < date;
  const hadActiveUsers = newest.active_users !== null && newest.active_users > 0;
  if (isNewDay ? !hadActiveUsers && !hasEvents : !hasEvents || now - newest.active_users_at < activeUsersInterval) return;
  // A linked account has the sign-ins of its primary user.
  const active_users = await users.count({ tenant_id, linked_to: "", last_login: { gte: now - activeTime } });
  if (isNewDay && active_users === 0 && !hadActiveUsers) return;
  if (isNewDay) await days.insert([{ ...newDay({ tenant_id, date }, now), last_event_id: newest.last_event_id }]);
  await days.update({ tenant_id, date }, { set: { active_users, active_users_at: now, updated_at: now } });
}

async function newestDay({ daily_statistics: days }: Collections, tenant_id: string): Promise<StoredRow<"daily_statistics"> | undefined> {
  const [newest] = await days.find({ where: { tenant_id }, orderBy: { fields: ["date"], direction: "desc" }, limit: 1 });
  return newest;
}
