import type { Collections, DataAdapter } from "@postern/core";

/** A database that stops responding when a test says so. */
export interface HangingDatabase {
  readonly adapter: DataAdapter;
  /** Lets the calls that `matches` accepts hang from now on. Default: all. */
  hang(matches?: (collection: string, method: string) => boolean): void;
  /** Lets new calls through again. Calls that hang stay without a response. */
  recover(): void;
  /** Performs the calls that hang, which respond late. */
  respond(): Promise<void>;
  /** Calls that hang now, as `collection.method`. */
  readonly hanging: () => readonly string[];
  /** Calls that reached the database, as `collection.method`. */
  readonly calls: string[];
}

/** Puts a database in front of `inner` that a test can let hang. */
export function hangingDatabase(inner: DataAdapter): HangingDatabase {
  let hangs: (collection: string, method: string) => boolean = () => false;
  let hanging: { readonly name: string; readonly perform: () => Promise<void> }[] = [];
  const calls: string[] = [];

  const through =
    (collection: string) =>
    <T>(method: string, question: () => Promise<T>): Promise<T> => {
      const name = `${collection}.${method}`;
      calls.push(name);
      if (!hangs(collection, method)) return question();
      return new Promise<T>((resolve, reject) => {
        hanging.push({ name, perform: () => question().then(resolve, reject) });
      });
    };

  return {
    adapter: { collections: named(inner.collections, through), ...(inner.check && { check: () => through("schema")("check", async () => inner.check?.()) }) },
    hang: (matches = () => true) => void (hangs = matches),
    recover: () => void (hangs = () => false),
    async respond() {
      const late = hanging;
      hanging = [];
      for (const { perform } of late) await perform();
    },
    hanging: () => hanging.map(({ name }) => name),
    calls,
  };
}

type Through = (collection: string) => <T>(method: string, question: () => Promise<T>) => Promise<T>;

function named(collections: Collections, through: Through): Collections {
  const all: { [name: string]: unknown } = {};
  for (const [name, collection] of Object.entries(collections)) {
    const ask = through(name);
    all[name] = {
      ...collection,
      insert: (rows: never) => ask("insert", () => collection.insert(rows)),
      find: (query: never) => ask("find", () => collection.find(query)),
      count: (where: never, filter: never) => ask("count", () => collection.count(where, filter)),
      update: (where: never, change: never) => ask("update", () => collection.update(where, change)),
      delete: (where: never) => ask("delete", () => collection.delete(where)),
    };
  }
  return all as unknown as Collections;
}

/** Lets everything go on that does not wait for a timer, until `isDone`. @throws if that does not come about. */
export async function until(isDone: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 20_000; turn++) {
    if (isDone()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`did not come about: ${what}`);
}
