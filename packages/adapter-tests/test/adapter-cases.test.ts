import { defineAdapter, type Collection, type DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { createAdapterCases, runAdapterCases } from "../src/index.ts";
import { untyped } from "../src/subject.ts";

const open = createMemoryAdapter;

test("case names are unique, and each case says why it matters", () => {
  const cases = createAdapterCases({ open });
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  expect(cases.filter(({ why }) => why === "")).toEqual([]);
});

test("every case finds a collection to run on if all collections are under test", async () => {
  const { results } = await runAdapterCases({ open });
  expect(results.filter(({ outcome }) => outcome !== "passed").map(({ name, reason }) => [name, reason])).toEqual([
    ["close: later calls reject", "the option openToClose is not set"],
    ["check: passes on a migrated database", "the adapter has no check"],
  ]);
});

test("all cases can run concurrently on one adapter", async () => {
  const adapter = createMemoryAdapter();
  await Promise.all(createAdapterCases({ open: () => adapter }).map(({ run }) => run()));
});

test("only the cases that apply run if a single collection is under test", async () => {
  const adapter = createMemoryAdapter();
  const { ok, results } = await runAdapterCases({ open: () => adapter, collections: ["invitations"] });
  expect(ok).toBe(true);
  const names = results.map(({ name }) => name);
  expect(names).toContain("invitations: enforces its keys");
  expect(names).toContain("cursor: compares all fields of the order");
  expect(names).not.toContain("users: enforces its keys");
  expect(names).not.toContain("insert: null in a unique key conflicts with nothing");
});

test("tests an adapter that replaces one collection of another adapter, as in the guide", async () => {
  const base = createMemoryAdapter();
  const own = createMemoryAdapter();
  const { logs } = defineAdapter((description) => untyped(own.collections, description.name)).collections;
  const { transaction } = base;
  const data: DataAdapter = {
    ...base,
    collections: { ...base.collections, logs },
    ...(transaction && { transaction: (run) => transaction((tx) => run({ ...tx, logs })) }),
  };
  const { results } = await runAdapterCases({ open: () => data, collections: ["logs"] });
  expect(results.filter(({ outcome }) => outcome === "failed").map(({ name }) => name)).toEqual([
    "transaction: rolls back when its function rejects",
  ]);
});

test("rejects an entry in 'skip' without a reason or with an unknown case", () => {
  const name = "race: all of 32 additions count";
  expect(() => createAdapterCases({ open, skip: [{ reason: "because", cases: ["no such case"] }] })).toThrow(
    "the case 'no such case' in 'skip' does not exist",
  );
  expect(() => createAdapterCases({ open, skip: [{ reason: " ", cases: [name] }] })).toThrow("'skip' requires a reason");
  expect(createAdapterCases({ open, skip: [{ reason: "because", cases: [name] }] }).find((one) => one.name === name)?.skip).toBe("because");
});

test("a skipped case calls the skip function of any runner", async () => {
  const name = "race: all of 32 additions count";
  const skipped = createAdapterCases({ open, skip: [{ reason: "because", cases: [name] }] }).find((one) => one.name === name);
  const reasons: unknown[] = [];
  const runner = { skip: (reason?: string) => reasons.push(reason) };
  await skipped?.run(runner); // vitest and node:test
  await skipped?.run.call(runner); // mocha, which calls a function with parameters only if it declares some
  expect(skipped?.run.length).toBe(0);
  expect(reasons).toEqual(["because", "because"]);
});

test("skips filters and transactions if the adapter has none", async () => {
  const memory = createMemoryAdapter();
  const plain = defineAdapter((description) => {
    const { filters: _, ...inner } = untyped(memory.collections, description.name);
    return inner;
  });
  const { ok, results } = await runAdapterCases({ open: () => plain });
  expect(ok).toBe(true);
  const skipped = results.filter(({ outcome }) => outcome === "skipped").map(({ reason }) => reason);
  expect(new Set(skipped)).toContain("users does not set filters: true");
  expect(new Set(skipped)).toContain("the adapter has no transactions");
});

test("accepts an adapter without an optional collection", async () => {
  const { tenant_operations: _, ...rest } = createMemoryAdapter().collections;
  const adapter = { collections: rest } as DataAdapter;
  const { ok, results } = await runAdapterCases({ open: () => adapter });
  expect(ok).toBe(true);
  expect(results.find(({ name }) => name === "tenant_operations: enforces its keys")?.outcome).toBe("skipped");
});

test("reports a case as failed if a call never settles", async () => {
  const never = (): Promise<never> => new Promise(() => {});
  const hanging: Collection = { insert: never, find: never, count: never, update: never, delete: never };
  const adapter = defineAdapter(() => hanging);
  const { results } = await runAdapterCases({ open: () => adapter, collections: ["used_assertions"], timeout: 20 });
  expect(results.find(({ name }) => name === "used_assertions: enforces its keys")).toMatchObject({
    outcome: "failed",
    reason: expect.stringContaining("timeout after 20 ms: a call does not settle"),
  });
});

test("fails an adapter whose calls hang or succeed after close", async () => {
  const name = "close: later calls reject";
  const result = async (adapter: DataAdapter) =>
    (await runAdapterCases({ open, openToClose: () => adapter, timeout: 500 })).results.find((one) => one.name === name);

  expect(await result({ ...createMemoryAdapter(), close: async () => {} })).toMatchObject({ outcome: "failed" });

  let closed = false;
  const answer = async (): Promise<never[]> => {
    if (closed) throw new Error("closed");
    return [];
  };
  const closing = defineAdapter(
    () => ({
      insert: async () => (await answer()).length === 0,
      find: answer,
      count: async () => (await answer()).length,
      update: async () => (await answer()).length,
      delete: async () => (await answer()).length,
    }),
    { close: async () => void (closed = true) },
  );
  expect(await result(closing)).toMatchObject({ outcome: "passed" });
});

test("the report of a failed case contains the expected result, the actual result and why it matters", async () => {
  const memory = createMemoryAdapter();
  const wrong = defineAdapter((description) => ({ ...untyped(memory.collections, description.name), count: async () => 7 }));
  const { ok, text } = await runAdapterCases({ open: () => wrong, collections: ["used_assertions"] });
  expect(ok).toBe(false);
  expect(text).toContain("FAILED");
  expect(text).toContain("rows with one jti_hash\n                     expected 1, got 7");
  expect(text).toContain("why it matters: Without a unique key, two accounts can have the same email address");
  expect(text).toMatch(/\d+ passed, 1 failed, 0 inconclusive, 0 skipped$/);
});
