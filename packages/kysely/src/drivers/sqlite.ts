import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type SqliteDatabase,
  type SqliteStatement,
} from "kysely";
import { BoundedMap } from "../bounded-map.ts";

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
  constructor(database: BetterSqliteDatabase) {
    super({ database: preparing(database) });
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
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
