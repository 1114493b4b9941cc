import { createPool, type Pool } from "mysql2";
import pg from "pg";
import { mysqlAdapter, postgresAdapter, type SqlAdapter } from "@postern/kysely";

const postgresUrl = process.env["POSTERN_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const mysqlUrl = process.env["POSTERN_TEST_MYSQL_URL"] ?? "mysql://root@127.0.0.1:3306/mysql";

/** A database of its own on a server, removed by `drop`. */
export interface OwnDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

const unique = (name: string): string => `postern_kysely_${name}_${process.pid}`;

/** The same address with another database. */
function at(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Makes an empty database on the PostgreSQL server. */
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

/** Makes an empty database on the MySQL or MariaDB server. */
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

export function postgresPool(url: string, max = 10): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  // Dropping a database by force cuts connections that are just being closed.
  pool.on("error", () => {});
  return pool;
}

export const mysqlPool = (url: string, connectionLimit = 10): Pool => createPool({ uri: url, connectionLimit });

export const postgresAt = (url: string, max?: number): SqlAdapter => postgresAdapter({ pool: postgresPool(url, max), closes: true });

export const mysqlAt = (url: string, connectionLimit?: number): SqlAdapter =>
  mysqlAdapter({ pool: mysqlPool(url, connectionLimit), closes: true });
