import { defineAdapter, type CollectionDescription, type DataAdapter } from "@postern/core/adapter";
import { memoryCollection, type CollectionAccess } from "./memory-collection.ts";
import { Table } from "./table.ts";

/** Options of {@link createMemoryAdapter}. */
export interface MemoryOptions {
  /**
   * For tests: reject every query that no declared index supports, because such a query would be slow on a real
   * database. Default: false.
   */
  readonly strict?: boolean;
}

/**
 * Creates an adapter that stores all data in this process, in plain Maps. Use it for tests and demos, or as an example
 * when you write an adapter. The data is lost when the process ends.
 *
 * A transaction has exclusive access. Calls from outside wait until the transaction has ended, as they would with a
 * pool of one connection.
 *
 * @example
 * const postern = createPostern({ data: createMemoryAdapter(), ...rest });
 */
export function createMemoryAdapter(options: MemoryOptions = {}): DataAdapter {
  const strict = options.strict ?? false;
  const tables = new Map<string, Table>();
  /** Resolves when the current transaction has ended. */
  let transaction: Promise<void> | undefined;

  const tableOf = (description: CollectionDescription): Table => {
    const table = tables.get(description.name) ?? new Table(description);
    tables.set(description.name, table);
    return table;
  };

  const outside: CollectionAccess = {
    async run(work) {
      while (transaction !== undefined) await transaction;
      return work();
    },
    onWrite() {},
  };

  const transact = async <T>(run: (inside: CollectionAccess) => Promise<T>): Promise<T> => {
    while (transaction !== undefined) await transaction;
    let end = (): void => {};
    transaction = new Promise((resolve) => (end = resolve));
    const undo: (() => void)[] = [];
    try {
      return await run({ run: async (work) => work(), onWrite: (revert) => undo.push(revert) });
    } catch (error) {
      for (const revert of undo.reverse()) revert();
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
