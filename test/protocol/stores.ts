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
  const all: [string, Collection][] = Object.entries(inner.collections as unknown as { readonly [name: string]: Collection });
  // Each entry keeps its name, and with it the type of its rows.
  const collections = Object.fromEntries(all.map(([name, each]) => [name, recorded(each)])) as unknown as Collections;
  return { data: { ...inner, collections }, written: () => notes.join("\n") };
}
