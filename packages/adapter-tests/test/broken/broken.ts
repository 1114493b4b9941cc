import { defineAdapter, type Collection, type CollectionDescription, type Collections, type DataAdapter } from "@postern/core";
import { memoryAdapter } from "@postern/memory";
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
  const memory = memoryAdapter();
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
