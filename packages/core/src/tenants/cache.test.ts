import { expect, test } from "vitest";
import { createManualClock } from "../adapters/clock.ts";
import { createCache, type Cache } from "./cache.ts";

const clock = createManualClock(0);
const make = (): Cache => createCache(clock);
let loads = 0;
const load = async (): Promise<{ readonly load: number }> => ({ load: ++loads });

test("a cache entry is loaded again after five seconds, and a missing row on each call", async () => {
  const cache = make();
  const first = await cache.get("t", "clients", ["a"], load);
  clock.advance("4s");
  expect(await cache.get("t", "clients", ["a"], load)).toBe(first);
  clock.advance("1s");
  expect(await cache.get("t", "clients", ["a"], load)).not.toBe(first);

  expect(await cache.get("t", "clients", ["b"], async () => undefined)).toBeUndefined();
  expect(await cache.get("t", "clients", ["b"], load)).toMatchObject({ load: loads });
});

test("parallel callers of the cache share a load, and a failed load is not cached", async () => {
  const cache = make();
  const [one, other] = await Promise.all([cache.get("t", "clients", ["a"], load), cache.get("t", "clients", ["a"], load)]);
  expect(one).toBe(other);
  await expect(cache.get("t", "clients", ["b"], () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  expect(await cache.get("t", "clients", ["b"], load)).toMatchObject({ load: loads });
});

test("a write invalidates only the cache entries for its collection and tenant", async () => {
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

test("the result of a load that was in progress during a write is returned only to the callers that waited for it", async () => {
  const cache = make();
  let finish = (): void => {};
  const slow = cache.get("t", "clients", ["a"], () => new Promise<object>((resolve) => (finish = () => resolve({ old: true }))));
  cache.invalidate("t", "clients");
  const fresh = await cache.get("t", "clients", ["a"], load);
  finish();
  expect(await slow).toEqual({ old: true });
  expect(await cache.get("t", "clients", ["a"], load)).toBe(fresh);
});

test("a write invalidates cache entries even after the state of their collection was evicted", async () => {
  const cache = make();
  const before = await cache.get("t", "clients", ["a"], load);
  for (let i = 0; i < 10_001; i++) {
    await cache.get(`u${i}`, "connections", ["a"], load);
    // The entry stays cached because it is used. The state of its collection is evicted.
    if (i % 1000 === 0) await cache.get("t", "clients", ["a"], load);
  }
  cache.invalidate("t", "clients");
  expect(await cache.get("t", "clients", ["a"], load)).not.toBe(before);
});

test("a cache with many large values does not exceed its maximum size in bytes", async () => {
  const limit = 256 * 1024;
  const cache = createCache(clock, limit);
  const callbacks = (client: number): readonly string[] =>
    Array.from({ length: 50 }, (_, i) => `https://${client}-${i}.test/`.padEnd(200, "x"));
  let most = 0;
  for (let client = 0; client < 50; client++) {
    expect(await cache.get("t", "clients", ["id", String(client)], async () => ({ callbacks: callbacks(client) }))).toBeDefined();
    most = Math.max(most, cache.bytes);
  }
  expect(most).toBeLessThanOrEqual(limit);
  expect(most).toBeGreaterThan(limit / 2);
  expect(cache.size).toBeLessThan(50);
});

test.each([
  ["of 4,000 bytes", () => createCache(clock, 4000), 4000],
  ["of the default size, 64 MiB,", make, 64 * 1024 * 1024],
])("a value that is larger than a quarter of the cache %s is returned but not cached", async (_, create, bytes) => {
  const cache = create();
  // Text counts two bytes per character.
  const valueOf = (size: number) => async (): Promise<object> => ({ text: "x".repeat(size / 2) });
  expect(await cache.get("t", "clients", ["large"], valueOf(bytes / 4))).toBeDefined();
  expect(cache.size).toBe(0);
  expect(await cache.get("t", "clients", ["small"], valueOf(bytes / 4 - 300))).toBeDefined();
  expect(cache.size).toBe(1);
});

test("expired cache entries are evicted when other entries are added", async () => {
  const cache = make();
  for (let i = 0; i < 1000; i++) await cache.get("t", "clients", ["id", String(i)], load);
  const { bytes } = cache;
  clock.advance("5s");
  for (let i = 0; i < 300; i++) await cache.get("t", "clients", ["fresh", String(i)], load);
  expect(cache.size).toBe(300);
  expect(cache.bytes).toBeLessThan(bytes);
});

test("a cache entry is loaded again after five seconds even if the clock is set back", async () => {
  const time = createManualClock(3_600_000);
  const cache = createCache(time);
  const first = await cache.get("t", "clients", ["a"], load);
  time.set(0);
  expect(await cache.get("t", "clients", ["a"], load)).toBe(first);
  time.advance("5s");
  expect(await cache.get("t", "clients", ["a"], load)).not.toBe(first);
});

test("cache keys whose parts contain separators do not collide with other keys", async () => {
  const cache = make();
  const first = await cache.get("t", "clients", ["id", "a"], load);
  for (const key of [["id", 'a","b'], ["id/a"], ["id:a"], ["id,a"], ['id","a'], ["id", "a", ""]] as const) {
    expect(await cache.get("t", "clients", key, load)).not.toBe(first);
  }
  expect(await cache.get('t","clients","id', "clients", ["a"], load)).not.toBe(first);
});
