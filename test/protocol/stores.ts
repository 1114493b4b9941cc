import {
  defineAdapter,
  type AnyRow,
  type Collection,
  type CollectionDescription,
  type CollectionName,
  type Collections,
  type DataAdapter,
  type Match,
} from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";

/** The stores that need no server. Races differ on them: memory responds at once, SQLite asynchronously. */
export const stores: readonly { readonly name: string; readonly open: () => Promise<DataAdapter> }[] = [
  { name: "memory", open: async () => createMemoryAdapter({ strict: true }) },
  {
    name: "sqlite",
    open: async () => {
      const adapter = await openDatabase("sqlite::memory:");
      await adapter.migrate();
      return adapter;
    },
  },
];

/** An adapter that records everything that is written: what an attacker reads in a stolen database or an old backup. */
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

/**
 * An adapter whose store rejects what some database rejects: NUL and unpaired surrogates in queries and rows, as
 * PostgreSQL does, and a query for a text that is longer than its field.
 */
export function strictAdapter(inner: DataAdapter): DataAdapter {
  const check = (...result: readonly unknown[]): void => {
    if (/\\u0000|\\ud[89a-f]/.test(JSON.stringify(result)))
      throw new Error(`a text that a database cannot store: ${JSON.stringify(result).slice(0, 300)}`);
  };
  const checkWhere = ({ name, fields }: CollectionDescription, where: Match<AnyRow>): void => {
    check(where);
    for (const [field, condition] of Object.entries(where)) {
      const described = fields[field];
      if (described?.type !== "string" || typeof condition !== "string") continue;
      if (Array.from(condition).length > described.length) throw new Error(`the text is too long for ${name}.${field}`);
    }
  };
  // Uses `defineAdapter`, as every adapter does. Its checks run before a query reaches the store.
  const { collections } = defineAdapter((description) => {
    const collection = inner.collections[description.name as CollectionName] as unknown as Collection;
    return {
      ...(collection.filters !== undefined && { filters: collection.filters }),
      find: async (query) => {
        checkWhere(description, query.where);
        check(query.filter);
        return collection.find(query);
      },
      count: async (where, filter) => {
        checkWhere(description, where);
        check(filter);
        return collection.count(where, filter);
      },
      insert: async (rows) => {
        check(rows);
        return collection.insert(rows);
      },
      update: async (where, change) => {
        checkWhere(description, where);
        check(change);
        return collection.update(where, change);
      },
      delete: async (where) => {
        checkWhere(description, where);
        return collection.delete(where);
      },
    };
  });
  return { ...inner, collections };
}

/** Wraps each collection with `change`. */
function eachCollection({ collections }: DataAdapter, change: (collection: Collection) => Collection): Collections {
  const all: [string, Collection][] = Object.entries(collections as unknown as { readonly [name: string]: Collection });
  // Each entry keeps its name, and therefore the type of its rows.
  return Object.fromEntries(all.map(([name, each]) => [name, change(each)])) as unknown as Collections;
}
