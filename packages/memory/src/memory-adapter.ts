import { defineAdapter, type CollectionDescription, type DataAdapter } from "@postern/core/adapter";
import { memoryCollection, type Access } from "./memory-collection.ts";
import { Table } from "./table.ts";

/** What {@link createMemoryAdapter} can be told. */
export interface MemoryOptions {
  /** For tests: refuse every question that no declared index answers, so that it never becomes a slow query on a real database. */
  readonly strict?: boolean;
}

/**
 * Keeps all data in this process, in plain Maps: for tests and demos, and to read before writing an adapter of your own.
 * Everything is gone when the process ends.
 *
 * A transaction has the data to itself: calls from outside wait until it has ended, as they do on a pool of one connection.
 *
 * @example
 * const postern = createPostern({ data: createMemoryAdapter(), ...rest });
 */
export function createMemoryAdapter(options: MemoryOptions = {}): DataAdapter {
  const strict = options.strict ?? false;
  const tables = new Map<string, Table>();
  /** Resolves when the transaction that runs now has ended. */
  let transaction: Promise<void> | undefined;

  const tableOf = (description: CollectionDescription): Table => {
    const table = tables.get(description.name) ?? new Table(description);
    tables.set(description.name, table);
    return table;
  };

  const outside: Access = {
    async run(work) {
      while (transaction !== undefined) await transaction;
      return work();
    },
    wrote() {},
  };

  const transact = async <T>(run: (inside: Access) => Promise<T>): Promise<T> => {
    while (transaction !== undefined) await transaction;
    let end = (): void => {};
    transaction = new Promise((resolve) => (end = resolve));
    const undo: (() => void)[] = [];
    try {
      return await run({ run: async (work) => work(), wrote: (takeBack) => undo.push(takeBack) });
    } catch (error) {
      for (const takeBack of undo.reverse()) takeBack();
      throw error;
    } finally {
      transaction = undefined;
      end();
    }
  };

  return defineAdapter((description) => memoryCollection(description, tableOf(description), outside, strict), {
    transaction: (run) => transact((inside) => run((description) => memoryCollection(description, tableOf(description), inside, strict))),
    isSynchronous: true,
  });
}
