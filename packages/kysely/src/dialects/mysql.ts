import { sql } from "kysely";
import type { Dialect, Fault, JsonTest, Sql, Truth } from "../dialect.ts";
import { compareOrder, compareText } from "../filter.ts";
import { prefix } from "../names.ts";
import initial from "../migrations/mysql/0001_initial.sql";
import formerName from "../migrations/mysql/0002_former_name.sql";
import logStreamDeliveries from "../migrations/mysql/0003_log_stream_deliveries.sql";
import logStreamWindow from "../migrations/mysql/0003_log_stream_window.sql";
import emailProof from "../migrations/mysql/0004_email_proof.sql";
import codeAddresses from "../migrations/mysql/0006_code_addresses.sql";
import destinationBudgets from "../migrations/mysql/0006_destination_budgets.sql";
import customDomainsByDomain from "../migrations/mysql/0007_custom_domains_by_domain.sql";
import reissuedRefreshTokens from "../migrations/mysql/0008_reissued_refresh_tokens.sql";

const contains = (text: Sql, part: Sql): Sql => sql`locate(cast(${part} as binary), ${text}) > 0`;

/**
 * What is true of MySQL 8 and MariaDB alike. Text that is compared is kept as bytes (VARBINARY): the two servers have no collation in common
 * that is binary and tells 'a' from 'a '.
 */
export const mysql: Dialect = {
  name: "mysql",
  codec: ({ type }) => {
    switch (type) {
      case "string":
        return { decode: text };
      case "strings":
      case "object":
        return { encode: JSON.stringify, decode: (value) => JSON.parse(text(value)) };
      // The host's pool may read these in other ways: big numbers as text, tinyint(1) as a truth value.
      case "boolean":
        return { encode: (value) => (value === true ? 1 : 0), decode: (value) => Number(value) === 1 };
      case "integer":
      case "instant":
        return { decode: Number };
      case "text":
        return {};
    }
  },
  ignoresConflicts: false,
  poisons: false,
  comparesRows: false,
  bulkInsert: { by: "values", sizes: Array.from({ length: 64 }, (_, i) => i + 1) },
  tested: (placeholder) => placeholder,
  rows: (placeholder) => placeholder,
  unindexed: (column, type) => (type === "string" || type === "text" ? sql`concat(${column}, '')` : sql`(${column} + 0)`),
  contains,
  exact: (value) => sql`cast(${value} as binary)`,
  orFalse: (truth) => sql`coalesce(${truth}, false)`,
  number: (value) => value,
  anyInJson,
  fault: (error) => (error instanceof Error ? faultOf(error) : undefined),
  columns: async (db) => {
    const { rows } = await sql<{ t: string; c: string }>`
      select table_name as t, column_name as c from information_schema.columns
      where table_schema = database() and left(table_name, ${prefix.length}) = ${prefix}`.execute(db);
    return rows.map(({ t, c }) => ({ table: text(t), column: text(c) }));
  },
  complaints: async (db) => {
    const { rows } = await sql<{ mode: string; client: string }>`
      select @@session.sql_mode as mode, @@session.character_set_client as client`.execute(db);
    const { mode = "", client = "" } = rows[0] ?? {};
    const complaints: string[] = [];
    // The driver puts values into the text of a query and escapes them with backslashes.
    if (mode.includes("NO_BACKSLASH_ESCAPES"))
      complaints.push("The pool's sql_mode has NO_BACKSLASH_ESCAPES, under which mysql2 cannot quote values safely.");
    if (!/STRICT_(TRANS|ALL)_TABLES/.test(mode))
      complaints.push("The pool's sql_mode lacks STRICT_TRANS_TABLES: without it too long a value is cut, not refused.");
    if (client !== "utf8mb4") complaints.push(`The pool's character set is ${client}; Postern needs utf8mb4.`);
    return complaints;
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
  hasTakenEffect: (error) => error instanceof Error && "errno" in error && alreadyThere.includes(Number(error.errno)),
};

function text(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8") : String(value);
}

/** A JSON that the server calls invalid, for a half of a surrogate pair in it, counts as an empty one instead of failing the statement. */
function anyInJson(column: Sql, path: readonly string[], test: JsonTest): Truth {
  const json = sql`if(json_valid(${column}), ${column}, '{}')`;
  // Names stand in a path as JSON strings; the path is a parameter.
  const value = path.length === 0 ? json : sql`json_extract(${json}, ${`$${path.map((name) => `.${JSON.stringify(name)}`).join("")}`})`;
  const whole = sql.ref("found.whole");
  const member = sql.ref("found.member");
  // One row with the value itself; where that is an array, one row for each member with the array beside it.
  return sql`exists (select 1 from json_table(concat('[', ${value}, ']'), '$[*]' columns (
    whole json path '$', nested path '$[*]' columns (member json path '$'))) as found
    where (json_type(${whole}) <> 'ARRAY' and ${holds(whole, test)}) or ${holds(member, test)})`;
}

function holds(json: Sql, test: JsonTest): Truth {
  const type = sql`json_type(${json})`;
  if (test.op === "exists") return sql`${type} <> 'NULL'`;
  const { op, value } = test;
  if (typeof value === "string") {
    const plain = sql`cast(json_unquote(${json}) as binary)`;
    return sql`(${type} = 'STRING' and ${compareText(plain, op, value, { contains })})`;
  }
  if (typeof value === "number") {
    return sql`(${type} in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') and ${compareOrder(sql`cast(${json} as double)`, op, sql`${value}`)})`;
  }
  return sql`(${type} = 'BOOLEAN' and ${compareOrder(sql`(cast(${json} as char) = 'true')`, op, sql`${value ? 1 : 0}`)})`;
}

/** A column or an index of that name exists. */
const alreadyThere = [1060, 1061];

function faultOf(error: Error): Fault | undefined {
  const errno = "errno" in error ? Number(error.errno) : 0;
  if (errno === 1062) return "conflict";
  // deadlock, lock wait timeout, and "record has changed since last read"
  if (errno === 1213 || errno === 1205 || errno === 1020) return "retry";
  // too many connections, shutting down, killed, read-only
  if (errno === 1040 || errno === 1203 || errno === 1053 || errno === 1317 || errno === 1927 || errno === 1290 || errno === 1836)
    return "unavailable";
  const code = "code" in error ? String(error.code) : "";
  if (/^(PROTOCOL_|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|POOL_)/.test(code)) return "unavailable";
  if (error.message === "Queue limit reached." || error.message.startsWith("Can't add new command when connection is in closed state"))
    return "unavailable";
  return undefined;
}
