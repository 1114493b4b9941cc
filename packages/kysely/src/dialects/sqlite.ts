import { sql } from "kysely";
import type { Dialect, JsonTest, Sql, SqlCondition } from "../dialect.ts";
import { compareOrder, textComparison } from "../filter.ts";
import { prefix } from "../names.ts";
import initial from "../migrations/sqlite/0001_initial.sql";

const contains = (text: Sql, part: Sql): Sql => sql`instr(${text}, ${part}) > 0`;

/** The dialect for SQLite, which compares text byte by byte by default. */
export const sqlite: Dialect = {
  name: "sqlite",
  codec: ({ type }) => {
    if (type === "boolean") return { encode: (value) => (value === true ? 1 : 0), decode: (value) => value === 1 };
    if (type === "strings" || type === "object") return { encode: JSON.stringify, decode: (value) => JSON.parse(String(value)) };
    return {};
  },
  hasOnConflict: true,
  errorAbortsTransaction: false,
  comparesRows: true,
  bulkInsert: { by: "values", sizes: [1, 2, 4, 8, 16, 32] },
  // SQLite's planner reads the values of some plain placeholders (in LIMIT, and in an equality next to ORDER BY) and
  // prepares the statement again whenever these values change. That makes a point read five times as expensive. The
  // planner does not read values inside an expression.
  conditionValue: (placeholder) => sql`+${placeholder}`,
  rowCount: (placeholder) => sql`${placeholder} + 0`,
  withoutIndex: (column) => sql`+${column}`,
  // Without statistics, which SQLite collects only if the host asks for them, its planner expects ten rows for a value of
  // the first column of an index. It then reads all rows of a tenant if the index contains every column that it needs.
  expect: (condition, rows) => sql`likelihood(${condition}, ${rows === "few" ? sql`0.00001` : sql`0.5`})`,
  contains,
  asBytes: (text) => text,
  nullAsFalse: (truth) => sql`coalesce(${truth}, 0)`,
  number: (value) => value,
  anyInJson,
  classifyError: (error) => {
    const code = codeOf(error);
    if (code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY") return "conflict";
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return "retry";
    if (/^SQLITE_(FULL|IOERR|CANTOPEN|PROTOCOL)/.test(code)) return "unavailable";
    return undefined;
  },
  columns: async (db) => {
    const { rows } = await sql<{ table: string; column: string }>`
      select t.name as "table", c.name as "column" from sqlite_master as t, pragma_table_info(t.name) as c
      where t.type = 'table' and substr(t.name, 1, ${prefix.length}) = ${prefix}`.execute(db);
    return rows;
  },
  migrations: { "0001_initial": initial },
};

/**
 * The SQLite result codes that the dialect classifies, by number, because `node:sqlite` reports numbers.
 * https://sqlite.org/rescode.html
 */
const resultCodes: { readonly [code: number]: string } = {
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  10: "SQLITE_IOERR",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  15: "SQLITE_PROTOCOL",
  1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
  2067: "SQLITE_CONSTRAINT_UNIQUE",
};

/** Returns the name of the error's SQLite result code, or "" if the error is not from SQLite. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  // The low byte of an extended code is the primary code.
  if ("errcode" in error && typeof error.errcode === "number") return resultCodes[error.errcode] ?? resultCodes[error.errcode & 0xff] ?? "";
  return "code" in error ? String(error.code) : "";
}

/**
 * Returns the condition that a value at `path` in a JSON column passes the test. In SQL, each step of the path is a
 * join with the members of the object that the previous step reached. A value that is not an object has no members.
 */
function anyInJson(column: Sql, path: readonly string[], test: JsonTest): SqlCondition {
  const steps = path.map((name, i) => {
    const parent = i === 0 ? column : sql`case when ${at(i - 1, "type")} = 'object' then ${at(i - 1, "value")} else '{}' end`;
    return { from: sql`json_each(${parent}) as ${sql.ref(`p${i}`)}`, where: sql`${at(i, "key")} = ${name}` };
  });
  const last = path.length - 1;
  // If the value is an array, each member is tested. Any other value is wrapped in an array with one member.
  const members =
    last < 0
      ? sql`json_each(${column}) as m`
      : sql`json_each(case when ${at(last, "type")} = 'array' then ${at(last, "value")} else ${wrapped(last)} end) as m`;
  const conditions = [...steps.map(({ where }) => where), holds(test)];
  return sql`exists (select 1 from ${sql.join([...steps.map(({ from }) => from), members])} where ${sql.join(conditions, sql` and `)})`;
}

const at = (step: number, column: string): Sql => sql.ref(`p${step}.${column}`);

/** Wraps a member of an object in a JSON array, for each JSON type. */
function wrapped(step: number): Sql {
  const value = at(step, "value");
  return sql`case ${at(step, "type")} when 'true' then '[true]' when 'false' then '[false]' when 'object' then '[{}]' else json_array(${value}) end`;
}

function holds(test: JsonTest): SqlCondition {
  const type = sql.ref("m.type");
  const atom = sql.ref("m.atom");
  if (test.op === "exists") return sql`${type} <> 'null'`;
  const { op, value } = test;
  if (typeof value === "string") return sql`${type} = 'text' and ${textComparison(atom, op, value, { contains })}`;
  if (typeof value === "number") return sql`${type} in ('integer', 'real') and ${compareOrder(atom, op, sql`${value}`)}`;
  return sql`${type} in ('true', 'false') and ${compareOrder(sql`(${type} = 'true')`, op, sql`${value ? 1 : 0}`)}`;
}
