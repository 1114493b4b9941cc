import { networkOf } from "../adapters/addresses.ts";
import type { StoredRow } from "../store/schema.ts";

type LogRow = StoredRow<"logs">;

/**
 * Keeps those who make requests fail from filling the log. Of the failures of one kind that come to one tenant from one address in a minute, the first ones
 * have rows of their own; those after them are counted, and when the minute is over one row says how many there were: that of the last one, with `count`,
 * `first_at` and `last_at` in its details; and so for each minute after it, until one is quiet. Its date is that of its writing, so that nobody who follows the log misses it.
 *
 * Whom they named is counted too: `clients` and `users` in the details, the row's own being those of the last one only where it is the only one.
 *
 * Failures whose sender's address is not known are counted by tenant and kind alone, after ten times as many rows: they come from anybody.
 * What is being counted is lost with the process.
 */
export interface RepeatedEvents {
  /** The rows to store now: the event's own, unless it is counted, and those of minutes that are over. */
  admit(row: LogRow): readonly LogRow[];
  /** The rows of minutes that are over. */
  over(now: number): readonly LogRow[];
}

/** Failures of one kind from one address that have rows of their own, in a minute. */
const separate = 60;
/** The same of those that come from no address that is known. */
const separateUnaddressed = 600;
const minute = 60_000;
/** Kinds and addresses that are watched at a time. Where there are more, the oldest minute ends early. */
const watched = 10_000;

interface Minute {
  readonly end: number;
  seen: number;
  counted: number;
  firstAt: number;
  last: LogRow | undefined;
  readonly clients: Map<string, number>;
  readonly users: Map<string, number>;
}

/** Names that are counted apart in a minute; those after them are counted as `others`. */
const namedApart = 50;

/** Makes {@link RepeatedEvents}. Time is what the rows say. */
export function createRepeatedEvents(): RepeatedEvents {
  // In the order in which minutes began, which is also the order in which they end.
  const minutes = new Map<string, Minute>();

  const end = (key: string, { end: ended, last, counted, firstAt, clients, users }: Minute, now: number): LogRow[] => {
    minutes.delete(key);
    if (last === undefined) return [];
    // Who goes on has no rows of their own again until a minute was quiet: patience must not fill the log either.
    if (now < ended + minute) minutes.set(key, begin(now, rowsOf(last)));
    const named = { clients: Object.fromEntries(clients), users: Object.fromEntries(users) };
    const details = { ...last.details, count: counted, first_at: timestamp(firstAt), last_at: timestamp(last.date), ...named };
    const many = { ...(clients.size > 1 && { client_id: "", client_name: "" }), ...(users.size > 1 && { user_id: "", user_name: "" }) };
    return [{ ...last, ...many, date: now, details }];
  };
  const over = (now: number): LogRow[] => {
    const rows: LogRow[] = [];
    for (const [key, entry] of minutes) {
      if (entry.end > now) break;
      rows.push(...end(key, entry, now));
    }
    return rows;
  };

  return {
    over,
    admit(row) {
      const rows = over(row.date);
      if (!isFailure(row.type)) return [...rows, row];
      const key = JSON.stringify([row.tenant_id, row.type, networkOf(row.ip)]);
      const entry = minutes.get(key);
      if (entry === undefined) {
        const [oldest] = minutes.size < watched ? [] : minutes;
        if (oldest !== undefined) rows.push(...end(...oldest, row.date));
        minutes.set(key, begin(row.date, 1));
        return [...rows, row];
      }
      if (++entry.seen <= rowsOf(row)) return [...rows, row];
      if (entry.counted++ === 0) entry.firstAt = row.date;
      entry.last = row;
      countName(entry.clients, row.client_id);
      countName(entry.users, row.user_id === "" ? row.user_name : row.user_id);
      return rows;
    },
  };
}

/** Counts nothing: for what does not last a minute, and whose every row belongs to it. */
export const everyEvent: RepeatedEvents = { admit: (row) => [row], over: () => [] };

/** How many failures like this one have rows of their own, in a minute. */
function rowsOf({ ip }: LogRow): number {
  return ip === "" ? separateUnaddressed : separate;
}

function begin(now: number, seen: number): Minute {
  return { end: now + minute, seen, counted: 0, firstAt: now, last: undefined, clients: new Map(), users: new Map() };
}

function countName(counts: Map<string, number>, name: string): void {
  if (name === "") return;
  const key = counts.has(name) || counts.size < namedApart ? name : "others";
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The vendor's codes of failures begin with `f`, those of limits with `limit_`; `w` is a warning during a login. */
function isFailure(type: string): boolean {
  // A refresh token that was used again happens once to a family, and says that one may be stolen.
  if (type === "ferrt") return false;
  return type === "w" || type.startsWith("f") || type.startsWith("limit_");
}

function timestamp(at: number): string {
  return new Date(at).toISOString();
}
