import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { ClientConfig } from "pg";
import type { SqlAdapter } from "./adapter.ts";
import { loadMysql2, loadPg, loadPGlite, openSqliteFile } from "./drivers/load.ts";

/** Session variables on a database server, by name. */
export interface DatabaseSessionVariables {
  readonly [name: string]: string | number;
}

/** Options of {@link openDatabase}. */
export interface OpenOptions {
  /** The maximum number of connections to the server. Default 10. */
  readonly connections?: number;
  /**
   * Whether statements are prepared on PostgreSQL. See `PostgresOptions.prepare`. Default: the query parameter
   * `prepare` in the URL, for example `postgres://db/app?prepare=false`.
   */
  readonly prepare?: boolean;
  /**
   * Variables to set for the session of each connection to a server, for example `{ wsrep_sync_wait: 7 }` for a Galera
   * cluster or `{ idle_in_transaction_session_timeout: "30s" }` for PostgreSQL. Names consist of letters, digits, `_`
   * and `.`.
   */
  readonly sessionVariables?: DatabaseSessionVariables;
}

/**
 * The time in which a server must accept a new connection, in milliseconds. A connection attempt that starts during a
 * network fault can occupy its place in the pool until this timeout, even after the network has recovered.
 */
const connectTimeout = 3000;

/**
 * Opens a database by its URL. The driver is loaded on demand; most drivers are optional peer dependencies. The
 * adapter's `migrate()` creates the tables, and its `close()` closes all connections.
 *
 * | URL | driver |
 * |---|---|
 * | `sqlite:./data/app.db`, `sqlite::memory:` | better-sqlite3; if it is not installed, `node:sqlite`; in Bun, `bun:sqlite`. Missing folders are created |
 * | `pglite:./data`, `pglite::memory:` | @electric-sql/pglite |
 * | `postgres://…`, `postgresql://…` | pg |
 * | `mysql://…`, `mariadb://…` | mysql2 |
 *
 * @throws {TypeError} if the URL or a session variable is invalid.
 * @throws {Error} if the driver is not installed. The message names the package.
 */
export async function openDatabase(
  url: string,
  { connections = 10, prepare, sessionVariables = {} }: OpenOptions = {},
): Promise<SqlAdapter> {
  // Callers in JavaScript may pass the value of an environment variable that is not set.
  if (typeof url !== "string") throw new TypeError(`a database URL must be a string such as sqlite:./data/app.db, not ${typeof url}`);
  for (const name of Object.keys(sessionVariables)) {
    if (!/^[a-z_][a-z0-9_.]*$/i.test(name)) throw new TypeError(`'${name}' is not the name of a session variable`);
  }
  // The Node version is checked before a driver is loaded, because on an unsupported version drivers fail with an error
  // that does not name the cause.
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
      return openPostgres(url, connections, sessionVariables, prepare ?? prepareParameter(url));
    case "mysql":
      return openMysql(url, connections, sessionVariables);
    case "mariadb":
      return openMysql(`mysql:${place}`, connections, sessionVariables);
    default:
      // The message omits the URL, which may contain a password.
      throw new TypeError("a database URL must start with sqlite:, pglite:, postgres: or mysql:");
  }
}

async function openSqlite(place: string): Promise<SqlAdapter> {
  // Some tools write `sqlite://` before an absolute path.
  const path = place.startsWith("///") ? place.slice(2) : place;
  if (path === "") throw new TypeError("sqlite: must be followed by a path or :memory:");
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const { createSqliteAdapter } = await import("./sqlite.ts");
  return createSqliteAdapter({ database: await openSqliteFile(path), closes: true });
}

async function openPGlite(place: string): Promise<SqlAdapter> {
  const { PGlite } = await loadPGlite();
  if (place === "") throw new TypeError("pglite: must be followed by a folder or :memory:");
  if (place !== ":memory:") mkdirSync(dirname(place), { recursive: true });
  const { createPGliteAdapter } = await import("./pglite.ts");
  return createPGliteAdapter({ instance: new PGlite(place === ":memory:" ? "memory://" : place), closes: true });
}

/** Returns the query parameter `prepare`. @throws {TypeError} if its value is neither `true` nor `false`. */
function prepareParameter(url: string): boolean | undefined {
  const [, value] = /[?&]prepare=([^&#]*)/.exec(url) ?? [];
  if (value !== undefined && value !== "true" && value !== "false") {
    throw new TypeError("the parameter 'prepare' of a database URL must be true or false");
  }
  return value === undefined ? undefined : value === "true";
}

async function openPostgres(
  url: string,
  max: number,
  sessionVariables: DatabaseSessionVariables,
  prepare: boolean | undefined,
): Promise<SqlAdapter> {
  const { default: pg } = await loadPg();
  // The timeout of the pool also limits the wait for a connection that is in use, so the shorter one for opening a
  // connection is set on the client.
  class Client extends pg.Client {
    constructor({ connectionTimeoutMillis = connectTimeout, ...config }: ClientConfig = {}) {
      super({ ...config, connectionTimeoutMillis: Math.min(connectionTimeoutMillis, connectTimeout) });
    }
  }
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 10_000, Client });
  // If an idle connection is lost, the pool replaces it and emits an error event. Without a listener, the event would
  // end the process.
  pool.on("error", () => {});
  const settings = Object.entries(sessionVariables);
  if (settings.length > 0) {
    pool.on("connect", (client) => {
      const calls = settings.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`);
      // pg runs a client's queries in order. If this query fails, the client is unusable, and the next query reports
      // the error.
      client
        .query(
          `select ${calls.join(", ")}`,
          settings.flatMap(([name, value]) => [name, String(value)]),
        )
        .catch(() => client.end());
    });
  }
  const { createPostgresAdapter } = await import("./postgres.ts");
  return createPostgresAdapter({ pool, closes: true, ...(prepare !== undefined && { prepare }) });
}

async function openMysql(url: string, connectionLimit: number, sessionVariables: DatabaseSessionVariables): Promise<SqlAdapter> {
  const { createPool } = await loadMysql2();
  const pool = createPool({ uri: url, connectionLimit, connectTimeout });
  pool.on("connection", (connection) => {
    // At InnoDB's default isolation level, inserts also lock the gaps between index entries, so inserts of neighbouring
    // entries would deadlock.
    connection.query("set session transaction isolation level read committed");
    for (const [name, value] of Object.entries(sessionVariables)) {
      connection.query(`set session ${name} = ?`, [value], (error) => {
        if (error !== null) connection.destroy();
      });
    }
  });
  const { createMysqlAdapter } = await import("./mysql.ts");
  return createMysqlAdapter({ pool, closes: true });
}
