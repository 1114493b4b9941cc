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

/** A `Database` of better-sqlite3, as far as it is needed here. */
export interface BetterSqliteDatabase {
  prepare(text: string): BetterSqliteStatement;
  pragma(text: string): unknown;
  close(): unknown;
}

/** A statement of better-sqlite3, as far as it is needed here. */
export interface BetterSqliteStatement {
  readonly reader: boolean;
  all(...parameters: unknown[]): unknown[];
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: unknown[]): IterableIterator<unknown>;
  safeIntegers(on: boolean): unknown;
}

/** The maximum number of prepared statements that are cached for one database. */
const keptStatements = 500;

/** Adds two things to Kysely's dialect: cached prepared statements, and transactions that take the write lock at the start. */
export class PreparedSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  /** `true` while a caller holds the connection or waits for it, for example for a transaction. */
  #held = false;
  #ended = false;

  constructor(database: BetterSqliteDatabase) {
    const prepared = preparing(database);
    super({ database: prepared });
    this.#database = prepared;
  }

  /**
   * Runs a statement synchronously on the only connection. Kysely's connection handling costs more than most statements.
   * @returns undefined while a transaction is open, because the statement would become part of it. Also after `end()`: Kysely then rejects
   * the statement.
   */
  runNow({ sql, parameters }: CompiledQuery): QueryResult<DriverRow> | undefined {
    if (this.#held || this.#ended) return undefined;
    const statement = this.#database.prepare(sql);
    // better-sqlite3 returns rows as objects by column name.
    if (statement.reader) return { rows: statement.all(parameters) as DriverRow[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
  }

  /** Stops `runNow`: some drivers still run statements after their database was closed. */
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
    // A deferred transaction may fail at its first write, after the caller has relied on its reads.
    driver.beginTransaction = async (connection: DatabaseConnection) => {
      await connection.executeQuery(CompiledQuery.raw("begin immediate"));
    };
    return driver;
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** Makes the Migrator run all migrations in one transaction, which also locks out other processes. */
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
