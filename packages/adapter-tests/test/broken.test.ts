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

// The suite is worth what it catches: each of these adapters is wrong in one way, as a real one was.
describe("each broken adapter fails the cases that name its defect, and no other", () => {
  for (const { defect, fails, adapter } of broken) {
    test(defect, async () => {
      // One adapter for all cases, as a host's database is.
      const wrong = adapter();
      const { results, ok } = await runAdapterCases({ open: () => wrong });
      const failed = results.filter(({ outcome }) => outcome === "failed");
      expect(
        failed.map(({ name }) => name),
        failed.map(({ reason }) => reason).join("\n"),
      ).toEqual(fails);
      expect(ok).toBe(false);
      for (const { reason } of results.filter(({ outcome }) => outcome === "unjudged")) {
        expect(
          fails.some((name) => reason.includes(`'${name}'`)),
          reason,
        ).toBe(true);
      }
    });
  }
});

// Many cases ask with the same operators, so that more than one may fail.
describe("a condition that one method misreads fails the cases that name it, and none that is not about conditions", () => {
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

describe("what the basics stand for: the case that names the defect fails, whatever else does", () => {
  for (const { defect, fails, adapter } of brokenBasics) {
    test(defect, async () => {
      const wrong = adapter();
      const cases = createAdapterCases({ open: () => wrong, timeout: 500 }).filter(({ name }) => fails.includes(name));
      expect(cases).toHaveLength(fails.length);
      for (const { run } of cases) await expect(run()).rejects.toThrow();
    });
  }
});

test("no case passes whatever the adapter does", () => {
  const failed = new Set([...broken, ...brokenConditions, ...brokenBasics].flatMap(({ fails }) => fails).map(withoutCollection));
  const never = createAdapterCases({ open: createMemoryAdapter })
    .map(({ name }) => withoutCollection(name))
    .filter((name) => !failed.has(name));
  // Proven in adapter-cases.test.ts, for it needs an adapter of its own.
  expect(new Set(never)).toEqual(new Set(["close: calls after it reject"]));
});

/** The cases of single collections are the same for each. */
const withoutCollection = (name: string): string => name.replace(/^[a-z_]+(?=: (keeps a full|has its|answers in))/, "each");
