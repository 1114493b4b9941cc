import type { AnyRow, CallOptions, Change, Collection, Filter, Find, Match } from "@postern/core/adapter";
import { sql } from "kysely";
import type { BoundValue, Sql } from "./dialect.ts";
import { chooseIndex, isConstant } from "./choose-index.ts";
import { conditionsOfFilterIndex } from "./indexed-conditions.ts";
import { filterSql } from "./filter.ts";
import { insertRows } from "./insert.ts";
import type { Runner } from "./runner.ts";
import { ConditionShape } from "./shape.ts";
import { compileStatement, type Statement } from "./statement.ts";
import { bind, decodeRow, type Column, type SqlTable } from "./table.ts";

/**
 * Up to this number of matching rows, `find` reads the rows and sorts them. Sorting them takes about as long as reading
 * along a list of a million rows until a page is full, if one row in a thousand matches.
 */
const few = 1000;

/** The columns for which the planner must not use an index, by the part of the query in which they occur. */
interface Hidden {
  /** Distinguishes the statements for one query that hide different columns. */
  readonly key: string;
  readonly where: (column: string) => boolean;
  readonly filter: (column: string) => boolean;
  readonly orderBy: (column: string) => boolean;
}

const nothing: Omit<Hidden, "key"> = { where: () => false, filter: () => false, orderBy: () => false };

/**
 * Implements the five methods of a collection on one table. A statement is compiled when its shape is used for the
 * first time.
 */
export class SqlCollection implements Collection {
  readonly filters = true;
  readonly #table: SqlTable;
  readonly #runner: Runner;

  constructor(table: SqlTable, runner: Runner) {
    this.#table = table;
    this.#runner = runner;
  }

  insert(rows: readonly AnyRow[], options?: CallOptions): Promise<boolean> {
    return insertRows(this.#table, this.#runner, rows, options);
  }

  async find(query: Find<AnyRow>, options?: CallOptions): Promise<AnyRow[]> {
    const { where, fields, filter, orderBy, after, offset, limit } = query;
    const table = this.#table;
    const { dialect } = this.#runner;
    const selection = fields === undefined ? table.all : table.selection(fields);
    const counted = orderBy === undefined ? undefined : await this.#chooseColumnsToHide(where, filter, orderBy.fields, options);
    const shape = new ConditionShape(`find ${selection.key}${counted?.key ?? ""}`, table);
    shape.match(where);
    if (orderBy !== undefined) {
      shape.key += `\norder ${orderBy.fields.join(" ")} ${orderBy.direction}`;
      if (after !== undefined) {
        shape.key += "\nafter";
        for (const value of this.#afterValues(orderBy.fields, after)) shape.add(value);
      }
    }
    shape.add(limit);
    if (offset !== undefined && offset > 0) {
      shape.key += "\noffset";
      shape.add(offset);
    }

    const statement = this.#statement(shape, filter, () => {
      const choice = chooseIndex(table.indexesByKind, where, "page", orderBy?.fields);
      const hides = counted ?? { ...nothing, where: (name) => choice.hidden.has(name), orderBy: () => choice.hidesOrder };
      const refIn = (place: "filter" | "orderBy") => (column: Column) =>
        hides[place](column.name) ? dialect.withoutIndex(column.ref, column.field.type) : column.ref;
      const parts = [sql`select ${selection.list} from ${table.ref} where ${shape.conditions(dialect, hides.where)}`];
      if (filter !== undefined) parts.push(sql`and ${filterSql(filter, table, dialect, refIn("filter"))}`);
      if (orderBy !== undefined) {
        const refs = orderBy.fields.map((name) => refIn("orderBy")(table.column(name)));
        const direction = orderBy.direction === "desc" ? sql`desc` : sql`asc`;
        if (after !== undefined) parts.push(sql`and ${this.#afterSql(refs, orderBy.direction === "desc" ? sql`<` : sql`>`, shape)}`);
        // A column that is compared with one value has no effect on the order. Some planners sort anyway.
        const ordered = refs.filter((_, i) => !isConstant(where[orderBy.fields[i] ?? ""]));
        if (ordered.length > 0) parts.push(sql`order by ${sql.join(ordered.map((ref) => sql`${ref} ${direction}`))}`);
      }
      if (orderBy === undefined && filter === undefined && choice.order.length > 0) {
        parts.push(sql`order by ${sql.join(choice.order.map((name) => table.column(name).ref))}`);
      }
      parts.push(sql`limit ${dialect.rowCount(shape.slot())}`);
      if (offset !== undefined && offset > 0) parts.push(sql`offset ${dialect.rowCount(shape.slot())}`);
      return sql.join(parts, sql` `);
    });

    const { rows } = await this.#runner.run(statement, shape.values, options);
    const found: AnyRow[] = [];
    for (const row of rows) found.push(decodeRow(row, selection));
    return found;
  }

  /**
   * Decides which index a query should use, if one index serves part of the filter and another index serves the order.
   * Returns the columns to hide from the planner, so that the planner uses the better index. Returns undefined in all
   * other cases. If few rows match the filter, it is better to read and sort them. If many rows match, reading in the
   * list's order soon fills a page. To decide, this method counts the matching rows in the index, up to a limit.
   * A planner with missing or old statistics can choose wrongly and read the whole list.
   */
  async #chooseColumnsToHide(
    where: Match<AnyRow>,
    filter: Filter | undefined,
    order: readonly string[],
    options: CallOptions | undefined,
  ): Promise<Hidden | undefined> {
    const table = this.#table;
    const filterIndex = conditionsOfFilterIndex(table.indexes, where, filter, order);
    if (filterIndex === undefined) return undefined;
    const { dialect, db } = this.#runner;
    const shape = new ConditionShape("few", table);
    // In a collection without a tenant, the index may serve only conditions in the filter.
    const named = Object.keys(filterIndex.where).length > 0;
    if (named) shape.match(filterIndex.where);
    shape.add(few + 1);
    const conditions = [...(named ? [shape.conditions(dialect)] : []), ...filterIndex.parts.map((part) => filterSql(part, table, dialect))];
    const first = sql`select 1 from ${table.ref} where ${sql.join(conditions, sql` and `)} limit ${dialect.rowCount(shape.slot())}`;
    const statement = compileStatement(db, sql`select count(*) as ${sql.ref("n")} from (${first}) as ${sql.ref("first")}`);
    const { rows } = await this.#runner.run(statement, shape.values, options);
    const read = filterIndex.fields;
    if (Number(rows[0]?.["n"]) > few) {
      const { hidden } = chooseIndex(table.indexesByKind, where, "page", order);
      return {
        ...nothing,
        key: "\nmany",
        where: (name) => filterIndex.ranges.has(name) || hidden.has(name),
        filter: (name) => read.has(name),
      };
    }
    return { key: "\nfew", where: (name) => !read.has(name), filter: () => false, orderBy: () => true };
  }

  async count(where: Match<AnyRow>, filter?: Filter, options?: CallOptions): Promise<number> {
    const table = this.#table;
    const shape = new ConditionShape("count", table);
    shape.match(where);
    const statement = this.#statement(shape, filter, () => {
      const read = filter && conditionsOfFilterIndex(table.indexes, where, filter)?.fields;
      const conditions = read ? shape.conditions(this.#runner.dialect, (name) => !read.has(name)) : this.#conditions(shape, where);
      const counted = sql`select count(*) as ${sql.ref("n")} from ${table.ref} where ${conditions}`;
      return filter === undefined ? counted : sql`${counted} and ${filterSql(filter, table, this.#runner.dialect)}`;
    });
    const { rows } = await this.#runner.run(statement, shape.values, options);
    return Number(rows[0]?.["n"]);
  }

  async update(where: Match<AnyRow>, change: Change<AnyRow>, options?: CallOptions): Promise<number> {
    const table = this.#table;
    const { set = {}, add = {} } = change;
    const setNames = Object.keys(set);
    const addNames = Object.keys(add);
    const shape = new ConditionShape(`update\nset ${setNames.join(" ")}\nadd ${addNames.join(" ")}`, table);
    for (const name of setNames) shape.add(bind(set[name] ?? null, table.column(name).codec.encode));
    for (const name of addNames) shape.add(add[name] ?? 0);
    shape.match(where);
    const statement = this.#statement(shape, undefined, () => {
      const changes = [
        ...setNames.map((name) => sql`${table.column(name).ref} = ${shape.slot()}`),
        ...addNames.map((name) => sql`${table.column(name).ref} = ${table.column(name).ref} + ${shape.slot()}`),
      ];
      return sql`update ${table.ref} set ${sql.join(changes)} where ${this.#conditions(shape, where)}`;
    });
    const mayConflict = setNames.some((name) => table.guarded.has(name));
    const { numAffectedRows } = await this.#runner.run(statement, shape.values, { signal: options?.signal, mayConflict });
    return Number(numAffectedRows);
  }

  async delete(where: Match<AnyRow>, options?: CallOptions): Promise<number> {
    const shape = new ConditionShape("delete", this.#table);
    shape.match(where);
    const statement = this.#statement(shape, undefined, () => sql`delete from ${this.#table.ref} where ${this.#conditions(shape, where)}`);
    const { numAffectedRows } = await this.#runner.run(statement, shape.values, options);
    return Number(numAffectedRows);
  }

  /** Returns the conditions of a statement that changes or counts rows, so that planners use the chosen index. */
  #conditions(shape: ConditionShape, where: Match<AnyRow>): Sql {
    const { dialect } = this.#runner;
    const { hidden } = chooseIndex(this.#table.indexesByKind, where, "set");
    return shape.conditions(dialect, (column) => hidden.has(column));
  }

  /**
   * Returns the compiled statement for a shape. Statements with filters are not cached, because callers can send any
   * number of filter shapes.
   */
  #statement(shape: ConditionShape, filter: Filter | undefined, build: () => Sql): Statement {
    if (filter !== undefined) return compileStatement(this.#runner.db, build());
    return this.#runner.statements.get(this.#table, shape.key, build);
  }

  /**
   * Returns the values of the keyset condition, in the order of the placeholders in `#afterSql`. If indexes serve row
   * comparisons, the condition is one comparison of two rows. Otherwise it compares field by field, and a condition on
   * the first field bounds the range.
   */
  #afterValues(fields: readonly string[], after: readonly (string | number | boolean)[]): BoundValue[] {
    const values = fields.map((name, i) => bind(after[i] ?? null, this.#table.column(name).codec.encode));
    if (this.#runner.dialect.comparesRows || values.length === 1) return values;
    const first = values[0] ?? null;
    return [first, ...values.flatMap((_, i) => values.slice(0, i + 1))];
  }

  #afterSql(refs: readonly Sql[], comparison: Sql, shape: ConditionShape): Sql {
    const { dialect } = this.#runner;
    const next = (): Sql => dialect.conditionValue(shape.slot());
    const [first] = refs;
    if (first === undefined) throw new TypeError("an order requires at least one field");
    if (refs.length === 1) return sql`${first} ${comparison} ${next()}`;
    if (dialect.comparesRows) return sql`(${sql.join(refs)}) ${comparison} (${sql.join(refs.map(next))})`;
    const bound = sql`${first} ${comparison}= ${next()}`;
    const steps = refs.map((ref, i) => {
      const equal = refs.slice(0, i).map((earlier) => sql`${earlier} = ${next()}`);
      return sql`(${sql.join([...equal, sql`${ref} ${comparison} ${next()}`], sql` and `)})`;
    });
    return sql`${bound} and (${sql.join(steps, sql` or `)})`;
  }
}
