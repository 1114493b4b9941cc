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

// These tests prove that the suite finds defects: each adapter has one defect that real adapters had.
describe("each broken adapter fails the cases for its defect, and no others", () => {
  for (const { defect, fails, adapter } of broken) {
    test(defect, async () => {
      // One adapter for all cases, like the database of a host.
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

// Many cases use the same operators, so that several may fail.
describe("a condition that one method misinterprets fails the cases for it, and no cases about other subjects", () => {
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

describe("a basic defect fails at least the case for it", () => {
  for (const { defect, fails, adapter } of brokenBasics) {
    test(defect, async () => {
      const wrong = adapter();
      const cases = createAdapterCases({ open: () => wrong, timeout: 500 }).filter(({ name }) => fails.includes(name));
      expect(cases).toHaveLength(fails.length);
      for (const { run } of cases) await expect(run()).rejects.toThrow();
    });
  }
});

test("every case can fail", () => {
  const failed = new Set([...broken, ...brokenConditions, ...brokenBasics].flatMap(({ fails }) => fails).map(withoutCollection));
  const never = createAdapterCases({ open: createMemoryAdapter })
    .map(({ name }) => withoutCollection(name))
    .filter((name) => !failed.has(name));
  // Tested in adapter-cases.test.ts, because it needs a separate adapter.
  expect(new Set(never)).toEqual(new Set(["close: later calls reject"]));
});

/** The cases of single collections are identical for each collection. */
const withoutCollection = (name: string): string => name.replace(/^[a-z_]+(?=: (stores a full|enforces its|supports its))/, "each");
