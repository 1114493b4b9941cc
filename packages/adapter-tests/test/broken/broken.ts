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

/** An adapter that is wrong in one way, and the cases that must say so: these and no others. */
export interface Broken {
  readonly defect: string;
  readonly fails: readonly string[];
  readonly adapter: () => DataAdapter;
}

/** What replaces some of a collection's methods. */
export type Alter = (inner: Collection, description: CollectionDescription) => Partial<Collection>;

/** An adapter that keeps every promise but those that `alter` breaks. */
export function altered(alter: Alter): DataAdapter {
  const memory = createMemoryAdapter();
  const from =
    (collections: Collections) =>
    (description: CollectionDescription): Collection => {
      const inner = untyped(collections, description.name);
      return { ...inner, ...alter(inner, description) };
    };
  return defineAdapter(from(memory.collections), {
    transaction: (run) => transactionOf(memory)((tx) => run(from(tx))),
  });
}

/** The memory adapter's transactions. */
export function transactionOf({ transaction }: DataAdapter): NonNullable<DataAdapter["transaction"]> {
  if (transaction === undefined) throw new TypeError("no transactions");
  return transaction;
}

/** Lets other calls come in between, as every round trip to a database does. */
export const roundTrip = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** Every row that matches, however many there are. */
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

/** A condition on what these fields of a row hold. */
export const pick = (row: AnyRow, fields: readonly string[]): Match<AnyRow> =>
  Object.fromEntries(fields.map((field) => [field, row[field] === null ? null : scalar(row[field])]));

/** A condition on exactly this row. */
export const keyOf = (description: CollectionDescription, row: AnyRow): Match<AnyRow> => pick(row, storedKey(description));

function scalar(value: unknown): Scalar {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") throw new TypeError("no scalar");
  return value;
}
