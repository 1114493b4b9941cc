import { findOne } from "../../store/find-one.ts";
import type { Collections } from "../../store/contract.ts";
import type { StoredRow } from "../../store/schema.ts";
import { firstUlidAt } from "../../store/ulid.ts";
import type { WorkLimit } from "../../store/work-limit.ts";
import { isFailedSignIn, isLeakedPassword, isSignIn, isSignUp, type DayCounts } from "../../model/stats/counted-types.ts";

/** Events per query. */
const chunk = 1000;

/** The part of the log that is counted. */
export interface EventRange {
  readonly tenantId: string;
  /** The id of a log event, or its beginning: earlier events are counted already. */
  readonly from: string;
  /** Milliseconds since 1970. Later events are left to a later call, because other processes may still write events between them. */
  readonly until: number;
  /** Called when the events up to an instant are counted, so that a later call continues there. */
  readonly progress?: (countedUntil: number) => Promise<unknown>;
}

/**
 * The result of {@link countEvents}. `conflict`: another process counts the same events at this time. Then this call has
 * stopped, and that process continues.
 */
export type CountedEvents = "none" | "counted" | "conflict";

type Statistics = StoredRow<"daily_statistics">;
type CountedEvent = Pick<StoredRow<"logs">, "log_id" | "date" | "type">;

/**
 * Adds the events of a range to the statistics of their days. Safe to repeat, to stop at any point and to run in several
 * processes: the row of a day contains the id of its last counted event, and each write requires the id that was read.
 * @param limit counts the events that were read.
 * @throws what {@link WorkLimit.batch} throws when the limit is reached.
 */
export async function countEvents(collections: Collections, range: EventRange, now: number, limit: WorkLimit): Promise<CountedEvents> {
  const { tenantId: tenant_id, from, until, progress } = range;
  let last: CountedEvent | undefined;
  for (;;) {
    const events: readonly CountedEvent[] = await collections.logs.find({
      where: { tenant_id, log_id: { gte: from, lt: firstUlidAt(until) } },
      orderBy: { fields: ["log_id"], direction: "asc" },
      fields: ["log_id", "date", "type"],
      limit: chunk,
      ...(last !== undefined && { after: [last.log_id] }),
    });
    const repeated = await readRepeated(collections, tenant_id, events);
    for (const [date, ofDay] of Map.groupBy(events, dayOf)) {
      if (!(await addToDay(collections, { tenant_id, date }, ofDay, repeated, now))) return "conflict";
    }
    last = events.at(-1) ?? last;
    const isEnd = events.length < chunk;
    // Before the limit stops this call, so that events of one millisecond are not read again by each call.
    if (last !== undefined) await progress?.(isEnd ? until : last.date);
    await limit.batch(events.length);
    if (isEnd) return last === undefined ? "none" : "counted";
  }
}

const dayOf = ({ date }: CountedEvent): string => dayAt(date);

/** Returns the day (UTC) of an instant, as `YYYY-MM-DD`. */
export function dayAt(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Adds the events after the last counted one of a day. @returns false if another process has changed the row. */
async function addToDay(
  { daily_statistics: days }: Collections,
  key: Pick<Statistics, "tenant_id" | "date">,
  events: readonly CountedEvent[],
  repeated: ReadonlyMap<string, number>,
  now: number,
): Promise<boolean> {
  const stored = await findOne(days, key);
  const row = stored ?? newDay(key, now);
  const pending = events.filter(({ log_id: id }) => id > row.last_event_id);
  const last = pending.at(-1);
  if (last === undefined) return true;
  if (stored === undefined) await days.insert([row]);
  const { failures_by_type, ...sums } = sumUp(pending, repeated, row.failures_by_type);
  const set = { last_event_id: last.log_id, failures_by_type, updated_at: now };
  return (await days.update({ ...key, last_event_id: row.last_event_id }, { set, add: sums })) === 1;
}

/** Returns the row of a day without any event. */
export function newDay(key: Pick<Statistics, "tenant_id" | "date">, now: number): Statistics {
  return {
    ...key,
    last_event_id: "",
    logins: 0,
    signups: 0,
    leaked_passwords: 0,
    failures: 0,
    failures_by_type: {},
    active_users: null,
    active_users_at: 0,
    created_at: now,
    updated_at: now,
  };
}

function sumUp(events: readonly CountedEvent[], repeated: ReadonlyMap<string, number>, before: Statistics["failures_by_type"]): DayCounts {
  const failures_by_type: { [type: string]: number } = {};
  for (const [type, count] of Object.entries(before)) failures_by_type[type] = Number(count);
  let [logins, signups, leaked_passwords, failures] = [0, 0, 0, 0];
  for (const { log_id: id, type } of events) {
    const count = repeated.get(id) ?? 1;
    if (isSignIn(type)) logins += count;
    if (isSignUp(type)) signups += count;
    if (isLeakedPassword(type)) leaked_passwords += count;
    if (!isFailedSignIn(type)) continue;
    failures += count;
    failures_by_type[type] = (failures_by_type[type] ?? 0) + count;
  }
  return { logins, signups, leaked_passwords, failures, failures_by_type };
}

/** Returns how many failures the rows stand for that report repeated failures, by the id of the event. */
async function readRepeated(
  { logs }: Collections,
  tenant_id: string,
  events: readonly CountedEvent[],
): Promise<ReadonlyMap<string, number>> {
  const failed = events.filter(({ type }) => isFailedSignIn(type));
  const [first, last] = [failed[0], failed.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const rows = await logs.find({
    where: { tenant_id, type: { in: [...new Set(failed.map(({ type }) => type))] }, log_id: { gte: first.log_id, lte: last.log_id } },
    fields: ["log_id", "details"],
    limit: failed.length,
  });
  return new Map(rows.flatMap(({ log_id: id, details: { count } }) => (typeof count === "number" ? [[id, count] as const] : [])));
}
