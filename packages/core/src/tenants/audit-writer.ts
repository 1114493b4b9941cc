import type { Logger } from "../adapters/logger.ts";
import { DataTimeoutError } from "../store/conflicts.ts";
import { endOfTurn } from "../store/turn.ts";
import type { Collection } from "../store/contract.ts";
import type { StoredRow } from "../store/schema.ts";
import { createRepeatedEvents, type RepeatedEvents } from "./repeated-events.ts";

/** Writes audit rows. */
export interface AuditWriter {
  /**
   * Resolves when the row is stored, when the logger received it because it could not be stored, or when it was only
   * counted: see {@link RepeatedEvents}.
   */
  write(row: StoredRow<"logs">): Promise<void>;
  /** Stores one row for each count of failures whose minute has ended. */
  storeEndedCounts(now: number): Promise<void>;
}

type Logs = Collection<StoredRow<"logs">>;

interface Waiting {
  readonly row: StoredRow<"logs">;
  /** Signals that the row is stored, or that the caller that waits for it must now store all waiting rows. */
  readonly go: (turn: "stored" | "lead") => void;
}

/**
 * Creates an {@link AuditWriter}. Rows that are written in the same turn of the event loop share an insert, and so do
 * rows that wait during an insert (group commit), because most of the cost of an insert is its commit. Rows for a
 * tenant-specific database are inserted separately.
 *
 * The caller that wrote the first row of a batch inserts the batch. On Workers, a request stops running code when it
 * ends, so a request that inserted rows for all others could leave them waiting forever.
 *
 * A failed insert is retried once, unless it timed out. Then the rows go to the logger as errors, and the request
 * succeeds: a failure of the audit log must not stop users from signing in.
 */
export function createAuditWriter(
  logsOf: (tenantId: string) => Logs,
  logger: Logger,
  repeated: RepeatedEvents = createRepeatedEvents(),
): AuditWriter {
  /** The waiting rows, by collection. */
  const queues = new Map<Logs, Waiting[]>();

  const giveToLogger = (rows: readonly StoredRow<"logs">[], error: unknown): void => {
    for (const row of rows) logger.log({ level: "error", event: "audit_failed", row, error });
  };

  const insert = async (logs: Logs, rows: readonly StoredRow<"logs">[]): Promise<void> => {
    try {
      if (!(await logs.insert(rows))) throw new Error("an audit row's id is taken");
    } catch (error) {
      // The database does not respond. The caller has already waited, and a write that timed out is not retried.
      if (error instanceof DataTimeoutError) return giveToLogger(rows, error);
      try {
        // The first insert may have succeeded although its response was lost. Then the ids exist, and this insert adds
        // nothing.
        await logs.insert(rows);
      } catch (again) {
        giveToLogger(rows, again);
      }
    }
  };

  /**
   * Stores a batch that starts with the caller's row. Then signals the caller of the next waiting row to do the same.
   */
  const lead = async (logs: Logs, waiting: Waiting[]): Promise<void> => {
    await endOfTurn();
    // Batch sizes are powers of two, so that there are few different statements and each stays prepared.
    const batch = waiting.splice(0, 2 ** Math.floor(Math.log2(Math.min(waiting.length, 64))));
    await insert(
      logs,
      batch.map(({ row }) => row),
    );
    for (const { go } of batch) go("stored");
    const [next] = waiting;
    if (next === undefined) queues.delete(logs);
    else next.go("lead");
  };

  const storeOne = async (row: StoredRow<"logs">): Promise<void> => {
    const logs = logsOf(row.tenant_id);
    const queue = queues.get(logs);
    if (queue === undefined) {
      const waiting: Waiting[] = [{ row, go: () => {} }];
      queues.set(logs, waiting);
      return lead(logs, waiting);
    }
    const turn = await new Promise<"stored" | "lead">((go) => void queue.push({ row, go }));
    if (turn === "lead") await lead(logs, queue);
  };

  const store = async (rows: readonly StoredRow<"logs">[]): Promise<void> => {
    await Promise.all(rows.map(storeOne));
  };

  return {
    write: (row) => store(repeated.admit(row)),
    storeEndedCounts: (now) => store(repeated.takeEnded(now)),
  };
}
