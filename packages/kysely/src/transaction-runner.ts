import { ConflictError } from "@postern/core";
import { CompiledQuery, type Kysely, type QueryResult } from "kysely";
import type { Bound, Dialect } from "./dialect.ts";
import type { Call, DriverRow, RunOptions, Runner } from "./runner.ts";
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

  run(statement: Statement, values: readonly Bound[], options: RunOptions = {}): Promise<QueryResult<DriverRow>> {
    const query = statement.with(values);
    const saves = this.dialect.poisons && options.mayConflict === true;
    return saves ? this.saved("postern_statement", () => this.#execute(query)) : this.#execute(query);
  }

  runAll(calls: readonly Call[]): Promise<void> {
    return this.saved("postern_rows", async () => {
      for (const [statement, values] of calls) await this.run(statement, values, { mayConflict: true });
    });
  }

  /** Does `work` behind a savepoint: where it rejects, what it wrote is undone, and nothing else. @throws what `work` throws, or what broke the transaction. */
  async saved<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.#execute(CompiledQuery.raw(`savepoint ${name}`));
    try {
      const result = await work();
      await this.#execute(CompiledQuery.raw(`release savepoint ${name}`));
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

  async #execute(query: CompiledQuery<unknown>): Promise<QueryResult<DriverRow>> {
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
