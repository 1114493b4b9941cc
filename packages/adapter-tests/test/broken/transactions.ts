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
import { transactionOf, type Broken } from "./broken.ts";

const collectionsOf =
  (collections: Collections) =>
  (description: CollectionDescription): Collection =>
    untyped(collections, description.name);

function withoutRollback(): DataAdapter {
  const make = collectionsOf(createMemoryAdapter().collections);
  return defineAdapter(make, { transaction: (run) => run(make) });
}

/** As PostgreSQL does it to a statement that fails: all later ones fail as well, and the end is a rollback. */
function poisoned(by: "insert" | "update"): DataAdapter {
  const memory = createMemoryAdapter();
  return defineAdapter(collectionsOf(memory.collections), {
    transaction: (run) =>
      transactionOf(memory)((tx) => {
        let aborted = false;
        const guard = async <T>(call: () => Promise<T>, poisons: (answer: T) => boolean = () => false): Promise<T> => {
          if (aborted) throw new Error("current transaction is aborted");
          const answer = await call();
          aborted = poisons(answer);
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

/** Takes the rows back, and not their places in an index of its own. */
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
        const inTransaction = transactionOf(memory)((tx) =>
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
    defect: "a rollback that leaves keys taken",
    fails: ["transaction: rolls back when its function rejects"],
    adapter: indexedBeside,
  },
  {
    defect: "a transaction that an insert's conflict poisons",
    fails: ["transaction: an insert's conflict inside does not poison it"],
    adapter: () => poisoned("insert"),
  },
  {
    defect: "a transaction that an update's conflict poisons",
    fails: ["transaction: an update's conflict inside does not poison it"],
    adapter: () => poisoned("update"),
  },
];
