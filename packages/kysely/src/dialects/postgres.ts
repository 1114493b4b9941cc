import { sql } from "kysely";
import type { Dialect, Fault, JsonTest, Sql, Truth } from "../dialect.ts";
import { compareOrder, compareText } from "../filter.ts";
import { prefix } from "../names.ts";
import initial from "../migrations/postgres/0001_initial.sql";
import formerName from "../migrations/postgres/0002_former_name.sql";
import logStreamDeliveries from "../migrations/postgres/0003_log_stream_deliveries.sql";
import logStreamWindow from "../migrations/postgres/0003_log_stream_window.sql";
import emailProof from "../migrations/postgres/0004_email_proof.sql";
import codeAddresses from "../migrations/postgres/0006_code_addresses.sql";
import destinationBudgets from "../migrations/postgres/0006_destination_budgets.sql";
import customDomainsByDomain from "../migrations/postgres/0007_custom_domains_by_domain.sql";
import reissuedRefreshTokens from "../migrations/postgres/0008_reissued_refresh_tokens.sql";

const contains = (text: Sql, part: Sql): Sql => sql`strpos(${text}, ${part}) > 0`;

/** What is true of PostgreSQL. All text columns have the collation "C": bytes. */
export const postgres: Dialect = {
  name: "postgres",
  codec: ({ type }) => {
    if (type === "strings" || type === "object") return { encode: JSON.stringify, decode: (value) => JSON.parse(String(value)) };
    if (type === "string" || type === "text") return { search: storable };
    return {};
  },
  ignoresConflicts: true,
  poisons: true,
  comparesRows: true,
  bulkInsert: {
    by: "unnest",
    type: ({ type }) => (type === "boolean" ? "boolean" : type === "integer" || type === "instant" ? "bigint" : "text"),
  },
  tested: (placeholder) => placeholder,
  rows: (placeholder) => placeholder,
  unindexed: (column, type) => {
    if (type === "boolean") return sql`(${column} and true)`;
    return type === "integer" || type === "instant" ? sql`(${column} + 0)` : sql`(${column} || '')`;
  },
  contains,
  exact: (text) => text,
  orFalse: (truth) => sql`coalesce(${truth}, false)`,
  number: (value) => sql`${value}::float8`,
  anyInJson,
  fault: (error) => (error instanceof Error ? faultOf(error) : undefined),
  columns: columnsWhere(sql`pg_catalog.pg_table_is_visible(c.oid)`),
  complaints: async (db) => {
    const { rows } = await sql<{ encoding: string }>`select pg_catalog.getdatabaseencoding() as encoding`.execute(db);
    const encoding = rows[0]?.encoding;
    return encoding === "UTF8" ? [] : [`The database's encoding is ${encoding}; Postern needs UTF8.`];
  },
  migrations: {
    "0001_initial": initial,
    "0002_former_name": formerName,
    "0003_log_stream_deliveries": logStreamDeliveries,
    "0003_log_stream_window": logStreamWindow,
    "0004_email_proof": emailProof,
    "0006_code_addresses": codeAddresses,
    "0006_destination_budgets": destinationBudgets,
    "0007_custom_domains_by_domain": customDomainsByDomain,
    "0008_reissued_refresh_tokens": reissuedRefreshTokens,
  },
};

/** PGlite is PostgreSQL in the same process. */
export const pglite: Dialect = { ...postgres, name: "pglite" };

/** The same database, with the tables in a schema of their own: every statement names it, and no connection has to be set to it. */
export function inSchema(dialect: Dialect, schema: string | undefined): Dialect {
  if (schema === undefined) return dialect;
  return {
    ...dialect,
    schema,
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

/** PostgreSQL stores no NUL, so text with one is equal to nothing there; U+FFFF, which is no character, says so without an error. */
function storable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uffff") : text;
}

function anyInJson(column: Sql, path: readonly string[], test: JsonTest): Truth {
  // `->` with text looks into objects only, never into arrays.
  const value = path.reduce((parent: Sql, name) => sql`${parent} -> ${storable(name)}::text`, json(column));
  // `offset 0` keeps the planner from putting the value's expression into each place that uses it.
  return sql`exists (select 1 from (select ${value} as v offset 0) as s,
    jsonb_array_elements(case jsonb_typeof(s.v) when 'array' then s.v else jsonb_build_array(s.v) end) as m(v) where ${holds(test)})`;
}

/**
 * The JSON of a column. JSON allows `\u0000` and halves of surrogate pairs, which `jsonb` refuses: without this one such value,
 * which a user may have written in their own metadata, would fail every filter of the tenant.
 */
function json(column: Sql): Sql {
  const escapes = "(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|d[89a-f][0-9a-f]{2})";
  return sql`(case when strpos(${column}, ${"\\u"}) > 0 then regexp_replace(${column}, ${escapes}, ${"\\1\\\\ufffd"}, 'g') else ${column} end)::jsonb`;
}

function holds(test: JsonTest): Truth {
  const member = sql.ref("m.v");
  const text = sql`(${member} #>> '{}') collate "C"`;
  if (test.op === "exists") return sql`jsonb_typeof(${member}) <> 'null'`;
  const { op, value } = test;
  const isA = (type: Sql, comparison: Truth): Truth => sql`case jsonb_typeof(${member}) when ${type} then ${comparison} else false end`;
  if (typeof value === "string") return isA(sql`'string'`, compareText(text, op, storable(value), { contains }));
  if (typeof value === "number") return isA(sql`'number'`, compareOrder(sql`${member}::numeric`, op, sql`${String(value)}::numeric`));
  return isA(sql`'boolean'`, compareOrder(sql`${member}::boolean`, op, sql`${value}::boolean`));
}

/** By SQLSTATE: PostgreSQL documentation, appendix A. */
function faultOf(error: Error): Fault | undefined {
  const code = "code" in error ? String(error.code) : "";
  if (code === "23505") return "conflict";
  // serialization_failure, deadlock_detected, lock_not_available; and admin_shutdown, which a statement gets instead of its commit
  if (code === "40001" || code === "40P01" || code === "55P03" || code === "57P01") return "retry";
  // connection exceptions, insufficient resources, operator intervention, and a server that has become read-only
  if (/^(08|53|57P0|25006)/.test(code)) return "unavailable";
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(code)) return "unavailable";
  // The driver's own errors have no code.
  if (
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/.test(
      error.message,
    )
  ) {
    return "unavailable";
  }
  return undefined;
}
