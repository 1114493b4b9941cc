import { ConflictError } from "@postern/core/adapter";
import { CompiledQuery, type Kysely, type QueryResult } from "kysely";
import type { Bound, Dialect } from "./dialect.ts";
import type { Call, CancelOptions, DriverRow, RunOptions, Runner } from "./runner.ts";
import type { Statement } from "./statement.ts";
import type { Statements } from "./statements.ts";
import { translated } from "./translated.ts";

/** Runs all statements in one transaction, which is open on the one connection of `db`. One statement at a time: savepoints of parallel ones would interleave. */
export class TransactionRunner implements Runner {
  readonly dialect: Dialect;
  readonly db: Kysely<unknown>;
  readonly statements: Statements;
  #broken: unknown;

  constructor(dialect: Dialect, db: Kysely<unknown>, statements: Statements) {
    this.dialect = dialect;
    this.db = db;
    this.statements = statements;
  }

  run(statement: Statement, values: readonly Bound[], { mayConflict, signal }: RunOptions = {}): Promise<QueryResult<DriverRow>> {
    const query = statement.with(values);
    const saves = this.dialect.poisons && mayConflict === true;
    return saves ? this.saved("postern_statement", () => this.#execute(query, signal), signal) : this.#execute(query, signal);
  }

  runAll(calls: readonly Call[], { signal }: CancelOptions = {}): Promise<void> {
    const work = async (): Promise<void> => {
      for (const [statement, values] of calls) await this.run(statement, values, { mayConflict: true, signal });
    };
    return this.saved("postern_rows", work, signal);
  }

  /** Does `work` behind a savepoint: where it rejects, what it wrote is undone, and nothing else. @throws what `work` throws, or what broke the transaction. */
  async saved<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#execute(CompiledQuery.raw(`savepoint ${name}`), signal);
    try {
      const result = await work();
      await this.#execute(CompiledQuery.raw(`release savepoint ${name}`), signal);
      return result;
    } catch (error) {
      // In a broken transaction the savepoint may be gone.
      if (this.#broken === undefined) await this.#execute(CompiledQuery.raw(`rollback to savepoint ${name}`));
      throw error;
    }
  }

  /** @throws what broke the transaction, also where the caller caught it and went on. */
  assertWhole(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  async #execute(query: CompiledQuery<unknown>, signal?: AbortSignal): Promise<QueryResult<DriverRow>> {
    this.assertWhole();
    // Whoever owns the transaction has given up, and may have rolled it back: a statement after that would run outside of it.
    if (signal?.aborted === true) this.#broken = signal.reason;
    this.assertWhole();
    try {
      return await this.db.executeQuery(query as CompiledQuery<DriverRow>);
    } catch (error) {
      const fault = translated(this.dialect, error);
      // A deadlock has undone the whole transaction: on some servers what came next would run, and stay, outside of any.
      if (!(fault instanceof ConflictError)) this.#broken = fault;
      throw fault;
    }
  }
}
