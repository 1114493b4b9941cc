import { createElapsed } from "../../adapters/clock.ts";
import type { HostServices } from "../../context.ts";
import { isUnavailable } from "../../store/conflicts.ts";
import type { Collection, Collections } from "../../store/contract.ts";
import type { StoredRow } from "../../store/schema.ts";
import { endOfTurn } from "../../store/turn.ts";
import type { RecordedSpan } from "../../telemetry/spans.ts";

/** Maximum number of rows that share an insert. */
const maxRows = 64;

/**
 * How long a group waits for the end of the insert before it, in milliseconds. Then the two run in parallel, so that a
 * lost connection or a locked row delays only one group.
 */
const maximumWait = 20;

/**
 * How long calls can join a group, in milliseconds. A group is usually inserted much earlier. It is not if the request
 * that inserts it was cancelled.
 */
const joinable = 1000;

type Host = Pick<HostServices, "clock" | "wait" | "telemetry">;

/**
 * Groups the inserts into the collections that every token request inserts into. Most of the cost of such an insert is
 * its commit.
 */
export function withGroupedInserts(collections: Collections, host: Host): Collections {
  return {
    ...collections,
    logs: groupInserts<StoredRow<"logs">>(collections.logs, host, "logs"),
    refresh_tokens: groupInserts<StoredRow<"refresh_tokens">>(collections.refresh_tokens, host, "refresh_tokens"),
  };
}

/** Completes the insert of one row of a group, in the asynchronous context of its call. */
type Complete<Row> = (row: Row) => Promise<boolean>;

/** Rows that will share an insert. */
interface Group<Row> {
  readonly rows: Row[];
  /** The spans of the calls, if the host application records spans. */
  readonly spans: RecordedSpan[];
  /** When the group was created, in milliseconds of the elapsed time. */
  readonly createdAt: number;
  /** Resolves after the insert. */
  readonly inserted: Promise<Complete<Row>>;
}

/**
 * Groups the inserts of single rows (group commit). Rows that are inserted in the same turn of the event loop share an
 * insert, and so do rows that arrive during an insert. Each call gets the result for the row that it passed:
 *
 * - If an insert of several rows finds a key in use, or fails for a reason that one of the rows may have caused, each row
 *   is inserted alone.
 * - If the database is unavailable, all calls of the group get the error.
 *
 * The call with the first row of a group inserts the group. On Workers, a request stops running code when it ends, so a
 * request that inserted rows for all others could leave them waiting forever.
 *
 * Each call has a span in its request. The insert of the group belongs to no single request: its span has no parent, and
 * links to the spans of the calls.
 * @param name the name of the collection.
 */
export function groupInserts<Row>(inner: Collection<Row>, { clock, wait, telemetry }: Host, name: string): Collection<Row> {
  const elapsed = createElapsed(clock);
  /** The group that calls join. */
  let open: Group<Row> | undefined;
  /** The last insert, until it has ended. */
  let running: Promise<Complete<Row>> | undefined;

  const insertAlone: Complete<Row> = (row) => inner.insert([row]);

  const insertGroup = ({ rows, spans }: Group<Row>): Promise<boolean> => {
    if (telemetry === undefined) return inner.insert(rows);
    const attributes = { "db.collection.name": name, "db.operation.batch.size": rows.length };
    return telemetry.observe({ name: `insert group ${name}`, attributes, sharedBy: spans }, () => inner.insert(rows));
  };

  const insertTogether = async (group: Group<Row>): Promise<Complete<Row>> => {
    const { rows } = group;
    try {
      const isInserted = await insertGroup(group);
      return isInserted || rows.length === 1 ? async () => isInserted : insertAlone;
    } catch (error) {
      if (rows.length > 1 && !isUnavailable(error)) return insertAlone;
      return async () => {
        throw error;
      };
    }
  };

  /** Opens a group with the call's row, and inserts it with the rows of the calls that joined it. */
  const lead = async (row: Row, span: RecordedSpan | undefined): Promise<boolean> => {
    const { promise: inserted, resolve } = Promise.withResolvers<Complete<Row>>();
    const group: Group<Row> = { rows: [row], spans: span === undefined ? [] : [span], createdAt: elapsed(), inserted };
    open = group;
    if (running !== undefined) await endOrTimeout(running, wait);
    await endOfTurn();
    if (open === group) open = undefined;
    const insert = insertTogether(group);
    running = insert;
    const complete = await insert;
    if (running === insert) running = undefined;
    resolve(complete);
    return complete(row);
  };

  const insertOne = async (row: Row, span?: RecordedSpan): Promise<boolean> => {
    const group = open;
    if (group === undefined || group.rows.length === maxRows || elapsed() - group.createdAt > joinable) return lead(row, span);
    group.rows.push(row);
    if (span !== undefined) group.spans.push(span);
    const complete = await group.inserted;
    return complete(row);
  };

  return {
    ...(inner.filters !== undefined && { filters: inner.filters }),
    insert: (rows, options) => {
      const [row] = rows;
      if (row === undefined || rows.length > 1) return inner.insert(rows, options);
      if (telemetry === undefined) return insertOne(row);
      return telemetry.observe({ name: `grouped insert ${name}`, attributes: { "db.collection.name": name } }, (span) =>
        insertOne(row, span),
      );
    },
    find: (query, options) => inner.find(query, options),
    count: (where, filter, options) => inner.count(where, filter, options),
    update: (where, change, options) => inner.update(where, change, options),
    delete: (where, options) => inner.delete(where, options),
  };
}

/** Resolves when the insert has ended, or after {@link maximumWait}. */
async function endOrTimeout(insert: Promise<unknown>, wait: Host["wait"]): Promise<void> {
  const ended = new AbortController();
  await Promise.race([insert, wait(maximumWait, ended.signal)]);
  ended.abort();
}
