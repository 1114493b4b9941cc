import { networkOf } from "../adapters/addresses.ts";
import { firstUlidAt } from "../store/ulid.ts";
import type { StoredRow } from "../store/schema.ts";

type LogRow = StoredRow<"logs">;

/**
 * Keeps repeated failures from filling the log. Failures are counted per tenant, kind and IP address. In each minute,
 * the first failures are stored as separate rows, and later ones are only counted. At the end of the minute, one row
 * reports them: the row of the last failure, with `count`, `first_at` and `last_at` in its details. In each following
 * minute, failures are only counted, until a minute passes without failures. The row's date and the time in its id are
 * the time at which the row is written, so that readers that follow the log do not miss it.
 *
 * The clients and users of counted failures are counted too, as `clients` and `users` in the details. The row itself
 * names a client or user only if the counted failures name just one.
 *
 * Failures from an unknown IP address are counted per tenant and kind, and get ten times as many separate rows, because
 * any visitor can cause them. Counts are stored when the minute ends, and are lost in a crash.
 */
export interface RepeatedEvents {
  /**
   * Returns the rows to store now: the event's row, unless it is only counted, and the rows that report minutes that
   * have ended.
   */
  admit(row: LogRow): readonly LogRow[];
  /** Returns the rows that report minutes that have ended. */
  takeEnded(now: number): readonly LogRow[];
}

/** Maximum number of separate rows per minute for failures of one kind and address. */
const maximumRows = 60;
/** The same maximum for failures from an unknown address. */
const maximumRowsUnaddressed = 600;
const minute = 60_000;
/**
 * Maximum number of combinations of tenant, kind and IP address that are tracked at a time. Beyond it, the oldest
 * minute ends early.
 */
const maximumTracked = 10_000;

interface Minute {
  readonly end: number;
  seen: number;
  counted: number;
  firstAt: number;
  last: LogRow | undefined;
  readonly clients: Map<string, number>;
  readonly users: Map<string, number>;
}

/** Maximum number of names that are counted separately in a minute. Further names are counted as `others`. */
const maximumNames = 50;

/** Creates {@link RepeatedEvents}. It reads no clock: it takes the date of the latest row as the current time. */
export function createRepeatedEvents(): RepeatedEvents {
  // In the order in which minutes began, which is also the order in which they end.
  const minutes = new Map<string, Minute>();

  const end = (key: string, { end: ended, last, counted, firstAt, clients, users }: Minute, now: number): LogRow[] => {
    minutes.delete(key);
    if (last === undefined) return [];
    // A sender that continues gets no separate rows until a minute without failures, so that slow, steady failures do
    // not fill the log either.
    if (now < ended + minute) minutes.set(key, begin(now, maximumRowsOf(last)));
    const named = { clients: Object.fromEntries(clients), users: Object.fromEntries(users) };
    const details = { ...last.details, count: counted, first_at: timestamp(firstAt), last_at: timestamp(last.date), ...named };
    const many = { ...(clients.size > 1 && { client_id: "", client_name: "" }), ...(users.size > 1 && { user_id: "", user_name: "" }) };
    return [{ ...last, ...many, log_id: firstUlidAt(now) + last.log_id.slice(10), date: now, details }];
  };
  const takeEnded = (now: number): LogRow[] => {
    const rows: LogRow[] = [];
    for (const [key, entry] of minutes) {
      if (entry.end > now) break;
      rows.push(...end(key, entry, now));
    }
    return rows;
  };

  return {
    takeEnded,
    admit(row) {
      const rows = takeEnded(row.date);
      if (!isFailure(row.type)) return [...rows, row];
      const key = JSON.stringify([row.tenant_id, row.type, networkOf(row.ip)]);
      const entry = minutes.get(key);
      if (entry === undefined) {
        const [oldest] = minutes.size < maximumTracked ? [] : minutes;
        if (oldest !== undefined) rows.push(...end(...oldest, row.date));
        minutes.set(key, begin(row.date, 1));
        return [...rows, row];
      }
      if (++entry.seen <= maximumRowsOf(row)) return [...rows, row];
      if (entry.counted++ === 0) entry.firstAt = row.date;
      entry.last = row;
      countName(entry.clients, row.client_id);
      countName(entry.users, row.user_id === "" ? row.user_name : row.user_id);
      return rows;
    },
  };
}

/** Stores every event in a separate row and counts none. For short-lived uses. */
export const everyEvent: RepeatedEvents = { admit: (row) => [row], takeEnded: () => [] };

/** Returns the maximum number of separate rows per minute for failures like this one. */
function maximumRowsOf({ ip }: LogRow): number {
  return ip === "" ? maximumRowsUnaddressed : maximumRows;
}

function begin(now: number, seen: number): Minute {
  return { end: now + minute, seen, counted: 0, firstAt: now, last: undefined, clients: new Map(), users: new Map() };
}

function countName(counts: Map<string, number>, name: string): void {
  if (name === "") return;
  const key = counts.has(name) || counts.size < maximumNames ? name : "others";
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Whether an event type is a failure. Auth0's codes for failures begin with `f`, those for exceeded limits with
 * `limit_`. `w` is a warning during a login.
 */
function isFailure(type: string): boolean {
  // Reuse of a refresh token happens once per family, and signals that a token may be stolen.
  if (type === "ferrt") return false;
  return type === "w" || type.startsWith("f") || type.startsWith("limit_");
}

function timestamp(at: number): string {
  return new Date(at).toISOString();
}
