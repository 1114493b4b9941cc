import { ConflictError } from "@postern/core/adapter";
import { CompiledQuery, type Kysely, type QueryResult } from "kysely";
import type { BoundValue, Dialect } from "./dialect.ts";
import type { Call, CancelOptions, DriverRow, RunOptions, Runner } from "./runner.ts";
import type { Statement } from "./statement.ts";
import type { Statements } from "./statements.ts";
import { translateError } from "./translate-error.ts";

/**
 * Runs all statements in the transaction that is open on the only connection of `db`. The caller must run one statement
 * at a time, because the savepoints of parallel statements would interleave.
 */
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

  run(statement: Statement, values: readonly BoundValue[], { mayConflict, signal }: RunOptions = {}): Promise<QueryResult<DriverRow>> {
    const query = statement.with(values);
    const saves = this.dialect.errorAbortsTransaction && mayConflict === true;
    return saves ? this.withSavepoint("postern_statement", () => this.#execute(query, signal), signal) : this.#execute(query, signal);
  }

  runAll(calls: readonly Call[], { signal }: CancelOptions = {}): Promise<void> {
    const work = async (): Promise<void> => {
      for (const [statement, values] of calls) await this.run(statement, values, { mayConflict: true, signal });
    };
    return this.withSavepoint("postern_rows", work, signal);
  }

  /**
   * Runs `work` after a savepoint. If `work` rejects, the writes in `work` are rolled back and earlier writes remain.
   * @throws the error of `work`, or the error that aborted the transaction.
   */
  async withSavepoint<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#execute(CompiledQuery.raw(`savepoint ${name}`), signal);
    try {
      const result = await work();
      await this.#execute(CompiledQuery.raw(`release savepoint ${name}`), signal);
      return result;
    } catch (error) {
      // If the transaction is aborted, the savepoint may no longer exist.
      if (this.#broken === undefined) await this.#execute(CompiledQuery.raw(`rollback to savepoint ${name}`));
      throw error;
    }
  }

  /**
   * Throws if the transaction was aborted, even if the caller caught the error and continued. @throws the error that
   * aborted the transaction.
   */
  assertNotBroken(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  async #execute(query: CompiledQuery<unknown>, signal?: AbortSignal): Promise<QueryResult<DriverRow>> {
    this.assertNotBroken();
    // The transaction's owner no longer waits and may have rolled the transaction back. A later statement would then
    // run outside of it.
    if (signal?.aborted === true) this.#broken = signal.reason;
    this.assertNotBroken();
    try {
      return await this.db.executeQuery(query as CompiledQuery<DriverRow>);
    } catch (error) {
      const fault = translateError(this.dialect, error);
      // A deadlock rolls back the whole transaction. On some servers, later statements would then run and commit
      // outside of a transaction.
      if (!(fault instanceof ConflictError)) this.#broken = fault;
      throw fault;
    }
  }
}
