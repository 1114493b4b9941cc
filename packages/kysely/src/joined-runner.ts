import type { Kysely, QueryResult } from "kysely";
import type { Bound, Dialect } from "./dialect.ts";
import { Queue } from "./queue.ts";
import type { Call, CancelOptions, DriverRow, RunOptions, Runner } from "./runner.ts";
import type { Statement } from "./statement.ts";
import type { Statements } from "./statements.ts";
import type { TransactionRunner } from "./transaction-runner.ts";

/** Runs statements in a transaction that somebody else begins and ends, one after the other, however many are asked for at once. */
export class JoinedRunner implements Runner {
  readonly #transaction: TransactionRunner;
  readonly #queue: Queue;

  /** @param queue that of the connection: everybody who uses it waits there. */
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

  run(statement: Statement, values: readonly Bound[], options?: RunOptions): Promise<QueryResult<DriverRow>> {
    return this.#queue.run(() => this.#transaction.run(statement, values, options));
  }

  runAll(calls: readonly Call[], options?: CancelOptions): Promise<void> {
    return this.#queue.run(() => this.#transaction.runAll(calls, options));
  }

  /** A part of the transaction that is undone where `run` rejects. Nothing else runs meanwhile. */
  transaction<T>(run: (inner: Runner) => Promise<T>): Promise<T> {
    return this.#queue.run(() =>
      this.#transaction.saved("postern_transaction", async () => {
        const queue = new Queue();
        try {
          return await run(new JoinedRunner(this.#transaction, queue));
        } finally {
          // What `run` did not wait for would run after the savepoint.
          await queue.idle();
        }
      }),
    );
  }
}
