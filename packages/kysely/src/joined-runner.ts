import type { Kysely, QueryResult } from "kysely";
import type { BoundValue, Dialect } from "./dialect.ts";
import { Queue } from "./queue.ts";
import type { Call, CancelOptions, DriverRow, RunOptions, Runner } from "./runner.ts";
import type { Statement } from "./statement.ts";
import type { Statements } from "./statements.ts";
import type { TransactionRunner } from "./transaction-runner.ts";

/**
 * Runs statements one after another in a transaction that the host begins and ends. Callers may start several
 * statements at the same time.
 */
export class JoinedRunner implements Runner {
  readonly #transaction: TransactionRunner;
  readonly #queue: Queue;

  /** @param queue the connection's queue, which all runners on the connection share. */
  constructor(transaction: TransactionRunner, queue: Queue) {
    this.#transaction = transaction;
    this.#queue = queue;
  }

  get dialect(): Dialect {
    return this.#transaction.dialect;
  }

  get db(): Kysely<unknown> {
    return this.#transaction.db;
  }

  get statements(): Statements {
    return this.#transaction.statements;
  }

  run(statement: Statement, values: readonly BoundValue[], options?: RunOptions): Promise<QueryResult<DriverRow>> {
    return this.#queue.run(() => this.#transaction.run(statement, values, options));
  }

  runAll(calls: readonly Call[], options?: CancelOptions): Promise<void> {
    return this.#queue.run(() => this.#transaction.runAll(calls, options));
  }

  /**
   * Runs a part of the transaction. If `run` rejects, that part is rolled back. Other statements wait until the part
   * ends.
   */
  transaction<T>(run: (inner: Runner) => Promise<T>): Promise<T> {
    return this.#queue.run(() =>
      this.#transaction.withSavepoint("postern_transaction", async () => {
        const queue = new Queue();
        try {
          return await run(new JoinedRunner(this.#transaction, queue));
        } finally {
          // Without this line, statements that `run` did not await would run after the savepoint is released.
          await queue.idle();
        }
      }),
    );
  }
}
