import type { Field } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { afterAll, describe, expect, test } from "vitest";
import { mysql } from "../../packages/kysely/src/dialects/mysql.ts";
import { postgres } from "../../packages/kysely/src/dialects/postgres.ts";
import { found, wanted, type IndexedColumn, type TypedColumn } from "../../packages/kysely/test/layout.ts";
import { migrateInFourProcesses } from "../../packages/kysely/test/processes.ts";
import { mysqlPool, ownMysql, ownPostgres, postgresPool } from "../../packages/kysely/test/servers.ts";

describe("PostgreSQL", async () => {
  const database = await ownPostgres("migrations");
  const pool = postgresPool(database.url, 2);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  test("one of four concurrent processes runs all migrations, and the other three find no pending migrations", async () => {
    const applied = await migrateInFourProcesses(database.url);
    expect(applied.filter((names) => names.length > 0)).toEqual([Object.keys(postgres.migrations)]);
  });

  test("the migrated tables match the table descriptions in the code", async () => {
    const columns = await pool.query<TypedColumn>(
      `select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) ||
         case when co.collname is null then '' else ' ' || co.collname end || case when a.attnotnull then ' not null' else '' end as type
       from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 left join pg_collation as co on co.oid = a.attcollation
       where c.relkind = 'r' and c.relname like 'postern%' order by a.attnum`,
    );
    const indexed = await pool.query<IndexedColumn>(
      `select t.relname as "table", i.relname as "index", k.position, a.attname as "column",
         case when x.indisprimary then 'key' when x.indisunique then 'unique' else 'index' end as kind
       from pg_index as x join pg_class as t on t.oid = x.indrelid join pg_class as i on i.oid = x.indexrelid,
         unnest(x.indkey) with ordinality as k (number, position), pg_attribute as a
       where t.relname like 'postern%' and a.attrelid = t.oid and a.attnum = k.number`,
    );
    const type = (field: Field): string => {
      if (field.type === "string") return `character varying(${field.length}) C`;
      return field.type === "boolean" ? "boolean" : field.type === "integer" || field.type === "instant" ? "bigint" : "text C";
    };
    expect(
      found(
        columns.rows,
        indexed.rows.map((part) => ({ ...part, position: Number(part.position) })),
      ),
    ).toEqual(wanted(type));
  });

  test("check names a missing column", async () => {
    await pool.query("alter table postern_users drop column nickname");
    const data = await openDatabase(database.url);
    await expect(data.check()).rejects.toThrow(/^column postern_users\.nickname is missing in the database/);
    await data.close();
  });
});

describe("MySQL or MariaDB", async () => {
  const database = await ownMysql("migrations");
  const pool = mysqlPool(database.url, 2).promise();
  const rows = async (text: string): Promise<unknown[]> => {
    const [result] = await pool.query(text);
    return Array.isArray(result) ? result : [];
  };
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  test("one of four concurrent processes runs all migrations, and the other three find no pending migrations", async () => {
    const applied = await migrateInFourProcesses(database.url);
    expect(applied.filter((names) => names.length > 0)).toEqual([Object.keys(mysql.migrations)]);
  });

  test.each([
    ["some tables exist", "postern_users, postern_logs, postern_migration"],
    ["only the record of the migrations is missing", "postern_migration"],
  ])("the next call completes an interrupted migration, if %s", async (_, missing) => {
    await rows(`drop table ${missing}`);
    const data = await openDatabase(database.url);
    expect(await data.migrate()).toEqual({ applied: Object.keys(mysql.migrations) });
    await data.check();
    await data.close();
  });

  test("the migrated tables match the table descriptions in the code", async () => {
    const columns = await rows(
      `select table_name as "table", column_name as "column", concat(column_type, ifnull(concat(' ', collation_name), ''),
         if(is_nullable = 'NO', ' not null', '')) as type
       from information_schema.columns where table_schema = database() order by ordinal_position`,
    );
    const indexed = await rows(
      `select table_name as "table", index_name as "index", seq_in_index as position, column_name as "column",
         if(index_name = 'PRIMARY', 'key', if(non_unique, 'index', 'unique')) as kind
       from information_schema.statistics where table_schema = database()`,
    );
    const type = (field: Field): string => {
      if (field.type === "string") return `varbinary(${field.ascii ? field.length : field.length * 4})`;
      return field.type === "boolean"
        ? "tinyint(1)"
        : field.type === "integer" || field.type === "instant"
          ? "bigint"
          : "longtext utf8mb4_bin";
    };
    // MariaDB reports a display width, and MySQL 8 does not.
    const plain = (columns as TypedColumn[]).map((column) => ({ ...column, type: column.type.replace("bigint(20)", "bigint") }));
    expect(found(plain, indexed as IndexedColumn[])).toEqual(wanted(type));
  });

  test("check rejects a pool whose SQL mode makes quoted values unsafe", async () => {
    const { createMysqlAdapter } = await import("@postern/kysely");
    const unsafePool = mysqlPool(database.url, 1);
    unsafePool.on("connection", (connection) => void connection.query("set session sql_mode = 'NO_BACKSLASH_ESCAPES'"));
    const data = createMysqlAdapter({ pool: unsafePool, closes: true });
    await expect(data.check()).rejects.toThrow(/NO_BACKSLASH_ESCAPES.*STRICT_TRANS_TABLES/);
    await data.close();
  });
});
