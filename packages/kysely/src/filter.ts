import type { Filter, Scalar } from "@postern/core/adapter";
import { sql } from "kysely";
import type { ComparisonOperator, Dialect, JsonTest, Sql, SqlCondition } from "./dialect.ts";
import { afterPrefix } from "./prefix-range.ts";
import type { Column, SqlTable } from "./table.ts";

const never: SqlCondition = sql`1 = 0`;
const always: SqlCondition = sql`1 = 1`;

/**
 * Converts a condition tree to SQL for a `where` clause. A comparison with null is not true, so it does not match.
 * @param refOf returns the SQL of a column. Default: the column's name.
 */
export function filterSql(
  filter: Filter,
  table: SqlTable,
  dialect: Dialect,
  refOf: (column: Column) => Sql = ({ ref }) => ref,
): SqlCondition {
  return condition(filter, (truth) => truth);

  /**
   * Converts one part of the tree.
   * @param decided converts a comparison whose result may be null to true or false. It is used below `not`, so that
   * rows without a value match. Elsewhere comparisons are not converted, because an index serves `a = 1` but not
   * `coalesce(a = 1, false)`.
   */
  function condition(part: Filter, decided: Dialect["nullAsFalse"]): SqlCondition {
    if ("and" in part) return joined(part.and, sql` and `, always, decided);
    if ("or" in part) return joined(part.or, sql` or `, never, decided);
    if ("not" in part) return sql`not (${condition(part.not, dialect.nullAsFalse)})`;
    const column = table.column(part.field);
    const named = { ...column, ref: refOf(column) };
    if (part.op === "exists") return exists(named, part.path ?? [], dialect);
    if (part.value === undefined) return never;
    return decided(compare(named, part.path ?? [], { op: part.op, value: part.value }, dialect));
  }

  function joined(parts: readonly Filter[], word: Sql, empty: SqlCondition, decided: Dialect["nullAsFalse"]): SqlCondition {
    if (parts.length === 0) return empty;
    return inHalves(
      parts.map((part) => condition(part, decided)),
      word,
    );
  }
}

/**
 * Combines conditions as a balanced tree, because D1 limits the depth of an expression to 100. A chain of n conditions
 * would have depth n.
 */
function inHalves(conditions: readonly SqlCondition[], word: Sql): SqlCondition {
  if (conditions.length <= 16) return sql`(${sql.join(conditions, word)})`;
  const middle = Math.ceil(conditions.length / 2);
  return sql`(${sql.join([inHalves(conditions.slice(0, middle), word), inHalves(conditions.slice(middle), word)], word)})`;
}

function exists({ field, ref }: Column, path: readonly string[], dialect: Dialect): SqlCondition {
  if (field.type === "strings" || path.length > 0) return dialect.anyInJson(ref, path, { op: "exists" });
  return sql`${ref} is not null`;
}

function compare(column: Column, path: readonly string[], test: Exclude<JsonTest, { op: "exists" }>, dialect: Dialect): SqlCondition {
  const { field, ref, codec } = column;
  const { op, value } = test;
  switch (field.type) {
    case "strings":
    case "object": {
      if (field.type === "object" && path.length === 0) return never;
      const found = dialect.anyInJson(ref, path, test);
      if (typeof value !== "string" || (op !== "eq" && op !== "prefix" && op !== "contains")) return found;
      // First searches the stored JSON for the text, so that the JSON of most rows need not be parsed. This excludes no
      // match.
      return sql`(${dialect.contains(dialect.asBytes(ref), sql`${textInJson(op, value)}`)} and ${found})`;
    }
    case "string":
    case "text":
      if (typeof value !== "string") return never;
      return textComparison(field.type === "text" ? dialect.asBytes(ref) : ref, op, codec.search?.(value) ?? value, dialect);
    case "boolean":
      return typeof value === "boolean" && isOrder(op) ? sql`${ref} ${symbol[op]} ${bound(column, value)}` : never;
    case "integer":
    case "instant":
      if (typeof value !== "number" || !isOrder(op)) return never;
      return sql`${ref} ${symbol[op]} ${Number.isSafeInteger(value) ? sql`${value}` : dialect.number(sql`${value}`)}`;
  }
}

/**
 * Returns a text that the JSON of every matching row contains, given that `JSON.stringify` wrote the JSON. Returns ""
 * if the value contains a character that JSON escapes.
 */
function textInJson(op: "eq" | "prefix" | "contains", value: string): string {
  if (JSON.stringify(value) !== `"${value}"`) return "";
  if (op === "contains") return value;
  return op === "eq" ? `"${value}"` : `"${value}`;
}

type OrderOperator = Exclude<ComparisonOperator, "prefix" | "contains">;

const symbol = { eq: sql`=`, lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` } satisfies { [op in OrderOperator]: Sql };

const isOrder = (op: ComparisonOperator): op is OrderOperator => op !== "prefix" && op !== "contains";

function bound(column: Column, value: Scalar): Sql {
  return sql`${column.codec.encode ? column.codec.encode(value) : value}`;
}

/** Returns the SQL that compares text byte by byte. The result is null if the text is null. */
export function textComparison(text: Sql, op: ComparisonOperator, value: string, dialect: Pick<Dialect, "contains">): SqlCondition {
  if (op === "contains") return dialect.contains(text, sql`${value}`);
  if (op !== "prefix") return sql`${text} ${symbol[op]} ${value}`;
  const end = afterPrefix(value);
  return end === undefined ? sql`${text} >= ${value}` : sql`(${text} >= ${value} and ${text} < ${end})`;
}

/** Returns the SQL that compares two values which are numbers or booleans. */
export function compareOrder(left: Sql, op: ComparisonOperator, right: Sql): SqlCondition {
  return isOrder(op) ? sql`${left} ${symbol[op]} ${right}` : never;
}
