import { UnavailableError } from "@postern/core/adapter";
import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import type { BoundValue, Dialect } from "./dialect.ts";
import { JoinedRunner } from "./joined-runner.ts";
import { Queue } from "./queue.ts";
import type { Statement } from "./statement.ts";
import type { Statements } from "./statements.ts";
import { TransactionRunner } from "./transaction-runner.ts";
import { translateError } from "./translate-error.ts";

/** A row in the form that a driver returns. */
export interface DriverRow {
  [column: string]: unknown;
}

/** Options for running one statement. */
export interface RunOptions extends CancelOptions {
  /** Whether the statement may violate a unique key. */
  readonly mayConflict?: boolean;
}

/** Options for cancelling statements. */
export interface CancelOptions {
  /**
   * Aborted when the caller no longer waits. After that, no statement starts or is retried. A running statement is
   * cancelled if the driver supports it.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Runs statements, either each one on its own or all of them in one transaction. */
export interface Runner {
  readonly dialect: Dialect;
  readonly db: Kysely<unknown>;
  readonly statements: Statements;
  /**
   * Runs one statement.
   * @throws {ConflictError} if a unique key is already in use.
   * @throws {UnavailableError} if the database is busy or cannot be reached, or if the result of the statement is
   * unknown.
   */
  run(statement: Statement, values: readonly BoundValue[], options?: RunOptions): Promise<QueryResult<DriverRow>>;
  /**
   * Runs several statements. Either all of them take effect or none. Each statement may violate a unique key.
   * @throws the same errors as `run`.
   */
  runAll(calls: readonly Call[], options?: CancelOptions): Promise<void>;
}

/** A statement and the values to run it with. */
export type Call = readonly [statement: Statement, values: readonly BoundValue[]];

/**
 * The maximum number of attempts. On a Galera cluster, a statement can fail several times in a row if all nodes write
 * the same row at the same time.
 */
const defaultMaxAttempts = 10;
/**
 * The maximum duration of a failed attempt that is retried, in milliseconds. A longer attempt waited for a lock, and
 * another attempt would only make the queue for the lock longer.
 */
const maxAttemptTime = 1000;
/** The maximum delay before a retry, in milliseconds. */
const maxRetryDelay = 100;

/** Runs a statement synchronously. Returns undefined if the driver cannot run it synchronously now. */
type RunNow = (query: CompiledQuery<DriverRow>) => QueryResult<DriverRow> | undefined;

/** Runs several statements in one call to the driver. Either all of them take effect or none. */
export type RunBatch = (queries: readonly CompiledQuery[]) => Promise<void>;

/**
 * Runs `work` on one connection from the pool. When `signal` is aborted, the call rejects immediately, the statement is
 * cancelled on the server, and the connection is closed, so that the pool can open another one.
 */
export type RunCancellable = <T>(signal: AbortSignal, work: (db: Kysely<unknown>) => Promise<T>) => Promise<T>;

/** Features of a driver that Kysely does not support. */
export interface DriverFeatures {
  /** Runs one statement synchronously. Default: all statements are asynchronous. */
  readonly runNow?: RunNow | undefined;
  /** Runs several statements in one call. Default: they run in a transaction. */
  readonly runBatch?: RunBatch | undefined;
  /** Runs statements that can be cancelled. Default: a running statement cannot be cancelled. */
  readonly runCancellable?: RunCancellable | undefined;
}

/**
 * Runs each statement on its own. If a statement had no effect because of a conflict with another statement, it is
 * retried.
 */
export class SingleRunner implements Runner {
  readonly dialect: Dialect;
  readonly db: Kysely<unknown>;
  readonly statements: Statements;
  readonly #features: DriverFeatures;

  constructor(dialect: Dialect, db: Kysely<unknown>, statements: Statements, features: DriverFeatures = {}) {
    this.dialect = dialect;
    this.db = db;
    this.statements = statements;
    this.#features = features;
  }

  run(statement: Statement, values: readonly BoundValue[], { signal }: RunOptions = {}): Promise<QueryResult<DriverRow>> {
    const query = statement.with(values);
    return this.#withRetries(signal, () => this.#features.runNow?.(query) ?? this.#cancellable(signal, (db) => db.executeQuery(query)));
  }

  runAll(calls: readonly Call[], { signal }: CancelOptions = {}): Promise<void> {
    const { runBatch } = this.#features;
    if (runBatch === undefined) {
      const work = (db: Kysely<unknown>) => this.#transaction(db, (inner) => inner.runAll(calls, { signal }));
      return this.#withRetries(signal, () => this.#cancellable(signal, work));
    }
    const queries = calls.map(([statement, values]) => statement.with(values));
    return this.#withRetries(signal, () => runBatch(queries));
  }

  #cancellable<T>(signal: AbortSignal | undefined, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
    const { runCancellable } = this.#features;
    return signal === undefined || runCancellable === undefined ? work(this.db) : runCancellable(signal, work);
  }

  /**
   * Runs a transaction. A failed transaction is not retried, because `run` may have effects outside of the database.
   */
  async transaction<T>(run: (inner: Runner) => Promise<T>): Promise<T> {
    try {
      return await this.#transaction(this.db, (inner) => run(new JoinedRunner(inner, new Queue())));
    } catch (error) {
      throw translateError(this.dialect, error);
    }
  }

  async #transaction<T>(db: Kysely<unknown>, run: (inner: TransactionRunner) => Promise<T>): Promise<T> {
    return db
      .transaction()
      .setIsolationLevel("read committed")
      .execute(async (transaction) => {
        const inner = new TransactionRunner(this.dialect, transaction, this.statements);
        const result = await run(inner);
        inner.assertNotBroken();
        return result;
      });
  }

  async #withRetries<T>(signal: AbortSignal | undefined, run: () => T | Promise<T>): Promise<T> {
    const { maxAttempts = defaultMaxAttempts } = this.dialect;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      const start = performance.now();
      try {
        return await run();
      } catch (error) {
        const isShort = performance.now() - start < maxAttemptTime;
        const isRetried = attempt < maxAttempts && isShort && this.dialect.classifyError(causeOf(error)) === "retry";
        if (!isRetried) throw translateError(this.dialect, error);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(20 * attempt ** 2, maxRetryDelay)));
      }
    }
  }
}

/** Returns the driver's error that caused an error of the data contract. */
function causeOf(error: unknown): unknown {
  return error instanceof UnavailableError && error.cause !== undefined ? error.cause : error;
}
