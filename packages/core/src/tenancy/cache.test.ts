import { expect, test } from "vitest";
import { manualClock } from "../adapters/clock.ts";
import { createCache, type Cache } from "./cache.ts";

const clock = manualClock(0);
const make = (): Cache => createCache(clock);
let loads = 0;
const load = async (): Promise<{ readonly load: number }> => ({ load: ++loads });

test("what was loaded is loaded again after five seconds, and what is not there each time", async () => {
  const cache = make();
  const first = await cache.get("t", "clients", ["a"], load);
  clock.advance("4s");
  expect(await cache.get("t", "clients", ["a"], load)).toBe(first);
  clock.advance("1s");
  expect(await cache.get("t", "clients", ["a"], load)).not.toBe(first);

  expect(await cache.get("t", "clients", ["b"], async () => undefined)).toBeUndefined();
  expect(await cache.get("t", "clients", ["b"], load)).toMatchObject({ load: loads });
});

test("parallel callers share a load, and a load that fails is forgotten", async () => {
  const cache = make();
  const [one, other] = await Promise.all([cache.get("t", "clients", ["a"], load), cache.get("t", "clients", ["a"], load)]);
  expect(one).toBe(other);
  await expect(cache.get("t", "clients", ["b"], () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await cache.get("t", "clients", ["b"], load)).toMatchObject({ load: loads });
});

test("a write drops what was loaded from its collection and tenant, and nothing else", async () => {
  const cache = make();
  const places = [
    ["t", "clients"],
    ["t", "connections"],
    ["u", "clients"],
  ] as const;
  const before = await Promise.all(places.map(([tenant, collection]) => cache.get(tenant, collection, ["a"], load)));
  cache.invalidate("t", "clients");
  const after = await Promise.all(places.map(([tenant, collection]) => cache.get(tenant, collection, ["a"], load)));
  expect(after.map((value, i) => value === before[i])).toEqual([false, true, true]);
});

test("a load that was in flight during a write is good for whoever waits, and for nobody else", async () => {
  const cache = make();
  let finish = (): void => {};
  const slow = cache.get("t", "clients", ["a"], () => new Promise<object>((resolve) => (finish = () => resolve({ old: true }))));
  cache.invalidate("t", "clients");
  const fresh = await cache.get("t", "clients", ["a"], load);
  finish();
  expect(await slow).toEqual({ old: true });
  expect(await cache.get("t", "clients", ["a"], load)).toBe(fresh);
});

test("a write to a collection that fell out of memory is not missed", async () => {
  const cache = make();
  const before = await cache.get("t", "clients", ["a"], load);
  for (let i = 0; i < 10_001; i++) {
    await cache.get(`u${i}`, "connections", ["a"], load);
    // Kept in memory by being asked for, while what is known of its collection is not.
    if (i % 1000 === 0) await cache.get("t", "clients", ["a"], load);
  }
  cache.invalidate("t", "clients");
  expect(await cache.get("t", "clients", ["a"], load)).not.toBe(before);
});
