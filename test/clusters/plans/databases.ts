import Database from "better-sqlite3";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqlAdapter } from "@postern/kysely";
import { createMysqlAdapter, createPostgresAdapter, createSqliteAdapter } from "@postern/kysely";
import { mysqlPool, ownMysql, ownPostgres, postgresPool } from "../../../packages/kysely/test/servers.ts";
import type { SqlStatement } from "./compile.ts";
import { tableDescriptions } from "./fill.ts";
import { readMysqlPlan, readPostgresPlan, readSqlitePlan, type Plan } from "./plan.ts";

/** A database whose statistics a test controls. */
export interface PlanDatabase {
  readonly name: "sqlite" | "postgres" | "mysql";
  /** The kinds of plans that the database makes for one statement. */
  readonly kinds: readonly string[];
  readonly data: SqlAdapter;
  run(sql: string): Promise<unknown>;
  rows(sql: string): Promise<readonly { readonly [column: string]: unknown }[]>;
  explain(statement: SqlStatement, kind: string): Promise<Plan>;
  /** Drops the secondary indexes of a table. @returns a function that creates them again, in the same order. */
  dropIndexes(table: string): Promise<() => Promise<void>>;
  /** Updates the statistics of all tables. */
  analyze(): Promise<void>;
  /** Deletes the statistics of all tables. */
  deleteStatistics(): Promise<void>;
  /** @returns a function that restores the present statistics of all tables. */
  saveStatistics(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const names = [...tableDescriptions.keys()];
const quoted = names.map((name) => `'${name}'`).join(", ");

export async function openSqlite(): Promise<PlanDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "postern-plans-"));
  const database = new Database(join(folder, "plans.db"));
  database.pragma("journal_mode = off");
  database.pragma("synchronous = off");
  database.pragma("cache_size = -400000");
  const data = await migrated(createSqliteAdapter({ database, tune: false }));
  const run = async (sql: string): Promise<unknown> => database.exec(sql);
  const statistics = ["sqlite_stat1", "sqlite_stat4"];
  return {
    name: "sqlite",
    data,
    kinds: ["plan"],
    run,
    rows: async (sql) => database.prepare<[], { [column: string]: unknown }>(sql).all(),
    explain: async ({ sql, values }) => {
      const details = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(values);
      return readSqlitePlan(details.map(({ detail }) => detail));
    },
    dropIndexes: async (table) => {
      const indexes = database
        .prepare<[string], { name: string; sql: string }>(
          "select name, sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null order by rowid",
        )
        .all(table);
      for (const { name } of indexes) database.exec(`drop index ${name}`);
      return async () => {
        for (const { sql } of indexes) database.exec(sql);
      };
    },
    analyze: async () => void database.exec("analyze"),
    deleteStatistics: async () => {
      for (const table of statistics) database.exec(`delete from ${table}`);
      database.exec("analyze sqlite_schema");
    },
    saveStatistics: async () => {
      for (const table of statistics) database.exec(`create table saved_${table} as select * from ${table}`);
      return async () => {
        for (const table of statistics) database.exec(`delete from ${table}; insert into ${table} select * from saved_${table}`);
        database.exec("analyze sqlite_schema");
      };
    },
    close: async () => {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export async function openPostgres(): Promise<PlanDatabase> {
  const database = await ownPostgres("statement_plans");
  const pool = postgresPool(database.url, 1);
  const data = await migrated(createPostgresAdapter({ pool }));
  const rows = async (sql: string) => (await pool.query<{ [column: string]: unknown }>(sql)).rows;
  for (const table of names) await pool.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await pool.query("set maintenance_work_mem = '512MB'");
  await pool.query("set synchronous_commit = off");
  const prepared = new Map<string, string>();
  return {
    name: "postgres",
    data,
    kinds: ["custom", "generic"],
    run: (sql) => pool.query(sql),
    rows,
    explain: async ({ sql, values }, kind) => {
      let statement = prepared.get(sql);
      if (statement === undefined) {
        statement = `s${prepared.size}`;
        await pool.query(`prepare ${statement} as ${sql}`);
        prepared.set(sql, statement);
      }
      await pool.query(`set plan_cache_mode = force_${kind}_plan`);
      const list = values.length === 0 ? "" : `(${values.map(literal).join(", ")})`;
      const { rows: printed } = await pool.query<{ "QUERY PLAN": readonly [{ readonly Plan: { readonly [name: string]: unknown } }] }>(
        `explain (format json) execute ${statement}${list}`,
      );
      return readPostgresPlan(printed[0]?.["QUERY PLAN"][0].Plan ?? {});
    },
    dropIndexes: async (table) => {
      const indexes = await rows(`
        select c.relname as name, pg_get_indexdef(c.oid) as sql from pg_index as x join pg_class as c on c.oid = x.indexrelid
        where x.indrelid = '${table}'::regclass and not x.indisprimary order by c.oid`);
      for (const { name } of indexes) await pool.query(`drop index ${String(name)}`);
      return async () => {
        for (const { sql } of indexes) await pool.query(String(sql));
      };
    },
    analyze: async () => void (await pool.query(`vacuum analyze ${names.join(", ")}`)),
    deleteStatistics: async () => {
      await pool.query(`delete from pg_statistic where starelid in (select oid from pg_class where relname in (${quoted}))`);
      await pool.query(`update pg_class set reltuples = -1, relpages = 0, relallvisible = 0 where relname in (${quoted})`);
    },
    saveStatistics: async () => {
      const classes = await rows(`select relname, reltuples, relpages, relallvisible from pg_class where relname in (${quoted})`);
      return async () => {
        for (const { relname, reltuples, relpages, relallvisible } of classes) {
          await pool.query(
            `update pg_class set reltuples = ${String(reltuples)}, relpages = ${String(relpages)}, relallvisible = ${String(relallvisible)}
            where relname = '${String(relname)}'`,
          );
        }
      };
    },
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

export async function openMariadb(): Promise<PlanDatabase> {
  const database = await ownMysql("statement_plans");
  const pool = mysqlPool(database.url, 1).promise();
  const data = await migrated(createMysqlAdapter({ pool }));
  const rows = async (sql: string) => {
    const [result] = await pool.query(sql);
    return result as { [column: string]: unknown }[];
  };
  for (const table of names) await pool.query(`alter table ${table} stats_persistent = 1, stats_auto_recalc = 0`);
  const [before] = await rows("select @@global.innodb_buffer_pool_size as size");
  await pool.query("set global innodb_buffer_pool_size = 2147483648");
  await pool.query("set unique_checks = 0");
  const schemaName = new URL(database.url).pathname.slice(1);
  const statistics = ["innodb_table_stats", "innodb_index_stats"];
  const reload = async (): Promise<void> => void (await pool.query(`flush tables ${names.join(", ")}`));
  return {
    name: "mysql",
    data,
    kinds: ["plan"],
    run: (sql) => pool.query(sql),
    rows,
    explain: async ({ sql, values }) => {
      const [result] = await pool.query(`explain format=json ${sql}`, [...values]);
      const [row] = result as { EXPLAIN: string | Buffer }[];
      // MariaDB does not escape quotation marks in conditions.
      const json = String(row?.EXPLAIN).replaceAll(/(_condition": )".*"(?=,?$)/gm, '$1""');
      return readMysqlPlan(JSON.parse(json) as { [name: string]: unknown });
    },
    dropIndexes: async (table) => {
      const columns = await rows(`
        select index_name as name, max(non_unique) as others, group_concat(column_name order by seq_in_index) as list from information_schema.statistics
        where table_schema = database() and table_name = '${table}' and index_name <> 'PRIMARY' group by index_name`);
      const created = new Map(
        columns.map(({ name, others, list }) => [
          String(name),
          `${Number(others) === 0 ? "unique " : ""}key ${String(name)} (${String(list)})`,
        ]),
      );
      // The order of the definition.
      const [shown] = await rows(`show create table ${table}`);
      const order = [...String(shown?.["Create Table"]).matchAll(/KEY `(\w+)`/g)].map(([, name]) => String(name));
      if (order.length === 0) return async () => {};
      await pool.query(`alter table ${table} ${order.map((name) => `drop key ${name}`).join(", ")}`);
      return async () =>
        void (await pool.query(`alter table ${table} ${order.map((name) => `add ${created.get(name) ?? ""}`).join(", ")}`));
    },
    analyze: async () => void (await pool.query(`analyze table ${names.join(", ")}`)),
    deleteStatistics: async () => {
      for (const table of statistics) await pool.query(`delete from mysql.${table} where database_name = '${schemaName}'`);
      await reload();
    },
    saveStatistics: async () => {
      for (const table of statistics) {
        await pool.query(
          `create table saved_${table} as select * from mysql.${table} where database_name = '${schemaName}' and table_name like 'postern%'`,
        );
      }
      return async () => {
        for (const table of statistics) {
          await pool.query(`delete from mysql.${table} where database_name = '${schemaName}'`);
          await pool.query(`insert into mysql.${table} select * from saved_${table}`);
        }
        await reload();
      };
    },
    close: async () => {
      await pool.query(`set global innodb_buffer_pool_size = ${String(before?.["size"])}`);
      await pool.end();
      await database.drop();
    },
  };
}

async function migrated(adapter: SqlAdapter): Promise<SqlAdapter> {
  await adapter.migrate();
  return adapter;
}

function literal(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}
