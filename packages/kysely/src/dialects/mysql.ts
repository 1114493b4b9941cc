import { sql } from "kysely";
import type { Dialect, ErrorClass, JsonTest, Sql, SqlCondition } from "../dialect.ts";
import { compareOrder, textComparison } from "../filter.ts";
import { prefix } from "../names.ts";
import initial from "../migrations/mysql/0001_initial.sql";

const contains = (text: Sql, part: Sql): Sql => sql`locate(cast(${part} as binary), ${text}) > 0`;

/**
 * The dialect for MySQL 8 and MariaDB. Text that is compared is stored as bytes (VARBINARY), because the two servers
 * have no common binary collation that distinguishes 'a' from 'a '.
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
      // The host may have configured its pool to return other types: large numbers as text, tinyint(1) as a boolean.
      case "boolean":
        return { encode: (value) => (value === true ? 1 : 0), decode: (value) => Number(value) === 1 };
      case "integer":
      case "instant":
        return { decode: Number };
      case "text":
        return {};
    }
  },
  hasOnConflict: false,
  errorAbortsTransaction: false,
  comparesRows: false,
  bulkInsert: { by: "values", sizes: Array.from({ length: 64 }, (_, i) => i + 1) },
  conditionValue: (placeholder) => placeholder,
  rowCount: (placeholder) => placeholder,
  withoutIndex: (column, type) => (type === "string" || type === "text" ? sql`concat(${column}, '')` : sql`(${column} + 0)`),
  contains,
  asBytes: (value) => sql`cast(${value} as binary)`,
  nullAsFalse: (truth) => sql`coalesce(${truth}, false)`,
  number: (value) => value,
  anyInJson,
  classifyError: (error) => (error instanceof Error ? classify(error) : undefined),
  columns: async (db) => {
    const { rows } = await sql<{ t: string; c: string }>`
      select table_name as t, column_name as c from information_schema.columns
      where table_schema = database() and left(table_name, ${prefix.length}) = ${prefix}`.execute(db);
    return rows.map(({ t, c }) => ({ table: text(t), column: text(c) }));
  },
  settingProblems: async (db) => {
    const { rows } = await sql<{ mode: string; client: string }>`
      select @@session.sql_mode as mode, @@session.character_set_client as client`.execute(db);
    const { mode = "", client = "" } = rows[0] ?? {};
    const complaints: string[] = [];
    // The driver inserts the values into the SQL statement and escapes them with backslashes.
    if (mode.includes("NO_BACKSLASH_ESCAPES"))
      complaints.push("The pool's sql_mode has NO_BACKSLASH_ESCAPES, under which mysql2 cannot quote values safely.");
    if (!/STRICT_(TRANS|ALL)_TABLES/.test(mode))
      complaints.push("The pool's sql_mode lacks STRICT_TRANS_TABLES: without it, a value that is too long is truncated and not rejected.");
    if (client !== "utf8mb4") complaints.push(`The pool's character set is ${client}; Postern needs utf8mb4.`);
    return complaints;
  },
  migrations: { "0001_initial": initial },
  isAlreadyApplied: (error) => error instanceof Error && "errno" in error && alreadyApplied.includes(Number(error.errno)),
};

function text(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8") : String(value);
}

/**
 * Tests values in JSON. If the server considers the JSON invalid, for example because of an unpaired surrogate, the
 * column counts as an empty object, so that the statement does not fail.
 */
function anyInJson(column: Sql, path: readonly string[], test: JsonTest): SqlCondition {
  const json = sql`if(json_valid(${column}), ${column}, '{}')`;
  // The path is a bound parameter that contains the names as JSON strings.
  const value = path.length === 0 ? json : sql`json_extract(${json}, ${`$${path.map((name) => `.${JSON.stringify(name)}`).join("")}`})`;
  const whole = sql.ref("found.whole");
  const member = sql.ref("found.member");
  // `json_table` returns one row with the value. If the value is an array, there is one row for each member, which also
  // contains the array.
  return sql`exists (select 1 from json_table(concat('[', ${value}, ']'), '$[*]' columns (
    whole json path '$', nested path '$[*]' columns (member json path '$'))) as found
    where (json_type(${whole}) <> 'ARRAY' and ${holds(whole, test)}) or ${holds(member, test)})`;
}

function holds(json: Sql, test: JsonTest): SqlCondition {
  const type = sql`json_type(${json})`;
  if (test.op === "exists") return sql`${type} <> 'NULL'`;
  const { op, value } = test;
  if (typeof value === "string") {
    const plain = sql`cast(json_unquote(${json}) as binary)`;
    return sql`(${type} = 'STRING' and ${textComparison(plain, op, value, { contains })})`;
  }
  if (typeof value === "number") {
    return sql`(${type} in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') and ${compareOrder(sql`cast(${json} as double)`, op, sql`${value}`)})`;
  }
  return sql`(${type} = 'BOOLEAN' and ${compareOrder(sql`(cast(${json} as char) = 'true')`, op, sql`${value ? 1 : 0}`)})`;
}

/**
 * The numbers of three errors: a column (1060) or an index (1061) with that name exists, or an index to drop does not
 * (1091).
 */
const alreadyApplied = [1060, 1061, 1091];

/**
 * The error classes by error number. https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html and
 * https://mariadb.com/kb/en/mariadb-error-codes/
 */
const errorClasses: { readonly [errno: number]: ErrorClass } = {
  1062: "conflict",
  // The server rolled the statement back because of a deadlock (on Galera also a conflict with another node), a lock
  // wait timeout, "record has changed since last read", or a conflict in group replication.
  1213: "retry",
  1205: "retry",
  1020: "retry",
  3101: "retry",
  // The server accepts no statement: too many connections, no quorum in the Galera cluster, shutting down, connection
  // killed, read-only.
  1040: "unavailable",
  1203: "unavailable",
  1047: "unavailable",
  1053: "unavailable",
  1317: "unavailable",
  1927: "unavailable",
  1290: "unavailable",
  1836: "unavailable",
  // The commit failed, and the statement may or may not have taken effect.
  1180: "unavailable",
  3100: "unavailable",
};

function classify(error: Error): ErrorClass | undefined {
  const known = "errno" in error ? errorClasses[Number(error.errno)] : undefined;
  if (known !== undefined) return known;
  const code = "code" in error ? String(error.code) : "";
  if (/^(PROTOCOL_|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|POOL_)/.test(code)) return "unavailable";
  if (error.message === "Queue limit reached." || error.message.startsWith("Can't add new command when connection is in closed state"))
    return "unavailable";
  return undefined;
}
