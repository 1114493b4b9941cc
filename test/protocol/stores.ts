import type { Collection, Collections, DataAdapter } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";
import { memoryAdapter } from "@postern/memory";

/** The stores that need no server. Races differ on them: one answers at once, the other a moment later. */
export const stores: readonly { readonly name: string; readonly open: () => Promise<DataAdapter> }[] = [
  { name: "memory", open: async () => memoryAdapter({ strict: true }) },
  {
    name: "sqlite",
    open: async () => {
      const adapter = await openDatabase("sqlite::memory:");
      await adapter.migrate();
      return adapter;
    },
  },
];

/** An adapter that notes whatever is written to it: what a thief of the database, or of an old copy of it, reads. */
export function recordingAdapter(inner: DataAdapter): { readonly data: DataAdapter; readonly written: () => string } {
  const notes: string[] = [];
  const recorded = (collection: Collection): Collection => ({
    ...(collection.filters !== undefined && { filters: collection.filters }),
    find: (query) => collection.find(query),
    count: (where, filter) => collection.count(where, filter),
    delete: (where) => collection.delete(where),
    insert: (rows) => {
      notes.push(JSON.stringify(rows));
      return collection.insert(rows);
    },
    update: (where, change) => {
      notes.push(JSON.stringify(change));
      return collection.update(where, change);
    },
  });
  return { data: { ...inner, collections: eachCollection(inner, recorded) }, written: () => notes.join("\n") };
}

/** An adapter that refuses what PostgreSQL refuses, in questions as well as in rows: NUL and halves of characters. */
export function pickyAdapter(inner: DataAdapter): DataAdapter {
  const check = (...given: readonly unknown[]): void => {
    if (/\\u0000|\\ud[89a-f]/.test(JSON.stringify(given)))
      throw new Error(`no text for a database: ${JSON.stringify(given).slice(0, 300)}`);
  };
  const picky = (collection: Collection): Collection => ({
    ...(collection.filters !== undefined && { filters: collection.filters }),
    find: async (query) => {
      check(query);
      return collection.find(query);
    },
    count: async (where, filter) => {
      check(where, filter);
      return collection.count(where, filter);
    },
    insert: async (rows) => {
      check(rows);
      return collection.insert(rows);
    },
    update: async (where, change) => {
      check(where, change);
      return collection.update(where, change);
    },
    delete: async (where) => {
      check(where);
      return collection.delete(where);
    },
  });
  return { ...inner, collections: eachCollection(inner, picky) };
}

/** The same collections, each seen through `change`. */
function eachCollection({ collections }: DataAdapter, change: (collection: Collection) => Collection): Collections {
  const all: [string, Collection][] = Object.entries(collections as unknown as { readonly [name: string]: Collection });
  // Each entry keeps its name, and with it the type of its rows.
  return Object.fromEntries(all.map(([name, each]) => [name, change(each)])) as unknown as Collections;
}
