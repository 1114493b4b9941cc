import { sqlAdapter, type SqlAdapter } from "./adapter.ts";
import type { HostTables } from "./host-tables.ts";
import { sqlite } from "./dialects/sqlite.ts";
import { asBetterSqlite, type AnySqliteDatabase } from "./drivers/builtin-sqlite.ts";
import { PreparedSqliteDialect } from "./drivers/sqlite.ts";

/** Options of {@link createSqliteAdapter}. */
export interface SqliteOptions {
  /**
   * A `Database` from better-sqlite3, libsql or `bun:sqlite`, or a `DatabaseSync` from `node:sqlite`. The host may also
   * use it.
   */
  readonly database: AnySqliteDatabase;
  /**
   * Whether to switch the database to write-ahead logging with `synchronous = normal` and a busy timeout of five
   * seconds. Default `true`. Without these settings each write takes milliseconds, and two processes that use one file
   * block each other.
   */
  readonly tune?: boolean;
  /** Host tables that replace Postern's tables, by collection, for example the `users` table of an app. */
  readonly tables?: HostTables;
  /** Whether `close()` also closes `database`. Default `false`. */
  readonly closes?: boolean;
}

/**
 * Creates the adapter that stores Postern's data in SQLite.
 *
 * @example
 * const data = createSqliteAdapter({ database: new Database("app.db") });
 * await data.migrate();
 */
export function createSqliteAdapter({ database: given, tables, tune = true, closes = false }: SqliteOptions): SqlAdapter {
  const database = asBetterSqlite(given);
  if (tune) {
    database.pragma("busy_timeout = 5000");
    database.pragma("journal_mode = wal");
    database.pragma("synchronous = normal");
  }
  const driver = new PreparedSqliteDialect(database);
  return sqlAdapter({
    isSynchronous: true,
    dialect: sqlite,
    tables,
    driver,
    runNow: (query) => driver.runNow(query),
    close: () => {
      driver.end();
      if (closes) database.close();
    },
  });
}
