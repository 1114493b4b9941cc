import { createMemoryAdapter } from "@postern/memory";
import { describe, expect, test } from "vitest";
import { createAdapterCases, runAdapterCases } from "../src/index.ts";
import { brokenBasics } from "./broken/basics.ts";
import { brokenChanges } from "./broken/changes.ts";
import { brokenConditions } from "./broken/conditions.ts";
import { brokenFilters } from "./broken/filters.ts";
import { brokenReads } from "./broken/reads.ts";
import { brokenTransactions } from "./broken/transactions.ts";
import { brokenWrites } from "./broken/writes.ts";

const broken = [...brokenWrites, ...brokenReads, ...brokenFilters, ...brokenTransactions, ...brokenChanges];

// These tests prove that the suite finds defects. Each adapter here has one defect that real adapters have had.
describe("an adapter with one defect fails exactly the cases for that defect", () => {
  for (const { defect, fails, adapter } of broken) {
    test(defect, async () => {
      // One adapter serves all cases, like the database of a host.
      const wrong = adapter();
      const { results, ok } = await runAdapterCases({ open: () => wrong });
      const failed = results.filter(({ outcome }) => outcome === "failed");
      expect(
        failed.map(({ name }) => name),
        failed.map(({ reason }) => reason).join("\n"),
      ).toEqual(fails);
      expect(ok).toBe(false);
      for (const { reason } of results.filter(({ outcome }) => outcome === "inconclusive")) {
        expect(
          fails.some((name) => reason.includes(`'${name}'`)),
          reason,
        ).toBe(true);
      }
    });
  }
});

// Many cases use the same operators, so several cases may fail because of one defect.
describe("an adapter with one misinterpreted condition fails the cases for it, and no cases about other subjects", () => {
  for (const { defect, fails, adapter } of brokenConditions) {
    test(defect, async () => {
      const wrong = adapter();
      const { results } = await runAdapterCases({ open: () => wrong });
      const failed = results.filter(({ outcome }) => outcome === "failed").map(({ name }) => name);
      expect(failed).toEqual(expect.arrayContaining([...fails]));
      expect(failed.filter((name) => !/^(where|text): /.test(name))).toEqual([]);
    });
  }
});

describe("an adapter with a basic defect fails at least the case for that defect", () => {
  for (const { defect, fails, adapter } of brokenBasics) {
    test(defect, async () => {
      const wrong = adapter();
      const cases = createAdapterCases({ open: () => wrong, timeout: 500 }).filter(({ name }) => fails.includes(name));
      expect(cases).toHaveLength(fails.length);
      for (const { run } of cases) await expect(run()).rejects.toThrow();
    });
  }
});

test("every case is failed by at least one broken adapter", () => {
  const failed = new Set([...broken, ...brokenConditions, ...brokenBasics].flatMap(({ fails }) => fails).map(withoutCollection));
  const never = createAdapterCases({ open: createMemoryAdapter })
    .map(({ name }) => withoutCollection(name))
    .filter((name) => !failed.has(name));
  // adapter-cases.test.ts tests this case, because the case needs a separate adapter.
  expect(new Set(never)).toEqual(new Set(["close: later calls reject"]));
});

/**
 * Removes the collection from the name of a case. The cases for single collections are identical for each collection.
 */
const withoutCollection = (name: string): string => name.replace(/^[a-z_]+(?=: (stores a full|enforces its|supports its))/, "each");
