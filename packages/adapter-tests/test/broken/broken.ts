import {
  defineAdapter,
  storedKey,
  type AnyRow,
  type Collection,
  type CollectionDescription,
  type Collections,
  type DataAdapter,
  type Match,
  type Scalar,
} from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { untyped } from "../../src/subject.ts";

/** An adapter with one defect, and the names of the cases that must fail because of it. No other cases may fail. */
export interface Broken {
  readonly defect: string;
  readonly fails: readonly string[];
  readonly adapter: () => DataAdapter;
}

/** Returns replacements for some methods of a collection. */
export type Alter = (inner: Collection, description: CollectionDescription) => Partial<Collection>;

/** Returns an adapter that meets every requirement except those that `alter` breaks. */
export function altered(alter: Alter): DataAdapter {
  const memory = createMemoryAdapter();
  const from =
    (collections: Collections) =>
    (description: CollectionDescription): Collection => {
      const inner = untyped(collections, description.name);
      return { ...inner, ...alter(inner, description) };
    };
  return defineAdapter(from(memory.collections), {
    transaction: (run) => memoryTransaction(memory)((tx) => run(from(tx))),
  });
}

/** Returns the memory adapter's `transaction`. */
export function memoryTransaction({ transaction }: DataAdapter): NonNullable<DataAdapter["transaction"]> {
  if (transaction === undefined) throw new TypeError("the adapter has no transactions");
  return transaction;
}

/** Lets other calls run before the caller continues, as a round trip to a database does. */
export const roundTrip = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** Returns every matching row, without a limit. */
export async function everyRow(inner: Collection, { key }: CollectionDescription, where: Match<AnyRow>): Promise<AnyRow[]> {
  const rows: AnyRow[] = [];
  for (let page: AnyRow[] | undefined; page === undefined || page.length === 1000;) {
    const last = rows.at(-1);
    const after = last && key.map((field) => scalar(last[field]));
    page = await inner.find({ where, orderBy: { fields: key, direction: "asc" }, limit: 1000, ...(after && { after }) });
    rows.push(...page);
  }
  return rows;
}

/** Returns a condition that the values of these fields match. */
export const pick = (row: AnyRow, fields: readonly string[]): Match<AnyRow> =>
  Object.fromEntries(fields.map((field) => [field, row[field] === null ? null : scalar(row[field])]));

/** Returns a condition that matches only this row. */
export const keyOf = (description: CollectionDescription, row: AnyRow): Match<AnyRow> => pick(row, storedKey(description));

function scalar(value: unknown): Scalar {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") throw new TypeError("not a scalar");
  return value;
}
