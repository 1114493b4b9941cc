import { expect, test } from "vitest";
import { StatementCache } from "./bounded-map.ts";

test("evicts the entry that was not used for the longest time", () => {
  const map = new StatementCache<string, number>(4);
  for (const [i, key] of ["a", "b", "c"].entries()) map.set(key, i);
  expect(map.get("a")).toBe(0);
  map.set("d", 3);
  expect(map.get("b")).toBeUndefined();
  expect([map.get("a"), map.get("d")]).toEqual([0, 3]);
});

test("a new value replaces the previous value of the same key in either generation", () => {
  const map = new StatementCache<string, number>(4);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  expect(map.get("a")).toBe(3);
  expect(map.size).toBe(2);
});

test("never exceeds its limit, and keeps entries that are used repeatedly", () => {
  const map = new StatementCache<number, number>(500);
  map.set(-1, -1);
  for (let i = 0; i < 5000; i++) {
    map.set(i, i);
    expect(map.get(-1)).toBe(-1);
    expect(map.size).toBeLessThanOrEqual(500);
  }
  for (let i = 4999; i > 4999 - 249; i--) expect(map.get(i)).toBe(i);
});
