import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { createManualClock } from "../../adapters/clock.ts";
import { systemWait } from "../../adapters/wait.ts";
import { UnavailableError } from "../../store/conflicts.ts";
import type { AnyRow, Collection } from "../../store/contract.ts";
import { groupInserts } from "./group-inserts.ts";

const host = { clock: createManualClock(0), wait: systemWait, telemetry: undefined };
const row = (id: string) => ({ id });
const never = new Promise<never>(() => {});

/** Creates a collection with only the method `insert`, which receives the ids of the rows. */
function collectionWith(insert: (ids: readonly unknown[]) => Promise<boolean>): Collection {
  const unused = async (): Promise<never> => {
    throw new Error("rows are only inserted");
  };
  return {
    insert: (rows: readonly AnyRow[]) => insert(rows.map(({ id }) => id)),
    find: unused,
    count: unused,
    update: unused,
    delete: unused,
  };
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

test("rows of one turn of the event loop share an insert, and each call resolves after the insert", async () => {
  const inserts: unknown[] = [];
  let stored = 0;
  const rows = groupInserts(
    collectionWith(async (ids) => {
      inserts.push(ids);
      await pause();
      stored += ids.length;
      return true;
    }),
    host,
    "logs",
  );
  const seen = await Promise.all(["1", "2", "3", "4"].map((id) => rows.insert([row(id)]).then(() => stored)));
  expect(inserts).toEqual([["1", "2", "3", "4"]]);
  expect(seen).toEqual([4, 4, 4, 4]);
});

test("the call with the first row inserts the group, and rows that arrive during an insert share the next one", async () => {
  const caller = new AsyncLocalStorage<string>();
  const inserts: unknown[] = [];
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
  const rows = groupInserts(
    collectionWith(async (ids) => {
      begin();
      inserts.push([caller.getStore(), ids]);
      await pause();
      return true;
    }),
    host,
    "logs",
  );
  const insert = (id: string): Promise<boolean> => caller.run(id, () => rows.insert([row(id)]));
  const first = insert("1");
  await hasBegun;
  await Promise.all([first, ...["2", "3", "4"].map(insert)]);
  expect(inserts).toEqual([
    ["1", ["1"]],
    ["2", ["2", "3", "4"]],
  ]);
});

test("a key that is in use is a conflict for its own row only", async () => {
  const stored = new Set<unknown>(["2"]);
  const rows = groupInserts(
    collectionWith(async (ids) => {
      if (new Set(ids).size < ids.length || ids.some((id) => stored.has(id))) return false;
      for (const id of ids) stored.add(id);
      return true;
    }),
    host,
    "logs",
  );
  expect(await Promise.all(["1", "2", "3", "3"].map((id) => rows.insert([row(id)])))).toEqual([true, false, true, false]);
  expect(stored.size).toBe(3);
});

test("a row that the database rejects fails alone", async () => {
  const rows = groupInserts(
    collectionWith(async (ids) => {
      if (ids.includes("2")) throw new Error("value too long");
      return true;
    }),
    host,
    "logs",
  );
  const results = await Promise.allSettled(["1", "2", "3", "4"].map((id) => rows.insert([row(id)])));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
});

test("an unavailable database fails all rows of an insert, and the next insert is tried", async () => {
  const inserts: unknown[] = [];
  const rows = groupInserts(
    collectionWith(async (ids) => {
      inserts.push(ids);
      if (inserts.length === 1) throw new UnavailableError("the connection was lost");
      return true;
    }),
    host,
    "logs",
  );
  const results = await Promise.allSettled(["1", "2"].map((id) => rows.insert([row(id)])));
  expect(results).toMatchObject([
    { status: "rejected", reason: { name: "UnavailableError" } },
    { status: "rejected", reason: { name: "UnavailableError" } },
  ]);
  expect(await rows.insert([row("3")])).toBe(true);
  expect(inserts).toEqual([["1", "2"], ["3"]]);
});

test("an insert that does not end delays no other rows for long", async () => {
  const rows = groupInserts(
    collectionWith((ids) => (ids.includes("1") ? never : Promise.resolve(true))),
    host,
    "logs",
  );
  const hanging = rows.insert([row("1")]);
  await pause();
  expect(await Promise.race([hanging, rows.insert([row("2")])])).toBe(true);
  expect(await rows.insert([row("3")])).toBe(true);
});

test("a group whose request was cancelled before the insert is not joined for more than a second", async () => {
  const clock = createManualClock(0);
  const waits = [never, Promise.resolve()];
  const rows = groupInserts(
    collectionWith((ids) => (ids.includes("1") ? never : Promise.resolve(true))),
    { clock, wait: async () => waits.shift(), telemetry: undefined },
    "logs",
  );
  void rows.insert([row("1")]);
  await pause();
  // Waits for the end of the first insert, as a request that was cancelled.
  void rows.insert([row("2")]);
  clock.advance(1001);
  expect(await rows.insert([row("3")])).toBe(true);
});

test("a group has at most 64 rows", async () => {
  const sizes: number[] = [];
  const rows = groupInserts(
    collectionWith(async (ids) => {
      sizes.push(ids.length);
      return true;
    }),
    host,
    "logs",
  );
  expect(new Set(await Promise.all(Array.from({ length: 150 }, (_, id) => rows.insert([row(String(id))]))))).toEqual(new Set([true]));
  expect(sizes).toEqual([64, 64, 22]);
});

test("an insert of several rows is not shared with other calls", async () => {
  const inserts: unknown[] = [];
  const rows = groupInserts(
    collectionWith(async (ids) => {
      inserts.push(ids);
      return true;
    }),
    host,
    "logs",
  );
  await Promise.all([rows.insert([row("1")]), rows.insert([row("2"), row("3")])]);
  expect(inserts).toEqual([["2", "3"], ["1"]]);
});
