import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { SqlAdapter } from "./adapter.ts";
import { loadMysql2, loadPg, loadPGlite, openSqliteFile } from "./drivers/load.ts";

/** Options of {@link openDatabase}. */
export interface OpenOptions {
  /** How many connections to a server at most; 10 by default. */
  readonly connections?: number;
  /** Whether PostgreSQL prepares statements; see `PostgresOptions.prepare`. */
  readonly prepare?: boolean;
}

/**
 * Opens a database by its address. The driver, mostly a peer dependency, and what is particular to the database are loaded only now.
 * `close()` of the adapter closes everything that was opened here. The tables are made by its `migrate()`.
 *
 * | address | driver |
 * |---|---|
 * | `sqlite:./data/app.db`, `sqlite::memory:` | better-sqlite3, or where that is not installed the runtime's own: `node:sqlite`, in Bun `bun:sqlite`. Folders on the way are made |
 * | `pglite:./data`, `pglite::memory:` | @electric-sql/pglite |
 * | `postgres://…`, `postgresql://…` | pg |
 * | `mysql://…`, `mariadb://…` | mysql2 |
 */
export async function openDatabase(url: string, { connections = 10, prepare }: OpenOptions = {}): Promise<SqlAdapter> {
  // From JavaScript, or from an environment variable that nobody looked at.
  if (typeof url !== "string") throw new TypeError(`the address of a database is text such as sqlite:./data/app.db, and was ${typeof url}`);
  // Before a driver is loaded: on an older Node a driver fails with an error that does not name the cause.
  const { requireSupportedNode } = await import("@postern/core/adapter");
  requireSupportedNode();
  const separator = url.indexOf(":");
  const place = url.slice(separator + 1);
  switch (url.slice(0, separator)) {
    case "sqlite":
      return openSqlite(place);
    case "pglite":
      return openPGlite(place);
    case "postgres":
    case "postgresql":
      return openPostgres(url, connections, prepare);
    case "mysql":
      return openMysql(url, connections);
    case "mariadb":
      return openMysql(`mysql:${place}`, connections);
    default:
      // Not the whole address: it may hold a password.
      throw new TypeError("a database address begins with sqlite:, pglite:, postgres: or mysql:");
  }
}

async function openSqlite(place: string): Promise<SqlAdapter> {
  // `sqlite://` before an absolute path, as some tools write it.
  const path = place.startsWith("///") ? place.slice(2) : place;
  if (path === "") throw new TypeError("sqlite: needs a path, or :memory:");
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const { createSqliteAdapter } = await import("./sqlite.ts");
  return createSqliteAdapter({ database: await openSqliteFile(path), closes: true });
}

async function openPGlite(place: string): Promise<SqlAdapter> {
  const { PGlite } = await loadPGlite();
  if (place === "") throw new TypeError("pglite: needs a folder, or :memory:");
  if (place !== ":memory:") mkdirSync(dirname(place), { recursive: true });
  const { createPGliteAdapter } = await import("./pglite.ts");
  return createPGliteAdapter({ instance: new PGlite(place === ":memory:" ? "memory://" : place), closes: true });
}

async function openPostgres(url: string, max: number, prepare: boolean | undefined): Promise<SqlAdapter> {
  const { default: pg } = await loadPg();
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 10_000 });
  // A connection lost while idle is replaced when it is next needed; without a listener the event would end the process.
  pool.on("error", () => {});
  const { createPostgresAdapter } = await import("./postgres.ts");
  return createPostgresAdapter({ pool, closes: true, ...(prepare !== undefined && { prepare }) });
}

async function openMysql(url: string, connectionLimit: number): Promise<SqlAdapter> {
  const { createPool } = await loadMysql2();
  const pool = createPool({ uri: url, connectionLimit, connectTimeout: 10_000 });
  // InnoDB's default locks the gaps between index entries as well, so that inserts beside each other end in deadlocks.
  pool.on("connection", (connection) => void connection.query("set session transaction isolation level read committed"));
  const { createMysqlAdapter } = await import("./mysql.ts");
  return createMysqlAdapter({ pool, closes: true });
}
