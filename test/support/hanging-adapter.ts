import type { AnyRow, Collection, Collections, DataAdapter } from "@postern/core/adapter";
import { createManualClock, type ManualClock } from "@postern/core/testing";

/** A database that a test can stop from responding. */
export interface HangingDatabase {
  readonly adapter: DataAdapter;
  /** Lets the calls that `matches` accepts hang from now on. Default: all. */
  hang(matches?: (collection: string, method: string) => boolean): void;
  /** Lets new calls through again. Calls that already hang still get no response. */
  recover(): void;
  /** Performs the calls that hang, so that they return their results late. */
  respond(): Promise<void>;
  /** Calls that hang now, as `collection.method`. */
  readonly hanging: () => readonly string[];
  /** Calls that reached the database, as `collection.method`. */
  readonly calls: string[];
}

/** Wraps `inner` in a database that a test can let hang. */
export function hangingDatabase(inner: DataAdapter): HangingDatabase {
  let hangs: (collection: string, method: string) => boolean = () => false;
  let hanging: { readonly name: string; readonly perform: () => Promise<void> }[] = [];
  const calls: string[] = [];

  const through =
    (collection: string) =>
    <T>(method: string, operation: () => Promise<T>): Promise<T> => {
      const name = `${collection}.${method}`;
      calls.push(name);
      if (!hangs(collection, method)) return operation();
      return new Promise<T>((resolve, reject) => {
        hanging.push({ name, perform: () => operation().then(resolve, reject) });
      });
    };

  return {
    adapter: {
      collections: named(inner.collections, through),
      ...(inner.check && { check: () => through("schema")("check", async () => inner.check?.()) }),
    },
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
    const request = through(name);
    // The row types differ from collection to collection.
    const inner = collection as unknown as Collection<AnyRow>;
    all[name] = {
      ...(inner.filters !== undefined && { filters: inner.filters }),
      insert: (rows) => request("insert", () => inner.insert(rows)),
      find: (query) => request("find", () => inner.find(query)),
      count: (where, filter) => request("count", () => inner.count(where, filter)),
      update: (where, change) => request("update", () => inner.update(where, change)),
      delete: (where) => request("delete", () => inner.delete(where)),
    } satisfies Collection<AnyRow>;
  }
  return all as unknown as Collections;
}

/** A manual clock that can tell whether a timer is set. */
interface WatchedClock extends ManualClock {
  /**
   * Advances second by second until `work` is done, but only while a timer is set. @returns its result and the seconds.
   */
  secondsOf<T>(work: Promise<T>): Promise<{ readonly value: T; readonly seconds: number }>;
}

/** Creates a {@link WatchedClock}. */
export function watchedClock(): WatchedClock {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const timers = new Set<object>();
  return {
    ...clock,
    setTimer(milliseconds, run) {
      const timer = {};
      timers.add(timer);
      const cancel = clock.setTimer(milliseconds, () => {
        timers.delete(timer);
        run();
      });
      return () => {
        timers.delete(timer);
        cancel();
      };
    },
    async secondsOf(work) {
      let isDone = false;
      const done = (): void => void (isDone = true);
      work.then(done, done);
      for (let seconds = 0; seconds < 200; seconds++) {
        await until(() => isDone || timers.size > 0, "a result or a timer");
        // Lets code that does not wait for the timer run first. Signatures and encryption need time on another thread.
        for (let turn = 0; turn < 50 && !isDone; turn++) await nextTurn();
        if (!isDone) await new Promise((resolve) => setTimeout(resolve, 10));
        if (isDone) return { value: await work, seconds };
        if (timers.size > 0) clock.advance("1s");
      }
      throw new Error("no end within 200 seconds");
    },
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs the event loop until `isDone` returns true. @throws if `isDone` does not return true within many turns. */
export async function until(isDone: () => boolean, condition: string): Promise<void> {
  for (let turn = 0; turn < 1_000_000; turn++) {
    if (isDone()) return;
    await nextTurn();
  }
  throw new Error(`did not happen: ${condition}`);
}
