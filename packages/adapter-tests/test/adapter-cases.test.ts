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

test("on the whole schema every case has a collection to run on", async () => {
  const { results } = await runAdapterCases({ open });
  expect(results.filter(({ outcome }) => outcome !== "passed").map(({ name, reason }) => [name, reason])).toEqual([
    ["close: calls after it reject", "the host gave no openToClose"],
    ["check: finds nothing missing", "the adapter has no check"],
  ]);
});

test("the cases can run all at once on one adapter", async () => {
  const adapter = createMemoryAdapter();
  await Promise.all(createAdapterCases({ open: () => adapter }).map(({ run }) => run()));
});

test("one plugged collection runs what can be asked of it", async () => {
  const adapter = createMemoryAdapter();
  const { ok, results } = await runAdapterCases({ open: () => adapter, collections: ["logs"] });
  expect(ok).toBe(true);
  const names = results.map(({ name }) => name);
  expect(names).toContain("logs: has its keys");
  expect(names).toContain("cursor: compares all fields of the order");
  expect(names).not.toContain("users: has its keys");
  expect(names).not.toContain("insert: null in a unique key conflicts with nothing");
});

test("one collection of its own beside another adapter's, as the guide shows it", async () => {
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

test("a skip needs a reason and a case that exists", () => {
  const name = "race: 32 additions all count";
  expect(() => createAdapterCases({ open, skip: [{ reason: "because", cases: ["no such case"] }] })).toThrow(
    "there is no case 'no such case'",
  );
  expect(() => createAdapterCases({ open, skip: [{ reason: " ", cases: [name] }] })).toThrow("a skip needs a reason");
  expect(createAdapterCases({ open, skip: [{ reason: "because", cases: [name] }] }).find((one) => one.name === name)?.skip).toBe("because");
});

test("a skipped case tells any runner so", async () => {
  const name = "race: 32 additions all count";
  const skipped = createAdapterCases({ open, skip: [{ reason: "because", cases: [name] }] }).find((one) => one.name === name);
  const reasons: unknown[] = [];
  const runner = { skip: (reason?: string) => reasons.push(reason) };
  await skipped?.run(runner); // vitest and node:test
  await skipped?.run.call(runner); // mocha, which calls a function with parameters only if it declares some
  expect(skipped?.run.length).toBe(0);
  expect(reasons).toEqual(["because", "because"]);
});

test("an adapter without filters and transactions is asked neither", async () => {
  const memory = createMemoryAdapter();
  const plain = defineAdapter((description) => {
    const { filters: _, ...inner } = untyped(memory.collections, description.name);
    return inner;
  });
  const { ok, results } = await runAdapterCases({ open: () => plain });
  expect(ok).toBe(true);
  const skipped = results.filter(({ outcome }) => outcome === "skipped").map(({ reason }) => reason);
  expect(new Set(skipped)).toContain("users does not say filters: true");
  expect(new Set(skipped)).toContain("the adapter has no transactions");
});

test("an optional collection may be left out", async () => {
  const { tenant_operations: _, ...rest } = createMemoryAdapter().collections;
  const adapter = { collections: rest } as DataAdapter;
  const { ok, results } = await runAdapterCases({ open: () => adapter });
  expect(ok).toBe(true);
  expect(results.find(({ name }) => name === "tenant_operations: has its keys")?.outcome).toBe("skipped");
});

test("a call that hangs is a failure that says so", async () => {
  const never = (): Promise<never> => new Promise(() => {});
  const hanging: Collection = { insert: never, find: never, count: never, update: never, delete: never };
  const adapter = defineAdapter(() => hanging);
  const { results } = await runAdapterCases({ open: () => adapter, collections: ["used_assertions"], timeout: 20 });
  expect(results.find(({ name }) => name === "used_assertions: has its keys")).toMatchObject({
    outcome: "failed",
    reason: expect.stringContaining("no end within 20 ms: a call hangs"),
  });
});

test("an adapter that hangs after close, or answers, is told so", async () => {
  const name = "close: calls after it reject";
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

test("the report says what was expected, what came, and why it matters", async () => {
  const memory = createMemoryAdapter();
  const wrong = defineAdapter((description) => ({ ...untyped(memory.collections, description.name), count: async () => 7 }));
  const { ok, text } = await runAdapterCases({ open: () => wrong, collections: ["used_assertions"] });
  expect(ok).toBe(false);
  expect(text).toContain("FAILED");
  expect(text).toContain("rows with one jti_hash\n                     expected 1, got 7");
  expect(text).toContain("why it matters: A unique key that the store does not know");
  expect(text).toMatch(/\d+ passed, 1 failed, 0 unjudged, 0 skipped$/);
});
