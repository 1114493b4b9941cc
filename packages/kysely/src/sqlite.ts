import { sqlAdapter, type SqlAdapter } from "./adapter.ts";
import type { OwnTables } from "./own-tables.ts";
import { sqlite } from "./dialects/sqlite.ts";
import { asBetterSqlite, type AnySqliteDatabase } from "./drivers/builtin-sqlite.ts";
import { PreparedSqliteDialect } from "./drivers/sqlite.ts";

/** Options of {@link createSqliteAdapter}. */
export interface SqliteOptions {
  /** A `Database` of better-sqlite3, libsql or `bun:sqlite`, or a `DatabaseSync` of `node:sqlite`. It may be one that the host uses as well. */
  readonly database: AnySqliteDatabase;
  /**
   * Switches the database to write-ahead logging with `synchronous = normal` and a busy timeout of five seconds. Default true.
   * Without these each write costs milliseconds, and two processes on one file get in each other's way.
   */
  readonly tune?: boolean;
  /** Tables of the host's in the place of Postern's, by collection: the `users` of an app, for instance. */
  readonly tables?: OwnTables;
  /** Whether `close()` closes `database` too. Default false: it belongs to the host. */
  readonly closes?: boolean;
}

/**
 * Postern's data in SQLite.
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
    alone: (query) => driver.runAlone(query),
    close: () => {
      driver.end();
      if (closes) database.close();
    },
  });
}
