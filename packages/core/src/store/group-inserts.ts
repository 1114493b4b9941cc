import { DataTimeoutError, isUnavailable } from "./conflicts.ts";
import type { Collection, Collections } from "./contract.ts";
import type { StoredRow } from "./schema.ts";
import { endOfTurn } from "./turn.ts";

/** Maximum number of rows that share an insert. */
const maxRows = 64;

/**
 * Groups the inserts into the collections that every token request inserts into. Most of the cost of such an insert is
 * its commit.
 */
export function withGroupedInserts(collections: Collections): Collections {
  return {
    ...collections,
    logs: groupInserts<StoredRow<"logs">>(collections.logs),
    refresh_tokens: groupInserts<StoredRow<"refresh_tokens">>(collections.refresh_tokens),
  };
}

/** A call that waits for the end of another call's insert. */
interface Waiting<Row> {
  readonly row: Row;
  /** Resumes the call with the function that it must call next, in its own asynchronous context. */
  readonly resume: (next: () => Promise<boolean>) => void;
}

/**
 * Groups the inserts of single rows (group commit). Rows that are inserted in the same turn of the event loop share an
 * insert, and so do rows that arrive during an insert. Each call gets the result of its own row:
 *
 * - If an insert of several rows finds a key in use, or fails for a reason that one of the rows may have caused, each row
 *   is inserted alone.
 * - If the database is unavailable, all calls that share the insert get the error.
 * - If the database does not respond in time, the calls that wait for the next insert get the error too. Otherwise they
 *   would wait for a second timeout.
 *
 * The call with the first row inserts the group. On Workers, a request stops running code when it ends, so a request that
 * inserted rows for all others could leave them waiting forever.
 */
export function groupInserts<Row>(inner: Collection<Row>): Collection<Row> {
  /** The calls that wait for the next insert. Undefined if no insert is in progress. */
  let queue: Waiting<Row>[] | undefined;

  /** Inserts rows together. @returns a function that completes the insert of one of them. */
  const insertTogether = async (rows: readonly Row[], waiting: Waiting<Row>[]): Promise<(row: Row) => Promise<boolean>> => {
    const insertAlone = (row: Row): Promise<boolean> => inner.insert([row]);
    try {
      const isInserted = await inner.insert(rows);
      return isInserted || rows.length === 1 ? async () => isInserted : insertAlone;
    } catch (error) {
      const fail = async (): Promise<never> => {
        throw error;
      };
      if (error instanceof DataTimeoutError) for (const { resume } of waiting.splice(0)) resume(fail);
      return isUnavailable(error) || rows.length === 1 ? fail : insertAlone;
    }
  };

  /** Inserts the call's row and rows of waiting calls. Then tells the next waiting call to do the same. */
  const lead = async (row: Row, waiting: Waiting<Row>[]): Promise<boolean> => {
    await endOfTurn();
    // The sizes are powers of two, so that there are few different statements and each stays prepared.
    const size = 2 ** Math.floor(Math.log2(Math.min(waiting.length + 1, maxRows)));
    const others = waiting.splice(0, size - 1);
    const complete = await insertTogether([row, ...others.map((other) => other.row)], waiting);
    for (const other of others) other.resume(() => complete(other.row));
    const next = waiting.shift();
    if (next === undefined) queue = undefined;
    else next.resume(() => lead(next.row, waiting));
    return complete(row);
  };

  const insertOne = async (row: Row): Promise<boolean> => {
    if (queue === undefined) return lead(row, (queue = []));
    const waiting = queue;
    const next = await new Promise<() => Promise<boolean>>((resume) => void waiting.push({ row, resume }));
    return next();
  };

  return {
    ...(inner.filters !== undefined && { filters: inner.filters }),
    insert: (rows, options) => {
      const [row] = rows;
      return row === undefined || rows.length > 1 ? inner.insert(rows, options) : insertOne(row);
    },
    find: (query, options) => inner.find(query, options),
    count: (where, filter, options) => inner.count(where, filter, options),
    update: (where, change, options) => inner.update(where, change, options),
    delete: (where, options) => inner.delete(where, options),
  };
}
