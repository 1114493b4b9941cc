import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

test("forgets what was used longest ago", () => {
  const map = new BoundedMap<string, number>(3);
  for (const [i, key] of ["a", "b", "c"].entries()) map.set(key, i);
  expect(map.get("a")).toBe(0);
  map.set("d", 3);
  expect(map.size).toBe(3);
  expect(map.get("b")).toBeUndefined();
  expect([map.get("a"), map.get("c"), map.get("d")]).toEqual([0, 2, 3]);
});

test("stays within its limit", () => {
  const map = new BoundedMap<number, number>(500);
  for (let i = 0; i < 5000; i++) {
    map.set(i, i);
    map.get(i - 100);
  }
  expect(map.size).toBe(500);
});
