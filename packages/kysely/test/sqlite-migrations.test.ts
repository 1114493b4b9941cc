import Database from "better-sqlite3";
import { Kysely } from "kysely";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSqliteAdapter } from "@postern/kysely";
import { sqlite } from "../src/dialects/sqlite.ts";
import { PreparedSqliteDialect } from "../src/drivers/sqlite.ts";
import { migrate, statementsOf } from "../src/migrate.ts";
import { found, wanted, type IndexedColumn, type TypedColumn } from "./layout.ts";
import { migrateInFourProcesses } from "./processes.ts";

const migrations = Object.keys(sqlite.migrations);

function layout(database: Database.Database): ReturnType<typeof found> {
  const columns = database
    .prepare<[], TypedColumn>(
      `select t.name as "table", c.name as "column", c.type || case c."notnull" when 1 then ' not null' else '' end as type
       from sqlite_master as t, pragma_table_info(t.name) as c where t.type = 'table' order by c.cid`,
    )
    .all();
  const indexed = database
    .prepare<[], IndexedColumn>(
      `select t.name as "table", i.name as "index", c.seqno as position, c.name as "column",
         case when i.origin = 'pk' then 'key' when i."unique" then 'unique' else 'index' end as kind
       from sqlite_master as t, pragma_index_list(t.name) as i, pragma_index_info(i.name) as c where t.type = 'table'`,
    )
    .all();
  return found(columns, indexed);
}

test("creates the tables that the descriptions require", async () => {
  const database = new Database(":memory:");
  await createSqliteAdapter({ database }).migrate();
  expect(layout(database)).toEqual(wanted(({ type }) => (["integer", "instant", "boolean"].includes(type) ? "INTEGER" : "TEXT")));
});

test.each(migrations)("migrates a database at %s to the same tables as an empty database", async (name) => {
  const [forward, zero] = [new Database(":memory:"), new Database(":memory:")];
  await migrate(new Kysely({ dialect: new PreparedSqliteDialect(forward) }), sqlite, name);
  expect((await createSqliteAdapter({ database: forward }).migrate()).applied).toEqual(migrations.slice(migrations.indexOf(name) + 1));
  await createSqliteAdapter({ database: zero }).migrate();
  expect(layout(forward)).toEqual(layout(zero));
});

test("runs all migrations in exactly one of four processes that start at the same time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-kysely-migrate-"));
  try {
    const applied = await migrateInFourProcesses(`sqlite:${join(folder, "new.db")}`);
    expect(applied.filter((names) => names.length > 0)).toEqual([migrations]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("rolls back a migration that fails", async () => {
  const database = new Database(":memory:");
  database.exec("create table postern_logs (unrelated text)");
  await expect(createSqliteAdapter({ database }).migrate()).rejects.toThrow(/Migration 0001_initial failed/);
  expect(Object.keys(layout(database))).toEqual(["postern_logs"]);
});

test("check() names the missing column, table or migration, and the remedy", async () => {
  const database = new Database(":memory:");
  const data = createSqliteAdapter({ database });
  await expect(data.check()).rejects.toThrow(/^table postern_tenants, .* more are missing in the database: run migrate\(\)/);
  await data.migrate();
  await data.check();
  database.exec("alter table postern_users drop column nickname");
  await expect(data.check()).rejects.toThrow(/^column postern_users\.nickname is missing in the database: run migrate\(\)/);
  database.exec("alter table postern_users add column nickname text; drop table postern_logs");
  await expect(data.check()).rejects.toThrow(/^table postern_logs is missing/);
});

test("check() names a migration that has not run, even if all columns exist", async () => {
  const database = new Database(":memory:");
  const data = createSqliteAdapter({ database });
  await data.migrate();
  database.exec("update postern_migration set name = '0000_older' where name = '0001_initial'");
  await expect(data.check()).rejects.toThrow(/^Migration 0001_initial has not run: run migrate\(\)/);
});

test("refuses a database that an unreleased version created, and changes nothing in it", async () => {
  const database = new Database(":memory:");
  const data = createSqliteAdapter({ database });
  await data.migrate();
  database.exec("insert into postern_migration values ('0002_former_name', '2026-11-20T00:00:00.000Z'); drop table postern_jobs");
  const before = layout(database);
  const refused = /^This database was created by an unreleased version of Postern: create it again, or export the data/;
  await expect(data.migrate()).rejects.toThrow(refused);
  await expect(data.check()).rejects.toThrow(refused);
  await expect(data.pending()).rejects.toThrow(refused);
  expect(layout(database)).toEqual(before);
});

test("does not change a database that a newer version has migrated", async () => {
  const database = new Database(":memory:");
  const data = createSqliteAdapter({ database });
  await data.migrate();
  database.exec("insert into postern_migration values ('9999_future', '2030-01-01T00:00:00.000Z')");
  expect(await data.migrate()).toEqual({ applied: [] });
  await data.check();
});

test("splits statements at semicolons that end a line", () => {
  expect(
    statementsOf("-- a; comment\ncreate table t (\n  a text default ';' -- no end\n);\n\n  -- another\ncreate index i on t (a);"),
  ).toEqual(["create table t (\n  a text default ';' -- no end\n)", "create index i on t (a)"]);
});
