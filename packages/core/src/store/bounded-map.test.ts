import { expect, test } from "vitest";
import { createElapsed, createManualClock } from "../adapters/clock.ts";
import { boundedMap } from "./bounded-map.ts";

test("a bounded map holds 10,000 entries, and evicts the least recently used one", () => {
  const evicted: number[] = [];
  const map = boundedMap<{ readonly n: number }>({ onEvict: ({ n }) => evicted.push(n) });
  for (let n = 0; n < 10_000; n++) map.set(String(n), { n });
  expect(map.get("0")).toEqual({ n: 0 });
  expect(evicted).toEqual([]);
  map.set("one more", { n: 10_000 });
  expect(evicted).toEqual([1]);
  expect([map.size, map.peek("0"), map.peek("1"), map.peek("one more")]).toEqual([10_000, { n: 0 }, undefined, { n: 10_000 }]);
});

test("many empty bounded maps use almost no memory", () => {
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  const maps = Array.from({ length: 100 }, () => boundedMap());
  expect(process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  expect(maps).toHaveLength(100);
});

test("a bounded map never holds more bytes than its limit", () => {
  const map = boundedMap<{ readonly n: number }>({ bytes: 100 });
  for (let n = 0; n < 50; n++) {
    map.set(String(n), { n }, 30);
    expect(map.bytes).toBeLessThanOrEqual(100);
  }
  expect([map.size, map.bytes]).toEqual([3, 90]);
  expect(map.peek("46")).toBeUndefined();

  map.set("49", { n: 0 }, 10);
  expect([map.size, map.bytes, map.peek("49")]).toEqual([3, 70, { n: 0 }]);
  map.resize("49", 41);
  expect([map.size, map.bytes, map.peek("47")]).toEqual([2, 71, undefined]);
  map.set("too large", { n: 0 }, 101);
  expect([map.size, map.bytes, map.peek("too large")]).toEqual([2, 71, undefined]);
  map.resize("49", 101);
  expect([map.size, map.bytes, map.peek("48")]).toEqual([1, 30, { n: 48 }]);
  map.delete("48");
  expect([map.size, map.bytes]).toEqual([0, 0]);
});

test("expired entries are evicted when they are read and when other entries are added", () => {
  const clock = createManualClock(0);
  const evicted: number[] = [];
  const expiry = { lifetime: 5000, elapsed: createElapsed(clock) };
  const map = boundedMap<{ readonly n: number }>({ expiry, onEvict: ({ n }) => evicted.push(n) });
  for (let n = 0; n < 1000; n++) map.set(String(n), { n }, 1000);
  clock.advance("4999ms");
  expect(map.get("0")).toEqual({ n: 0 });
  clock.advance("1ms");
  expect([map.get("0"), map.peek("1")]).toEqual([undefined, undefined]);
  expect(evicted).toEqual([0, 1]);

  const maximum = evicted.length + 4;
  map.set("fresh", { n: -1 }, 1000);
  expect(evicted.length).toBeLessThanOrEqual(maximum);
  for (let n = 0; n < 300; n++) map.set(`fresh ${n}`, { n: -1 }, 1000);
  expect([map.size, map.bytes]).toEqual([301, 301_000]);
});

test("an entry that is used until it expires does not prevent the eviction of other expired entries", () => {
  const clock = createManualClock(0);
  const map = boundedMap<{ readonly n: number }>({ expiry: { lifetime: 5000, elapsed: createElapsed(clock) } });
  for (let n = 0; n < 100; n++) map.set(`old ${n}`, { n });
  clock.advance("1s");
  map.set("young", { n: 0 });
  clock.advance("3s");
  // Now the least recently used entry is the one that was set last.
  for (let n = 0; n < 100; n++) map.get(`old ${n}`);
  for (let second = 0; second < 6; second++) {
    clock.advance("1s");
    for (let n = 0; n < 10; n++) map.set(`${second} ${n}`, { n });
  }
  expect(map.size).toBeLessThanOrEqual(60);
});
