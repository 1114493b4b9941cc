import type { AnyRow, Condition, Match, Operators, Scalar } from "@postern/core/adapter";
import { sql } from "kysely";
import type { BoundValue, Dialect, Sql } from "./dialect.ts";
import { afterPrefix } from "./prefix-range.ts";
import { Slot } from "./statement.ts";
import { bind, type Column, type SqlTable } from "./table.ts";

type Test = "=" | "null" | "not null" | "in" | "<" | "<=" | ">" | ">=" | "contains";

/**
 * The lengths that lists of values have in SQL, so that there are few different SQL statements. The last value of a
 * shorter list is repeated to fill the list.
 */
const listLengths = [1, 2, 4, 8, 16, 32, 50];

/**
 * The conditions of one call, split into their values and their shape. All calls from the same place in core have the
 * same shape, and each shape is compiled once.
 */
export class ConditionShape {
  /** Identifies the shape. Calls with the same key differ only in their values. */
  key: string;
  readonly values: BoundValue[] = [];
  readonly #table: SqlTable;
  readonly #tests: { readonly column: Column; readonly test: Test; readonly count: number; readonly matchesMostRows: boolean }[] = [];
  #slots = 0;

  constructor(method: string, table: SqlTable) {
    this.key = method;
    this.#table = table;
  }

  /** Adds a value. The next {@link slot} in the SQL stands for the value. */
  add(value: BoundValue): void {
    this.values.push(value);
  }

  /** Returns the placeholder for the next value. Call it in the order in which the values were added. */
  slot(): Sql {
    return sql`${new Slot(this.#slots++)}`;
  }

  /** Adds the conditions in `where`. */
  match(where: Match<AnyRow>): void {
    const names = Object.keys(where);
    if (names.length === 0) throw new TypeError(`${this.#table.name}: an empty condition would match every row`);
    for (const name of names) this.#condition(this.#table.column(name), where[name]);
  }

  /** Returns the conditions as SQL. @param isHidden whether planners must not use an index for a column. Default: no. */
  conditions(dialect: Dialect, isHidden: (column: string) => boolean = () => false): Sql {
    const parts = this.#tests.map(({ column, test, count, matchesMostRows }) => {
      const { ref, field, name } = column;
      const condition = (left: Sql): Sql => this.#sql(left, test, count, dialect);
      if (test === "contains") return condition(ref);
      if (isHidden(name)) return dialect.conditionWithoutIndex?.(condition(ref)) ?? condition(dialect.withoutIndex(ref, field.type));
      const isEquality = test === "=" || test === "in" || test === "null";
      return isEquality && dialect.expect !== undefined ? dialect.expect(condition(ref), matchesMostRows ? "most" : "few") : condition(ref);
    });
    return sql.join(parts, sql` and `);
  }

  #sql(left: Sql, test: Test, count: number, dialect: Dialect): Sql {
    const next = (): Sql => dialect.conditionValue(this.slot());
    switch (test) {
      case "null":
        return sql`${left} is null`;
      case "not null":
        return sql`${left} is not null`;
      case "in":
        return sql`${left} in (${sql.join(Array.from({ length: count }, next))})`;
      case "contains":
        return dialect.contains(left, next());
      default:
        return sql`${left} ${sql.raw(test)} ${next()}`;
    }
  }

  #condition(column: Column, condition: Condition<Scalar | null> | undefined): void {
    if (condition === undefined) throw new TypeError(`${this.#table.name}.${column.name} is undefined in a condition`);
    if (condition === null) this.#test(column, "null");
    else if (typeof condition !== "object") this.#test(column, "=", condition);
    else if ("exists" in condition) this.#test(column, condition.exists ? "not null" : "null");
    else this.#operators(column, condition);
  }

  #operators(column: Column, { in: list, lt, lte, gt, gte, prefix, contains }: Operators<Scalar>): void {
    const before = this.#tests.length;
    if (list !== undefined) {
      const length = listLengths.find((allowed) => allowed >= list.length);
      const last = list.at(-1);
      if (length === undefined || last === undefined) throw new TypeError(`${this.#table.name}.${column.name}: 'in' needs 1 to 50 values`);
      this.#test(column, "in", ...list, ...Array.from({ length: length - list.length }, () => last));
    }
    if (lt !== undefined) this.#test(column, "<", lt);
    if (lte !== undefined) this.#test(column, "<=", lte);
    if (gt !== undefined) this.#test(column, ">", gt);
    if (gte !== undefined) this.#test(column, ">=", gte);
    if (prefix !== undefined) {
      const end = afterPrefix(prefix);
      this.#test(column, ">=", prefix);
      if (end !== undefined) this.#test(column, "<", end);
    }
    if (contains !== undefined) this.#test(column, "contains", contains);
    if (this.#tests.length === before) throw new TypeError(`${this.#table.name}.${column.name}: the condition has no operator`);
  }

  #test(column: Column, test: Test, ...values: readonly Scalar[]): void {
    this.key += `\n${column.name} ${test}${values.length > 1 ? values.length : ""}`;
    // Most rows have these values, so the statement may need another index and gets its own key. A single tenant can
    // also have most rows, so conditions on `tenant_id` are estimated in the same way.
    const matchesMostRows = test === "null" || (test === "=" && (values[0] === "" || values[0] === false));
    if (matchesMostRows) this.key += " usual";
    this.#tests.push({
      column,
      test,
      count: values.length,
      matchesMostRows: matchesMostRows || (test === "=" && column.name === "tenant_id"),
    });
    const { encode, search } = column.codec;
    for (const value of values) this.values.push(bind(search !== undefined && typeof value === "string" ? search(value) : value, encode));
  }
}
