import type { Logger } from "../adapters/logger.ts";
import { DataTimeoutError } from "../store/conflicts.ts";
import { endOfTurn } from "../store/turn.ts";
import type { Collection } from "../store/contract.ts";
import type { StoredRow } from "../store/schema.ts";
import { createRepeatedEvents, type RepeatedEvents } from "./repeated-events.ts";

/** Adds audit rows. */
export interface AuditWriter {
  /**
   * Resolves when the row is stored, when it was handed to the operator because it could not be, or when it was counted instead:
   * see {@link RepeatedEvents}.
   */
  write(row: StoredRow<"logs">): Promise<void>;
  /** Stores what was counted in minutes that are over. */
  settle(now: number): Promise<void>;
}

type Logs = Collection<StoredRow<"logs">>;

interface Waiting {
  readonly row: StoredRow<"logs">;
  /** Says that the row is stored, or that it is its caller's turn to store what waits. */
  readonly go: (turn: "stored" | "lead") => void;
}

/**
 * Makes the one {@link AuditWriter} of an installation. Rows of one turn of the event loop share an insert, as do those that wait while one is under way
 * (group commit): what an insert costs is mostly its commit. A tenant with a database of its own has inserts of its own.
 * Each insert is made by the caller of its first row: on Workers what a request does ends with the request, and one that wrote on for others would keep them waiting for ever.
 * A failure is tried once more; then the rows go to the logger as errors and the answers stand: an audit fault must not lock anybody out.
 */
export function createAuditWriter(
  logsOf: (tenantId: string) => Logs,
  logger: Logger,
  repeated: RepeatedEvents = createRepeatedEvents(),
): AuditWriter {
  /** What waits to be written, while anything does. */
  const queues = new Map<Logs, Waiting[]>();

  const giveToLogger = (rows: readonly StoredRow<"logs">[], error: unknown): void => {
    for (const row of rows) logger.log({ level: "error", event: "audit_failed", row, error });
  };

  const insert = async (logs: Logs, rows: readonly StoredRow<"logs">[]): Promise<void> => {
    try {
      if (!(await logs.insert(rows))) throw new Error("an audit row's id is taken");
    } catch (error) {
      // The database does not respond: the caller waits already, and a timed-out write is not retried.
      if (error instanceof DataTimeoutError) return giveToLogger(rows, error);
      try {
        // A lost answer may hide a success: then the ids are taken, and all is well.
        await logs.insert(rows);
      } catch (again) {
        giveToLogger(rows, again);
      }
    }
  };

  /** Stores a batch, of which the caller's row is the first, and has the caller of the next row that waits do the same. */
  const lead = async (logs: Logs, waiting: Waiting[]): Promise<void> => {
    await endOfTurn();
    // Powers of two keep the number of different statements small, so that each stays prepared.
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
    settle: (now) => store(repeated.over(now)),
  };
}
