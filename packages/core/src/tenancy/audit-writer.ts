import type { Logger } from "../adapters/logger.ts";
import { endOfTurn } from "../adapters/turn.ts";
import type { Collection } from "../data/contract.ts";
import type { StoredRow } from "../data/schema.ts";
import { createRepeatedEvents } from "./repeated-events.ts";

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

interface Waiting {
  readonly row: StoredRow<"logs">;
  readonly done: () => void;
}

/**
 * Makes the one {@link AuditWriter} of a data adapter. Rows of one turn of the event loop share an insert, as do those that wait while one is under way
 * (group commit): what an insert costs is mostly its commit.
 * A failure is tried once more; then the rows go to the logger as errors and the answers stand: an audit fault must not lock anybody out.
 */
export function createAuditWriter(logs: Collection<StoredRow<"logs">>, logger: Logger): AuditWriter {
  const repeated = createRepeatedEvents();
  let waiting: Waiting[] = [];
  let running = false;

  const insert = async (rows: readonly StoredRow<"logs">[]): Promise<void> => {
    try {
      if (!(await logs.insert(rows))) throw new Error("an audit row's id is taken");
    } catch {
      try {
        // A lost answer may hide a success: then the ids are taken, and all is well.
        await logs.insert(rows);
      } catch (error) {
        for (const row of rows) logger.log({ level: "error", event: "audit_failed", row, error });
      }
    }
  };

  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      await endOfTurn();
      // Powers of two keep the number of different statements small, so that each stays prepared.
      const size = 2 ** Math.floor(Math.log2(Math.min(waiting.length, 64)));
      const batch = waiting.slice(0, size);
      waiting = waiting.slice(size);
      await insert(batch.map(({ row }) => row));
      for (const { done } of batch) done();
    }
    running = false;
  };

  const store = async (rows: readonly StoredRow<"logs">[]): Promise<void> => {
    const stored = rows.map((row) => new Promise<void>((done) => waiting.push({ row, done })));
    if (!running && stored.length > 0) void run();
    await Promise.all(stored);
  };

  return {
    write: (row) => store(repeated.admit(row)),
    settle: (now) => store(repeated.over(now)),
  };
}
