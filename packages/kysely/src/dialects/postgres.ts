import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Dialect, ErrorClass, JsonTest, Sql, SqlCondition } from "../dialect.ts";
import { compareOrder, textComparison } from "../filter.ts";
import { prefix } from "../names.ts";
import initial from "../migrations/postgres/0001_initial.sql";

const contains = (text: Sql, part: Sql): Sql => sql`strpos(${text}, ${part}) > 0`;

/** The dialect for PostgreSQL. All text columns have the collation "C", which compares bytes. */
export const postgres: Dialect = {
  name: "postgres",
  codec: ({ type }) => {
    if (type === "strings" || type === "object") return { encode: JSON.stringify, decode: (value) => JSON.parse(String(value)) };
    if (type === "string" || type === "text") return { search: storable };
    return {};
  },
  hasOnConflict: true,
  errorAbortsTransaction: true,
  comparesRows: true,
  bulkInsert: {
    by: "unnest",
    type: ({ type }) => (type === "boolean" ? "boolean" : type === "integer" || type === "instant" ? "bigint" : "text"),
  },
  conditionValue: (placeholder) => placeholder,
  rowCount: (placeholder) => placeholder,
  withoutIndex: (column, type) => {
    if (type === "boolean") return sql`(${column} and true)`;
    return type === "integer" || type === "instant" ? sql`(${column} + 0)` : sql`(${column} || '')`;
  },
  conditionWithoutIndex: (condition) => sql`(${condition}) is true`,
  contains,
  asBytes: (text) => text,
  nullAsFalse: (truth) => sql`coalesce(${truth}, false)`,
  number: (value) => sql`${value}::float8`,
  anyInJson,
  classifyError: (error) => (error instanceof Error ? classify(error) : undefined),
  columns: columnsWhere(sql`pg_catalog.pg_table_is_visible(c.oid)`),
  settingProblems: async (db) => {
    const { rows } = await sql<{ encoding: string }>`select pg_catalog.getdatabaseencoding() as encoding`.execute(db);
    const encoding = rows[0]?.encoding;
    return encoding === "UTF8" ? [] : [`The database's encoding is ${encoding}; Postern needs UTF8.`];
  },
  lockMigrations: lockMigrations(""),
  migrations: { "0001_initial": initial },
};

/** The dialect for PGlite, which is PostgreSQL in the same process. */
export const pglite: Dialect = { ...postgres, name: "pglite" };

/**
 * Returns the dialect for tables in one schema. Every statement names the schema, so the `search_path` of the
 * connection has no effect.
 */
export function inSchema(dialect: Dialect, schema: string | undefined): Dialect {
  if (schema === undefined) return dialect;
  return {
    ...dialect,
    schema,
    lockMigrations: lockMigrations(schema),
    columns: columnsWhere(sql`c.relnamespace = (select oid from pg_catalog.pg_namespace where nspname = ${schema})`),
  };
}

function columnsWhere(place: Sql): Dialect["columns"] {
  return async (db) => {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.relname as "table", a.attname as "column" from pg_catalog.pg_class as c
      join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind in ('r', 'p') and ${place} and left(c.relname::text, ${prefix.length}) = ${prefix}`.execute(db);
    return rows;
  };
}

/**
 * Returns a function that locks the migrations of one schema until the end of the transaction. A session lock would
 * remain on a connection that PgBouncer shares. If the hashes of two schemas are equal, their migrations wait for each
 * other, which is harmless.
 */
function lockMigrations(schema: string): NonNullable<Dialect["lockMigrations"]> {
  const id = createHash("sha256").update(`postern ${schema}`).digest().readBigInt64BE().toString();
  return async (transaction) => {
    await sql`select pg_catalog.pg_advisory_xact_lock(${id}::bigint)`.execute(transaction);
  };
}

/**
 * Makes a text safe to search for. PostgreSQL cannot store NUL and rejects it in a search. U+FFFF is not a character,
 * so it matches nothing.
 */
function storable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uffff") : text;
}

function anyInJson(column: Sql, path: readonly string[], test: JsonTest): SqlCondition {
  // If `->` is used with text, it reads members of objects, never elements of arrays.
  const value = path.reduce((parent: Sql, name) => sql`${parent} -> ${storable(name)}::text`, json(column));
  // `offset 0` prevents the planner from repeating the expression wherever it is used.
  return sql`exists (select 1 from (select ${value} as v offset 0) as s,
    jsonb_array_elements(case jsonb_typeof(s.v) when 'array' then s.v else jsonb_build_array(s.v) end) as m(v) where ${holds(test)})`;
}

/**
 * Returns a column's JSON as `jsonb`. JSON allows `\u0000` and unpaired surrogates, but `jsonb` rejects them. Without
 * the replacement, one such value in a user's metadata would make every metadata filter of the tenant fail.
 */
function json(column: Sql): Sql {
  const escapes = "(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|d[89a-f][0-9a-f]{2})";
  return sql`(case when strpos(${column}, ${"\\u"}) > 0 then regexp_replace(${column}, ${escapes}, ${"\\1\\\\ufffd"}, 'g') else ${column} end)::jsonb`;
}

function holds(test: JsonTest): SqlCondition {
  const member = sql.ref("m.v");
  const text = sql`(${member} #>> '{}') collate "C"`;
  if (test.op === "exists") return sql`jsonb_typeof(${member}) <> 'null'`;
  const { op, value } = test;
  const isA = (type: Sql, comparison: SqlCondition): SqlCondition =>
    sql`case jsonb_typeof(${member}) when ${type} then ${comparison} else false end`;
  if (typeof value === "string") return isA(sql`'string'`, textComparison(text, op, storable(value), { contains }));
  if (typeof value === "number") return isA(sql`'number'`, compareOrder(sql`${member}::numeric`, op, sql`${String(value)}::numeric`));
  return isA(sql`'boolean'`, compareOrder(sql`${member}::boolean`, op, sql`${value}::boolean`));
}

/** Classifies an error by its SQLSTATE: PostgreSQL documentation, appendix A. */
function classify(error: Error): ErrorClass | undefined {
  const code = "code" in error ? String(error.code) : "";
  if (code === "23505") return "conflict";
  // serialization_failure, deadlock_detected, lock_not_available, and admin_shutdown, which a statement can only get
  // before its commit.
  if (code === "40001" || code === "40P01" || code === "55P03" || code === "57P01") return "retry";
  // Connection exceptions, insufficient resources, operator intervention, statement_completion_unknown, and a server
  // that is read-only.
  if (/^(08|53|57P0|40003|25006)/.test(code)) return "unavailable";
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code)) return "unavailable";
  // Errors that the driver itself creates have no code.
  if (
    /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/.test(
      error.message,
    )
  ) {
    return "unavailable";
  }
  return undefined;
}
