import * as z from "zod";
import { firstUlidAt } from "../../store/ulid.ts";
import type { Collections, Operators } from "../../store/contract.ts";
import type { Row, StoredRow } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { JsonObject } from "../../store/value.ts";

/**
 * A late event is committed when the cursor of a log stream has already passed its date, because its transaction was
 * long or the clock of its process is slow. The log behind the cursor is searched for them repeatedly, within a window.
 * For an interval of the log, the search compares the number of events with the number of events that were handled. It
 * reads ids only in an interval in which the numbers differ, so an ordinary search costs one count, independent of the
 * number of events in the window.
 */

/** Milliseconds of the log that share one count of handled events. */
const interval = 5000;

/** Rows per query. */
const page = 1000;

/** Maximum number of existing events that are read when a stream is created. */
const maximumRead = 10_000;

/** Maximum number of log ids in one condition. */
const maximumIds = 50;

/**
 * Milliseconds after which `sweep` deletes the row of a delivery that was not deleted earlier, because its stream was
 * paused or suspended that long.
 */
const recordLifetime = 30 * 86_400_000;

type Stream = StoredRow<"log_streams">;
type LogRow = StoredRow<"logs">;

/** The state of a stream's search for late events. */
export interface LateEventWindow {
  /** Milliseconds since 1970. Events with dates up to here are no longer searched for. */
  readonly searchedUntil: number;
  /**
   * The number of events after `searchedUntil` that were handled (delivered, or excluded by the filters), by the first
   * millisecond of their interval.
   */
  readonly handled: ReadonlyMap<number, number>;
}

const storedWindowSchema = z.object({
  cursor_date: z.number(),
  cursor_id: z.string(),
  searched_until: z.number(),
  handled: z.record(z.string(), z.number()),
});

/**
 * Reads the window of a stream. It is valid only for the cursor with which it was stored. If a request (`startFrom`)
 * has moved the cursor, the window starts again at the cursor.
 */
export function readWindow({ cursor_date: date, cursor_id: id, window_state: stored }: Stream): LateEventWindow {
  const { data } = storedWindowSchema.safeParse(stored, { jitless: true });
  if (data === undefined || data.cursor_date !== date || data.cursor_id !== id) return { searchedUntil: date, handled: new Map() };
  const handled = Object.entries(data.handled).map(([start, count]): [number, number] => [Number(start), count]);
  return { searchedUntil: data.searched_until, handled: new Map(handled) };
}

/** Returns the column value for a window and the cursor that is stored with it. */
export function storeWindow(
  { searchedUntil, handled }: LateEventWindow,
  { cursor_date, cursor_id }: Pick<Stream, "cursor_date" | "cursor_id">,
): JsonObject {
  return { cursor_date, cursor_id, searched_until: searchedUntil, handled: Object.fromEntries(handled) };
}

/**
 * Creates the window of a new stream that begins at `now`. It counts the existing events of the log as handled. So the
 * stream delivers every event that is committed from now on, even one with an earlier date, and none that was committed
 * before.
 * @param length length of the window in milliseconds. The window is shorter if it would contain more than 10,000
 * events.
 */
export async function createWindow(
  { logs, log_stream_deliveries: records }: Pick<TenantData, "logs" | "log_stream_deliveries">,
  {
    streamId: stream_id,
    now,
    length,
    makeId,
  }: { readonly streamId: string; readonly now: number; readonly length: number; makeId(): string },
): Promise<LateEventWindow> {
  let searchedUntil = startOf(now - length) - 1;
  const read: Pick<LogRow, "date">[] = [];
  const where = { log_id: { gte: firstUlidAt(searchedUntil + 1), lt: firstUlidAt(now) } };
  for (let after: readonly [string] | undefined; ;) {
    const rows = await logs.find({
      where,
      orderBy: { fields: ["log_id"], direction: "desc" },
      fields: ["date", "log_id"],
      limit: page,
      ...(after !== undefined && { after }),
    });
    const last = rows.at(-1);
    if (last === undefined) break;
    read.push(...rows);
    await records.insert([{ stream_id, id: makeId(), ...recordOf(rows), expires_at: now + recordLifetime }]);
    if (rows.length < page) break;
    after = [last.log_id];
    if (read.length < maximumRead) continue;
    searchedUntil = last.date;
    break;
  }
  return withHandled({ searchedUntil, handled: new Map() }, read);
}

/** Returns the window after more events were handled. */
export function withHandled(window: LateEventWindow, rows: readonly Pick<LogRow, "date">[]): LateEventWindow {
  const handled = new Map(window.handled);
  for (const { date } of rows.filter((row) => row.date > window.searchedUntil)) {
    const start = startOf(date);
    handled.set(start, (handled.get(start) ?? 0) + 1);
  }
  return { ...window, handled };
}

/** Stores which events of the window an acknowledged delivery contained, so that later searches skip them. */
export async function recordDelivery(
  { log_stream_deliveries: records }: Collections,
  { tenant_id, id: stream_id }: Stream,
  { searchedUntil }: LateEventWindow,
  rows: readonly LogRow[],
  { id, now }: { readonly id: string; readonly now: number },
): Promise<void> {
  const within = rows.filter(({ date }) => date > searchedUntil);
  if (within.length === 0) return;
  await records.insert([{ tenant_id, stream_id, id, ...recordOf(within), expires_at: now + recordLifetime }]);
}

function recordOf(
  rows: readonly Pick<LogRow, "date" | "log_id">[],
): Pick<Row<"log_stream_deliveries">, "first_date" | "last_date" | "log_ids"> {
  const dates = rows.map(({ date }) => date);
  return { first_date: Math.min(...dates), last_date: Math.max(...dates), log_ids: rows.map(({ log_id: id }) => id) };
}

/** Deletes the rows of deliveries that no search needs any more. */
export async function deleteOldRecords(
  { log_stream_deliveries: records }: Collections,
  { tenant_id, id: stream_id }: Stream,
  { searchedUntil }: LateEventWindow,
): Promise<void> {
  await records.delete({ tenant_id, stream_id, last_date: { lte: searchedUntil } });
}

/** The result of one step of a search. */
interface LateEventSearch {
  /** Late events, oldest first. Empty if this step found none. */
  readonly rows: readonly LogRow[];
  readonly window: LateEventWindow;
  /** Whether every event behind the cursor is handled. If not, search again after handling `rows`. */
  readonly finished: boolean;
}

/**
 * Searches the log behind the cursor for events that were not handled.
 * @param length milliseconds of the window.
 * @param limit maximum number of late events.
 */
export async function findLateEvents(
  collections: Collections,
  stream: Stream,
  window: LateEventWindow,
  { now, length, limit }: { readonly now: number; readonly length: number; readonly limit: number },
): Promise<LateEventSearch> {
  const { cursor_date: cursorDate } = stream;
  const { searchedUntil, handled } = window;
  // The newest event limits how far a search advances, so that a process whose clock is ahead does not shorten the
  // window of the others. In a log without new events, the clock decides.
  const target = Math.max(Math.min(now, cursorDate) - length, now - 2 * length);
  const advanced = advance(window, startOf(target) - 1);
  if (searchedUntil >= cursorDate) return { rows: [], window: advanced, finished: true };

  let [first, last] = [startOf(searchedUntil + 1), startOf(cursorDate)];
  const differs = async (from: number, to: number): Promise<boolean> => {
    const range = { after: Math.max(searchedUntil, from - 1), until: Math.min(cursorDate, to + interval - 1) };
    return (await countBehindCursor(collections, stream, range)) !== sum(handled, from, to);
  };
  if (!(await differs(first, last))) return { rows: [], window: advanced, finished: true };
  while (first < last) {
    const middle = startOf((first + last) / 2);
    if (await differs(first, middle)) last = middle;
    else first = middle + interval;
  }

  const range = { after: Math.max(searchedUntil, first - 1), until: Math.min(cursorDate, first + interval - 1) };
  const known = await recordedIds(collections, stream, range);
  const ids = await idsBehindCursor(collections, stream, range);
  const late = ids.filter((id) => !known.has(id));
  const { tenant_id } = stream;
  const selected = late.slice(0, Math.min(limit, maximumIds));
  const rows =
    selected.length === 0 ? [] : await collections.logs.find({ where: { tenant_id, log_id: { in: selected } }, limit: maximumIds });
  // The stored count is too small if a process recorded a delivery and stopped before it updated the stream.
  const corrected = new Map(handled).set(first, ids.length - late.length);
  // If counts never match the rows, because the data store is inconsistent, the search must still end.
  const finished = rows.length === 0 && corrected.get(first) === (handled.get(first) ?? 0);
  return { rows: rows.toSorted(byId), window: { searchedUntil, handled: corrected }, finished };
}

interface Range {
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly until: number;
}

async function countBehindCursor({ logs }: Collections, stream: Stream, range: Range): Promise<number> {
  return logs.count({ tenant_id: stream.tenant_id, log_id: idsIn(range, stream) });
}

async function idsBehindCursor({ logs }: Collections, stream: Stream, range: Range): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after: readonly [string] | undefined; ;) {
    const rows = await logs.find({
      where: { tenant_id: stream.tenant_id, log_id: idsIn(range, stream) },
      orderBy: { fields: ["log_id"], direction: "asc" },
      fields: ["log_id"],
      limit: page,
      ...(after !== undefined && { after }),
    });
    ids.push(...rows.map(({ log_id: id }) => id));
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return ids;
    after = [last.log_id];
  }
}

/** Returns the condition for the ids of the events in a range that are not after the cursor. */
function idsIn({ after, until }: Range, stream: Stream): Operators<string> {
  const from = firstUlidAt(after + 1);
  return until < stream.cursor_date ? { gte: from, lt: firstUlidAt(until + 1) } : { gte: from, lte: positionOf(stream) };
}

/** Returns the position of a stream in the log: it continues with the first id after this text. */
export function positionOf({ cursor_date: date, cursor_id: id }: Stream): string {
  return id === "" ? firstUlidAt(date) : id;
}

async function recordedIds(
  { log_stream_deliveries: records }: Collections,
  { tenant_id, id: stream_id }: Stream,
  { after: from, until }: Range,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let after: readonly [string, number, string] | undefined; ;) {
    const rows = await records.find({
      where: { tenant_id, stream_id, last_date: { gt: from }, first_date: { lte: until } },
      orderBy: { fields: ["stream_id", "last_date", "id"], direction: "asc" },
      limit: page,
      ...(after !== undefined && { after }),
    });
    for (const { log_ids: recorded } of rows) for (const id of recorded) ids.add(id);
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return ids;
    after = [stream_id, last.last_date, last.id];
  }
}

function advance({ searchedUntil: before, handled }: LateEventWindow, target: number): LateEventWindow {
  const searchedUntil = Math.max(before, target);
  return { searchedUntil, handled: new Map([...handled].filter(([start]) => start + interval - 1 > searchedUntil)) };
}

function startOf(date: number): number {
  return Math.floor(date / interval) * interval;
}

function sum(handled: LateEventWindow["handled"], from: number, to: number): number {
  return [...handled].reduce((total, [start, count]) => (start >= from && start <= to ? total + count : total), 0);
}

function byId(a: LogRow, b: LogRow): number {
  return a.log_id < b.log_id ? -1 : 1;
}
