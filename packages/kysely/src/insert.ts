import type { AnyRow } from "@postern/core/adapter";
import { isConflict } from "@postern/core/adapter";
import { sql } from "kysely";
import type { BoundValue, Sql } from "./dialect.ts";
import type { Call, CancelOptions, Runner } from "./runner.ts";
import { Slot } from "./statement.ts";
import type { SqlTable } from "./table.ts";

/** Inserts all rows or none. Returns `false` if a unique key is already in use. */
export async function insertRows(table: SqlTable, runner: Runner, rows: readonly AnyRow[], options?: CancelOptions): Promise<boolean> {
  const [first] = rows;
  if (first === undefined) throw new TypeError(`${table.name}: an insert requires at least one row`);
  try {
    if (rows.length === 1) return (await insertOne(table, runner, first, options)) === 1;
    await insertSeveral(table, runner, rows, options);
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

async function insertOne(table: SqlTable, runner: Runner, row: AnyRow, options?: CancelOptions): Promise<number> {
  const values: BoundValue[] = [];
  table.encode(row, values);
  const statement = runner.statements.get(table, "insert", () => {
    const insert = insertValues(table, 1);
    return runner.dialect.hasOnConflict ? sql`${insert} on conflict do nothing` : insert;
  });
  const { numAffectedRows } = await runner.run(statement, values, {
    signal: options?.signal,
    mayConflict: !runner.dialect.hasOnConflict,
  });
  return Number(numAffectedRows);
}

/**
 * Inserts several rows. With `on conflict do nothing`, the rows without a conflict would be inserted. Therefore a
 * conflict is an error here, which rolls back all rows.
 */
async function insertSeveral(table: SqlTable, runner: Runner, rows: readonly AnyRow[], options?: CancelOptions): Promise<void> {
  const { bulkInsert, maxValues: mostValues = Infinity } = runner.dialect;
  if (bulkInsert.by === "unnest") {
    const lists = table.columns.map(() => [] as (string | number | boolean | null)[]);
    for (const row of rows) {
      const values: BoundValue[] = [];
      table.encode(row, values);
      values.forEach((value, i) => lists[i]?.push(plain(value)));
    }
    const statement = runner.statements.get(table, "insert lists", () => insertLists(table, bulkInsert.type));
    await runner.run(statement, lists, { signal: options?.signal, mayConflict: true });
    return;
  }

  const sizes = bulkInsert.sizes.filter((size) => size * table.columns.length <= mostValues);
  const calls = inBatches(rows, sizes).map((batch): Call => {
    const values: BoundValue[] = [];
    for (const row of batch) table.encode(row, values);
    return [runner.statements.get(table, `insert ${batch.length}`, () => insertValues(table, batch.length)), values];
  });
  const [only] = calls;
  if (only !== undefined && calls.length === 1) await runner.run(...only, { signal: options?.signal, mayConflict: true });
  else await runner.runAll(calls, options);
}

/** Splits a list into batches of the allowed sizes, the largest first. */
function inBatches<T>(items: readonly T[], sizes: readonly number[]): T[][] {
  const descending = sizes.toSorted((a, b) => b - a);
  const batches: T[][] = [];
  for (let start = 0; start < items.length;) {
    const size = descending.find((allowed) => allowed <= items.length - start) ?? 1;
    batches.push(items.slice(start, start + size));
    start += size;
  }
  return batches;
}

function insertValues(table: SqlTable, rows: number): Sql {
  const width = table.columns.length;
  const lines = Array.from({ length: rows }, (_, row) => {
    return sql`(${sql.join(table.columns.map((_column, i) => sql`${new Slot(row * width + i)}`))})`;
  });
  return sql`insert into ${table.ref} (${table.inserted}) values ${sql.join(lines)}`;
}

function insertLists(table: SqlTable, type: (field: SqlTable["columns"][number]["field"]) => string): Sql {
  const lists = table.columns.map(({ field }, i) => sql`${new Slot(i)}::${sql.raw(type(field))}[]`);
  return sql`insert into ${table.ref} (${table.inserted}) select * from unnest(${sql.join(lists)})`;
}

function plain(value: BoundValue): string | number | boolean | null {
  if (value !== null && typeof value === "object") throw new TypeError("this field must not have a list as its value");
  return value;
}
