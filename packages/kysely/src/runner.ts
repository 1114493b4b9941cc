import { ConflictError, UnavailableError } from "@postern/core";
import { sql, type CompiledQuery, type Kysely, type QueryResult } from "kysely";
import type { Bound, Dialect } from "./dialect.ts";
import type { Statement } from "./statement.ts";
import type { Statements } from "./statements.ts";

/** A row as a driver returns it. */
export interface DriverRow {
  [column: string]: unknown;
}

/** What a statement may meet. */
export interface RunOptions {
  /** A unique key may be in its way. */
  readonly mayConflict?: boolean;
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
  runAll(calls: readonly Call[]): Promise<void>;
}

/** A statement with its values. */
export type Call = readonly [statement: Statement, values: readonly Bound[]];

const tries = 3;
/** A try that took longer than this has waited for its lock in vain; waiting again would only make the queue longer. */
const patience = 1000;

/** Runs a statement at once where the driver can do that, undefined where it has to be waited for. */
export type RunAlone = (query: CompiledQuery<DriverRow>) => QueryResult<DriverRow> | undefined;

/** Runs each statement by itself, up to three times where a rival won and nothing was done. */
export class SingleRunner implements Runner {
  readonly dialect: Dialect;
  readonly db: Kysely<unknown>;
  readonly statements: Statements;
  readonly #alone: RunAlone;

  constructor(dialect: Dialect, db: Kysely<unknown>, statements: Statements, alone: RunAlone = () => undefined) {
    this.dialect = dialect;
    this.db = db;
    this.statements = statements;
    this.#alone = alone;
  }

  run(statement: Statement, values: readonly Bound[]): Promise<QueryResult<DriverRow>> {
    const query = statement.with(values);
    return this.#tried(() => this.#alone(query) ?? this.db.executeQuery(query));
  }

  runAll(calls: readonly Call[]): Promise<void> {
    return this.#tried(() => this.#transaction((inner) => runEach(inner, calls)));
  }

  /** A transaction that is tried once: what runs inside may have effects outside. */
  async transaction<T>(run: (inner: Runner) => Promise<T>): Promise<T> {
    try {
      return await this.#transaction(run);
    } catch (error) {
      throw translated(this.dialect, error);
    }
  }

  async #transaction<T>(run: (inner: Runner) => Promise<T>): Promise<T> {
    return this.db
      .transaction()
      .setIsolationLevel("read committed")
      .execute(async (transaction) => {
        const inner = new TransactionRunner(this.dialect, transaction, this.statements);
        const result = await run(inner);
        inner.assertWhole();
        return result;
      });
  }

  async #tried<T>(run: () => T | Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
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

/** Runs all statements in one transaction. */
class TransactionRunner implements Runner {
  readonly dialect: Dialect;
  readonly db: Kysely<unknown>;
  readonly statements: Statements;
  #broken: unknown;

  constructor(dialect: Dialect, db: Kysely<unknown>, statements: Statements) {
    this.dialect = dialect;
    this.db = db;
    this.statements = statements;
  }

  async run(statement: Statement, values: readonly Bound[], options: RunOptions = {}): Promise<QueryResult<DriverRow>> {
    this.assertWhole();
    const saves = this.dialect.poisons && options.mayConflict === true;
    try {
      if (!saves) return await this.db.executeQuery(statement.with(values));
      return await this.#saved(statement.with(values));
    } catch (error) {
      const fault = translated(this.dialect, error);
      // A deadlock has undone the whole transaction: on some servers what came next would run, and stay, outside of any.
      if (!(fault instanceof ConflictError)) this.#broken = fault;
      throw fault;
    }
  }

  async runAll(calls: readonly Call[]): Promise<void> {
    await this.#execute(sql`savepoint postern_rows`);
    try {
      await runEach(this, calls);
      await this.#execute(sql`release savepoint postern_rows`);
    } catch (error) {
      await this.#execute(sql`rollback to savepoint postern_rows`);
      throw error;
    }
  }

  /** @throws what broke the transaction, also where the caller caught it and went on. */
  assertWhole(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  async #saved(query: CompiledQuery<DriverRow>): Promise<QueryResult<DriverRow>> {
    await this.#execute(sql`savepoint postern_statement`);
    try {
      const result = await this.db.executeQuery(query);
      await this.#execute(sql`release savepoint postern_statement`);
      return result;
    } catch (error) {
      await this.#execute(sql`rollback to savepoint postern_statement`);
      throw error;
    }
  }

  async #execute(query: ReturnType<typeof sql>): Promise<void> {
    await query.execute(this.db);
  }
}

async function runEach(runner: Runner, calls: readonly Call[]): Promise<void> {
  for (const [statement, values] of calls) await runner.run(statement, values, { mayConflict: true });
}

/** The driver's own error behind one of ours. */
function cause(error: unknown): unknown {
  return error instanceof UnavailableError && error.cause !== undefined ? error.cause : error;
}

/** A driver's error as core understands it; an error that is already core's, or the program's, stays as it is. */
function translated(dialect: Dialect, error: unknown): unknown {
  if (error instanceof ConflictError || error instanceof UnavailableError) return error;
  switch (dialect.fault(error)) {
    case "conflict":
      return new ConflictError("a unique key is taken", { cause: error });
    case "retry":
      return new UnavailableError("the database is busy", { cause: error });
    case "unavailable":
      return new UnavailableError("the database cannot be reached", { cause: error });
    default:
      return error;
  }
}
