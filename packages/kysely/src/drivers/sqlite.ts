import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  type SqliteStatement,
} from "kysely";
import { StatementCache } from "../bounded-map.ts";
import type { DriverRow } from "../runner.ts";

/** A `Database` from better-sqlite3. Only the members that the adapter uses. */
export interface BetterSqliteDatabase {
  prepare(text: string): BetterSqliteStatement;
  pragma(text: string): unknown;
  close(): unknown;
}

/** A statement from better-sqlite3. Only the members that the adapter uses. */
export interface BetterSqliteStatement {
  readonly reader: boolean;
  all(...parameters: unknown[]): unknown[];
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: unknown[]): IterableIterator<unknown>;
  safeIntegers(on: boolean): unknown;
}

/** The maximum number of prepared statements that are cached for each database. */
const keptStatements = 500;

/**
 * Extends Kysely's dialect for SQLite with cached prepared statements, and with transactions that take the write lock
 * when they begin.
 */
export class PreparedSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  /** Whether a caller holds the connection or waits for it, for example for a transaction. */
  #held = false;
  #ended = false;

  constructor(database: BetterSqliteDatabase) {
    const prepared = preparing(database);
    super({ database: prepared });
    this.#database = prepared;
  }

  /**
   * Runs a statement synchronously on the only connection, because Kysely's connection handling costs more than most
   * statements.
   * @returns undefined while a transaction is open, because the statement would become part of the transaction. Also
   * undefined after `end()`: Kysely then rejects the statement.
   */
  runNow({ sql, parameters }: CompiledQuery): QueryResult<DriverRow> | undefined {
    if (this.#held || this.#ended) return undefined;
    const statement = this.#database.prepare(sql);
    // better-sqlite3 returns each row as an object with the column names as keys.
    if (statement.reader) return { rows: statement.all(parameters) as DriverRow[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
  }

  /** Makes `runNow` return undefined, because some drivers still run statements after their database was closed. */
  end(): void {
    this.#ended = true;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    const release = driver.releaseConnection.bind(driver);
    // Kysely grants the connection to one caller at a time.
    driver.acquireConnection = (options) => {
      this.#held = true;
      return acquire(options);
    };
    driver.releaseConnection = (connection, options) => {
      this.#held = false;
      return release(connection, options);
    };
    // In a deferred transaction, the first write may fail after the caller has relied on earlier reads.
    driver.beginTransaction = async (connection: DatabaseConnection) => {
      await connection.executeQuery(CompiledQuery.raw("begin immediate"));
    };
    return driver;
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** Makes the Migrator run all migrations in one transaction, which also makes other processes wait. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function preparing(database: BetterSqliteDatabase): SqliteDatabase {
  const kept = new StatementCache<string, SqliteStatement>(keptStatements);
  return {
    prepare: (text) => {
      const known = kept.get(text);
      if (known !== undefined) return known;
      const statement = database.prepare(text);
      if (statement.reader) statement.safeIntegers(false);
      kept.set(text, statement);
      return statement;
    },
    close: () => {},
  };
}
