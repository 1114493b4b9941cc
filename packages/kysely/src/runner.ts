import { UnavailableError } from "@postern/core/adapter";
import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import type { Bound, Dialect } from "./dialect.ts";
import { JoinedRunner } from "./joined-runner.ts";
import { Queue } from "./queue.ts";
import type { Statement } from "./statement.ts";
import type { Statements } from "./statements.ts";
import { TransactionRunner } from "./transaction-runner.ts";
import { translated } from "./translated.ts";

/** A row as a driver returns it. */
export interface DriverRow {
  [column: string]: unknown;
}

/** What a statement may meet. */
export interface RunOptions extends CancelOptions {
  /** A unique key may be in its way. */
  readonly mayConflict?: boolean;
}

/** How statements end early. */
export interface CancelOptions {
  /** Aborted when the caller no longer waits: nothing is begun or retried after that, and what runs is cancelled if the driver can do that. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs statements, each by itself or all in one transaction. */
export interface Runner {
  readonly dialect: Dialect;
  readonly db: Kysely<unknown>;
  readonly statements: Statements;
  /** @throws ConflictError for a taken unique key, UnavailableError for what may pass. */
  run(statement: Statement, values: readonly Bound[], options?: RunOptions): Promise<QueryResult<DriverRow>>;
  /**
   * Runs several statements so that all take effect or none. A unique key may be in the way of each.
   * @throws as `run` does.
   */
  runAll(calls: readonly Call[], options?: CancelOptions): Promise<void>;
}

/** A statement with its values. */
export type Call = readonly [statement: Statement, values: readonly Bound[]];

const tries = 3;
/** A try that took longer than this has waited for its lock in vain; waiting again would only make the queue longer. */
const patience = 1000;

/** Runs a statement at once where the driver can do that, undefined where it has to be waited for. */
export type RunAlone = (query: CompiledQuery<DriverRow>) => QueryResult<DriverRow> | undefined;

/** Runs several statements in one call of the driver, so that all take effect or none. */
export type RunTogether = (queries: readonly CompiledQuery[]) => Promise<void>;

/**
 * Runs `work` on one connection of the pool. When `signal` is aborted, it rejects at once, cancels the statement on the server and closes the connection, so that the pool can open another one.
 */
export type RunCancellable = <T>(signal: AbortSignal, work: (db: Kysely<unknown>) => Promise<T>) => Promise<T>;

/** What a driver can do besides what Kysely asks of it. */
export interface Shortcuts {
  /** Default: each statement is waited for. */
  readonly alone?: RunAlone | undefined;
  /** Default: several statements are a transaction. */
  readonly together?: RunTogether | undefined;
  /** Default: a statement that was begun cannot be cancelled. */
  readonly cancellable?: RunCancellable | undefined;
}

/** Runs each statement by itself, up to three times where a rival won and nothing was done. */
export class SingleRunner implements Runner {
  readonly dialect: Dialect;
  readonly db: Kysely<unknown>;
  readonly statements: Statements;
  readonly #shortcuts: Shortcuts;

  constructor(dialect: Dialect, db: Kysely<unknown>, statements: Statements, shortcuts: Shortcuts = {}) {
    this.dialect = dialect;
    this.db = db;
    this.statements = statements;
    this.#shortcuts = shortcuts;
  }

  run(statement: Statement, values: readonly Bound[], { signal }: RunOptions = {}): Promise<QueryResult<DriverRow>> {
    const query = statement.with(values);
    return this.#tried(signal, () => this.#shortcuts.alone?.(query) ?? this.#cancellable(signal, (db) => db.executeQuery(query)));
  }

  runAll(calls: readonly Call[], { signal }: CancelOptions = {}): Promise<void> {
    const { together } = this.#shortcuts;
    if (together === undefined) {
      const work = (db: Kysely<unknown>) => this.#transaction(db, (inner) => inner.runAll(calls, { signal }));
      return this.#tried(signal, () => this.#cancellable(signal, work));
    }
    const queries = calls.map(([statement, values]) => statement.with(values));
    return this.#tried(signal, () => together(queries));
  }

  #cancellable<T>(signal: AbortSignal | undefined, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
    const { cancellable } = this.#shortcuts;
    return signal === undefined || cancellable === undefined ? work(this.db) : cancellable(signal, work);
  }

  /** A transaction that is tried once: what runs inside may have effects outside. */
  async transaction<T>(run: (inner: Runner) => Promise<T>): Promise<T> {
    try {
      return await this.#transaction(this.db, (inner) => run(new JoinedRunner(inner, new Queue())));
    } catch (error) {
      throw translated(this.dialect, error);
    }
  }

  async #transaction<T>(db: Kysely<unknown>, run: (inner: TransactionRunner) => Promise<T>): Promise<T> {
    return db
      .transaction()
      .setIsolationLevel("read committed")
      .execute(async (transaction) => {
        const inner = new TransactionRunner(this.dialect, transaction, this.statements);
        const result = await run(inner);
        inner.assertWhole();
        return result;
      });
  }

  async #tried<T>(signal: AbortSignal | undefined, run: () => T | Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      signal?.throwIfAborted();
      const start = performance.now();
      try {
        return await run();
      } catch (error) {
        const again = tried < tries && performance.now() - start < patience && this.dialect.fault(cause(error)) === "retry";
        if (!again) throw translated(this.dialect, error);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * tried ** 2));
      }
    }
  }
}

/** The driver's own error behind one of ours. */
function cause(error: unknown): unknown {
  return error instanceof UnavailableError && error.cause !== undefined ? error.cause : error;
}
