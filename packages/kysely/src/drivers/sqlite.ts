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
import { BoundedMap } from "../bounded-map.ts";
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

/** How many prepared statements are kept for one database. */
const keptStatements = 500;

/** Kysely's dialect with what it lacks: prepared statements that are kept, and transactions that lock when they begin. */
export class PreparedSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  /** Whether somebody has the connection for more than one statement, or is about to. */
  #held = false;
  #ended = false;

  constructor(database: BetterSqliteDatabase) {
    const prepared = preparing(database);
    super({ database: prepared });
    this.#database = prepared;
  }

  /**
   * Runs a statement at once, without Kysely's way to a connection: there is only one, it answers synchronously, and the way costs more than most statements.
   * @returns undefined while a transaction is open, which the statement would otherwise become a part of, and after the end, which Kysely knows to refuse.
   */
  runAlone({ sql, parameters }: CompiledQuery): QueryResult<DriverRow> | undefined {
    if (this.#held || this.#ended) return undefined;
    const statement = this.#database.prepare(sql);
    // Rows as better-sqlite3 makes them: objects by column name.
    if (statement.reader) return { rows: statement.all(parameters) as DriverRow[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
  }

  /** Ends what runs without Kysely: statements of some drivers go on after their database was closed. */
  end(): void {
    this.#ended = true;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    const release = driver.releaseConnection.bind(driver);
    // Kysely lets one at a time in.
    driver.acquireConnection = (options) => {
      this.#held = true;
      return acquire(options);
    };
    driver.releaseConnection = (connection, options) => {
      this.#held = false;
      return release(connection, options);
    };
    // A deferred transaction may fail at its first write, after its reads were believed.
    driver.beginTransaction = async (connection: DatabaseConnection) => {
      await connection.executeQuery(CompiledQuery.raw("begin immediate"));
    };
    return driver;
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** Lets the Migrator run all migrations in one transaction, which is also its lock between processes. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function preparing(database: BetterSqliteDatabase): SqliteDatabase {
  const kept = new BoundedMap<string, SqliteStatement>(keptStatements);
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
