import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "../../adapters/clock.ts";
import type { Collection } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";
import { countEvent, exceededLimit, findCounts, type ExceededLimit, type HourlyLimit } from "./hourly-count.ts";

type Counts = Collection<Row<"message_counts">>;

const limit: HourlyLimit = { name: "events", subject: "subject", maximum: 3 };
const withMember = (member: string): HourlyLimit => ({ ...limit, maximum: 5, members: { name: "members", maximum: 2, member } });

let clock: ManualClock;
let counts: Counts;

beforeEach(() => {
  clock = createManualClock(Date.UTC(2026, 0, 1));
  counts = createMemoryAdapter({ strict: true }).collections.message_counts;
});

/** Returns numbers between 0 and 1, always the same for a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Counts an event as a request does: with the count that it read before. */
async function count(counted = limit, store: Counts = counts): Promise<ExceededLimit | undefined> {
  const known = await findCounts(store, [counted]);
  return countEvent({ counts: store, now: () => clock.now() }, counted, known.get(counted.subject));
}

test("counts events up to the maximum, until an hour after the minute of the first one", async () => {
  clock.advance("320s");
  const endsAt = clock.now() + 3_600_000 + 40_000;
  for (let i = 0; i < 3; i++) expect(await count()).toBeUndefined();
  clock.advance("3639s");
  expect(await count()).toEqual({ name: "events", subject: "subject", maximum: 3, endsAt });
  clock.advance("1s");
  for (let i = 0; i < 3; i++) expect(await count()).toBeUndefined();
  expect(await count()).toBeDefined();
});

test("allows no more than the maximum within any hour, and an event as soon as an earlier one no longer counts", async () => {
  const random = randomNumbers(7);
  const counted: number[] = [];
  for (let i = 0; i < 2000; i++) {
    clock.advance(Math.floor(random() * 20 * 60_000));
    const exceeded = await count();
    if (exceeded === undefined) counted.push(clock.now());
    else {
      expect(exceeded.endsAt).toBe((Math.floor((counted.at(-3) ?? 0) / 60_000) + 61) * 60_000);
      expect(exceeded.endsAt).toBeGreaterThan(clock.now());
    }
  }
  for (const [i, at] of counted.entries()) expect((counted[i + 3] ?? Infinity) - at).toBeGreaterThan(3_600_000);
});

test("counts the events of different subjects separately", async () => {
  for (let i = 0; i < 3; i++) await count();
  expect([await count(), await count({ ...limit, subject: "other" })]).toEqual([expect.anything(), undefined]);
});

test("counts different members up to their maximum, and any member up to the maximum of events", async () => {
  for (const member of ["a", "b", "a"]) expect(await count(withMember(member))).toBeUndefined();
  expect(await count(withMember("c"))).toMatchObject({ name: "members", maximum: 2 });
  for (const member of ["b", "a"]) expect(await count(withMember(member))).toBeUndefined();
  expect(await count(withMember("a"))).toMatchObject({ name: "events", maximum: 5 });
  clock.advance("61m");
  for (const member of ["c", "d"]) expect(await count(withMember(member))).toBeUndefined();
});

test("a member counts until an hour after its last event", async () => {
  await count(withMember("a"));
  clock.advance("40m");
  for (const member of ["b", "a"]) await count(withMember(member));
  clock.advance("40m");
  expect(await count(withMember("c"))).toMatchObject({ name: "members", endsAt: clock.now() + 21 * 60_000 });
  clock.advance("21m");
  expect(await count(withMember("c"))).toBeUndefined();
});

test("allows no event if the maximum is 0", async () => {
  const none = { ...limit, maximum: 0 };
  expect([exceededLimit(none, undefined, clock.now()), await count(none)]).toEqual([expect.anything(), expect.anything()]);
  expect(await findCounts(counts, [none])).toEqual(new Map());
});

test.each(["a new count", "a current count", "an ended count"])("32 parallel requests exceed no maximum, with %s", async (before) => {
  if (before !== "a new count") await count();
  if (before === "an ended count") clock.advance("2h");
  const known = (await findCounts(counts, [limit])).get(limit.subject);
  const results = await Promise.all(Array.from({ length: 32 }, () => countEvent({ counts, now: () => clock.now() }, limit, known)));
  expect(results.filter((result) => result === undefined)).toHaveLength(before === "a current count" ? 2 : 3);
});

test("32 parallel requests with different members exceed no maximum, and no member is lost", async () => {
  const results = await Promise.all(Array.from({ length: 32 }, (_, i) => count(withMember(`m${i % 4}`))));
  expect(results.filter((result) => result === undefined)).toHaveLength(5);
  const [row] = await counts.find({ where: { subject_hash: "subject" }, limit: 1 });
  const { events, members } = row?.recent ?? {};
  expect([Object.values(events ?? {}), Object.keys(members ?? {}).length]).toEqual([[5], 2]);
});

test("events that were counted before the clock was set back by a day do not count", async () => {
  clock.advance("1d");
  for (let i = 0; i < 3; i++) await count();
  clock.advance(-86_400_000);
  expect(await count()).toBeUndefined();
});

test("events that a process counted whose clock is ahead by some seconds count", async () => {
  clock.advance("5s");
  for (let i = 0; i < 3; i++) await count();
  clock.advance(-5000);
  expect(await count()).toBeDefined();
});

test("fails if other requests win the race at every attempt", async () => {
  const beaten: Counts = { ...counts, insert: async () => false };
  await expect(count(limit, beaten)).rejects.toMatchObject({ code: "temporarily_unavailable" });
});
