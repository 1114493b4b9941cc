import { expect, test } from "vitest";
import { boundedMap } from "./bounded-map.ts";

test("a bounded map holds 10,000 entries, and gives up the one that was longest of no use", () => {
  const forgotten: number[] = [];
  const map = boundedMap<{ readonly n: number }>(10_000, ({ n }) => forgotten.push(n));
  for (let n = 0; n < 10_000; n++) map.set(String(n), { n });
  expect(map.get("0")).toEqual({ n: 0 });
  expect(forgotten).toEqual([]);
  map.set("one more", { n: 10_000 });
  expect(forgotten).toEqual([1]);
  expect([map.size, map.has("0"), map.has("1"), map.has("one more")]).toEqual([10_000, true, false, true]);
});

test("many bounded maps that hold nothing take next to no room", () => {
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  const maps = Array.from({ length: 100 }, () => boundedMap());
  expect(process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  expect(maps).toHaveLength(100);
});
