import { Kysely, PostgresDialect } from "kysely";
import { createPool, type Pool } from "mysql2";
import type { PoolConnection } from "mysql2/promise";
import pg from "pg";
import type { AnyRow, CallOptions, Collection, DataAdapter } from "@postern/core/adapter";
import { createMysqlAdapter, createPostgresAdapter, type Mysql2CallbackClient, type SqlAdapter } from "@postern/kysely";

const postgresUrl = process.env["POSTERN_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const mysqlUrl = process.env["POSTERN_TEST_MYSQL_URL"] ?? "mysql://root@127.0.0.1:3306/mysql";

/** A temporary database on a server. `drop` deletes it. */
export interface OwnDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

const unique = (name: string): string => `postern_kysely_${name}_${process.pid}`;

/** Returns the URL with a different database name. */
function at(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Creates an empty database on the PostgreSQL server. */
export async function ownPostgres(name: string): Promise<OwnDatabase> {
  const database = unique(name);
  const run = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await run(`drop database if exists ${database} with (force)`);
  await run(`create database ${database}`);
  return { url: at(postgresUrl, database), drop: () => run(`drop database if exists ${database} with (force)`) };
}

/** Creates an empty database on the MySQL or MariaDB server. */
export async function ownMysql(name: string): Promise<OwnDatabase> {
  const database = unique(name);
  const run = async (...texts: string[]): Promise<void> => {
    const pool = createPool({ uri: mysqlUrl, connectionLimit: 1 }).promise();
    for (const text of texts) await pool.query(text);
    await pool.end();
  };
  await run(`drop database if exists ${database}`, `create database ${database}`);
  return { url: at(mysqlUrl, database), drop: () => run(`drop database if exists ${database}`) };
}

/**
 * Creates a pool. @param connectTimeout the timeout for connecting, in milliseconds. Default 0: no timeout, as in pg.
 */
export function postgresPool(url: string, max = 10, connectTimeout = 0): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: connectTimeout });
  // `drop database … with (force)` breaks connections that are being closed, which then emit an error event.
  pool.on("error", () => {});
  return pool;
}

/** Creates a pool. @param connectTimeout the timeout for connecting, in milliseconds. */
export const mysqlPool = (url: string, connectionLimit = 10, connectTimeout = 10_000): Pool =>
  createPool({ uri: url, connectionLimit, connectTimeout });

export const postgresAt = (url: string, max?: number): SqlAdapter => createPostgresAdapter({ pool: postgresPool(url, max), closes: true });

export const mysqlAt = (url: string, connectionLimit?: number): SqlAdapter =>
  createMysqlAdapter({ pool: mysqlPool(url, connectionLimit), closes: true });

/** Returns an adapter for the same data that passes a signal to each call. The signal is never aborted. */
export function withSignals(data: SqlAdapter): SqlAdapter {
  const collections = Object.entries(data.collections).map(([name, collection]) => {
    // The collections have different row types.
    const inner = collection as unknown as Collection<AnyRow>;
    const options = (): CallOptions => ({ signal: new AbortController().signal });
    const outer: Collection<AnyRow> = {
      ...(inner.filters !== undefined && { filters: inner.filters }),
      insert: (rows) => inner.insert(rows, options()),
      find: (query) => inner.find(query, options()),
      count: (where, filter) => inner.count(where, filter, options()),
      update: (where, change) => inner.update(where, change, options()),
      delete: (where) => inner.delete(where, options()),
    };
    return [name, outer];
  });
  return { ...data, collections: Object.fromEntries(collections) as SqlAdapter["collections"] };
}

/** A transaction that the host has opened, and an adapter for Postern's data in it. */
export interface HostTransaction {
  readonly data: DataAdapter;
  /** Runs a statement of the host in the transaction and returns its rows. */
  query(text: string): Promise<readonly unknown[]>;
  /** Ends the transaction and releases the connection. */
  end(how: "commit" | "rollback"): Promise<void>;
}

/** Begins a transaction on a connection from a pg pool. */
export async function beginPostgres(pool: pg.Pool, data: ReturnType<typeof createPostgresAdapter>): Promise<HostTransaction> {
  const client = await pool.connect();
  await client.query("begin");
  return {
    data: data.within(client),
    query: async (text) => (await client.query<object>(text)).rows,
    end: async (how) => {
      await client.query(how);
      client.release();
    },
  };
}

/** Begins a transaction on a connection from a mysql2 pool, with the promise API or the callback API. */
export async function beginMysql(
  pool: Pool,
  data: ReturnType<typeof createMysqlAdapter>,
  kind: "promises" | "callbacks",
): Promise<HostTransaction> {
  const connection = await pool.promise().getConnection();
  await connection.query("set transaction isolation level read committed");
  await connection.beginTransaction();
  return {
    data: data.within(kind === "promises" ? connection : callbacksOf(connection)),
    query: async (text) => {
      const [rows] = await connection.query(text);
      return Array.isArray(rows) ? rows : [];
    },
    end: async (how) => {
      await connection.query(how);
      connection.release();
    },
  };
}

/** Returns a connection's callback API. mysql2's types wrongly declare that the property has the promise API. */
function callbacksOf({ connection }: PoolConnection): Mysql2CallbackClient {
  return connection as unknown as Mysql2CallbackClient;
}

/** Returns a Kysely instance on one pg client. It does not release the client. */
export function kyselyOn<Tables>(client: pg.PoolClient): Kysely<Tables> {
  const query = client.query.bind(client);
  const only = { options: {}, connect: async () => ({ query, release: () => {} }), end: async () => {} };
  return new Kysely({ dialect: new PostgresDialect({ pool: only }) });
}
