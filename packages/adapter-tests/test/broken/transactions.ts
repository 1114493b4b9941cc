import {
  defineAdapter,
  type AnyRow,
  type Collection,
  type CollectionDescription,
  type Collections,
  type DataAdapter,
} from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { untyped } from "../../src/subject.ts";
import { memoryTransaction, type Broken } from "./broken.ts";

const collectionsOf =
  (collections: Collections) =>
  (description: CollectionDescription): Collection =>
    untyped(collections, description.name);

function withoutRollback(): DataAdapter {
  const make = collectionsOf(createMemoryAdapter().collections);
  return defineAdapter(make, { transaction: (run) => run(make) });
}

/**
 * Behaves like PostgreSQL after a failed statement: all later statements fail, too, and the commit becomes a rollback.
 */
function poisoned(by: "insert" | "update"): DataAdapter {
  const memory = createMemoryAdapter();
  return defineAdapter(collectionsOf(memory.collections), {
    transaction: (run) =>
      memoryTransaction(memory)((tx) => {
        let aborted = false;
        const guard = async <T>(call: () => Promise<T>, isAborting: (answer: T) => boolean = () => false): Promise<T> => {
          if (aborted) throw new Error("current transaction is aborted");
          const answer = await call();
          aborted = isAborting(answer);
          return answer;
        };
        return run((description) => {
          const inner = untyped(tx, description.name);
          return {
            filters: true,
            insert: (rows) =>
              guard(
                () => inner.insert(rows),
                (inserted) => by === "insert" && !inserted,
              ),
            find: (query) => guard(() => inner.find(query)),
            count: (where, filter) => guard(() => inner.count(where, filter)),
            update: (where, change) =>
              guard(() => inner.update(where, change)).catch((error: unknown) => {
                aborted ||= by === "update";
                throw error;
              }),
            delete: (where) => guard(() => inner.delete(where)),
          };
        });
      }),
  });
}

/** Rolls back the rows, but not their entries in a separate index. */
function indexedBeside(): DataAdapter {
  const memory = createMemoryAdapter();
  const taken = new Set<string>();
  const places = ({ name, key }: CollectionDescription, rows: readonly AnyRow[]): string[] =>
    rows.map((row) => JSON.stringify([name, row["tenant_id"], key.map((field) => row[field])]));
  return defineAdapter(
    (description) => {
      const inner = untyped(memory.collections, description.name);
      return { ...inner, insert: async (rows) => !places(description, rows).some((place) => taken.has(place)) && inner.insert(rows) };
    },
    {
      transaction: async (run) => {
        const added: string[] = [];
        const inTransaction = memoryTransaction(memory)((tx) =>
          run((description) => {
            const inner = untyped(tx, description.name);
            return { ...inner, insert: (rows) => (added.push(...places(description, rows)), inner.insert(rows)) };
          }),
        );
        return inTransaction.catch((error: unknown) => {
          for (const place of added) taken.add(place);
          throw error;
        });
      },
    },
  );
}

export const brokenTransactions: readonly Broken[] = [
  {
    defect: "a transaction that does not roll back",
    fails: ["transaction: rolls back when its function rejects"],
    adapter: withoutRollback,
  },
  {
    defect: "a rollback that does not free keys",
    fails: ["transaction: rolls back when its function rejects"],
    adapter: indexedBeside,
  },
  {
    defect: "a transaction that fails after a conflict of an insert",
    fails: ["transaction: continues after a conflict of an insert"],
    adapter: () => poisoned("insert"),
  },
  {
    defect: "a transaction that fails after a conflict of an update",
    fails: ["transaction: continues after a conflict of an update"],
    adapter: () => poisoned("update"),
  },
];
