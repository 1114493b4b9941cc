import Database from "better-sqlite3";
import pg from "pg";
import { firstUlidAt } from "../../../packages/core/src/store/ulid.ts";

/** An audit event in the database. */
export interface StoredEvent {
  readonly tenant_id: string;
  readonly log_id: string;
  readonly type: string;
}

/** Reads the database of the soak directly. */
export interface SoakDatabase {
  /** Returns the number of rows of every table. */
  countRows(): Promise<ReadonlyMap<string, number>>;
  /** Returns the audit events of these tenants since a time in milliseconds. */
  eventsSince(tenantIds: readonly string[], date: number): Promise<readonly StoredEvent[]>;
  close(): Promise<void>;
}

/** @param url the URL of a PostgreSQL database, or `sqlite:` with a path. */
export async function openSoakDatabase(url: string): Promise<SoakDatabase> {
  const isSqlite = url.startsWith("sqlite:");
  const { query, close } = isSqlite ? openSqlite(url.slice("sqlite:".length)) : await openPostgres(url);
  const listOfTables = isSqlite
    ? "select name from sqlite_master where type = 'table' and name like 'postern\\_%' escape '\\'"
    : "select tablename as name from pg_tables where schemaname = 'public' and tablename like 'postern\\_%'";
  const tables = (await query(listOfTables)).map(({ name }) => String(name)).toSorted();
  const counts = tables.map((name) => `select '${name}' as name, count(*) as rows from ${name}`).join(" union all ");
  return {
    countRows: async () => new Map((await query(counts)).map(({ name, rows }) => [String(name).slice("postern_".length), Number(rows)])),
    async eventsSince(tenantIds, date) {
      const list = tenantIds.map((id) => `'${id}'`).join(", ");
      const rows = await query(
        `select tenant_id, log_id, type from postern_logs where tenant_id in (${list}) and log_id >= '${firstUlidAt(date)}'`,
      );
      return rows.map(({ tenant_id, log_id, type }) => ({ tenant_id: String(tenant_id), log_id: String(log_id), type: String(type) }));
    },
    close,
  };
}

interface OpenDatabase {
  query(text: string): Promise<readonly { readonly [column: string]: unknown }[]>;
  close(): Promise<void>;
}

async function openPostgres(url: string): Promise<OpenDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { query: async (text) => (await client.query<{ [column: string]: unknown }>(text)).rows, close: () => client.end() };
}

function openSqlite(path: string): OpenDatabase {
  const database = new Database(path, { readonly: true });
  return {
    query: async (text) => database.prepare(text).all() as { readonly [column: string]: unknown }[],
    close: async () => void database.close(),
  };
}
