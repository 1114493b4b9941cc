import { describe, expect, test } from "vitest";
import { createUlidFactory, firstUlidAt, timeOfUlid } from "./ulid.ts";

const now = Date.UTC(2026, 0, 1);

describe("ids", () => {
  test("sort in the order of their creation within a millisecond, and contain its time", () => {
    const create = createUlidFactory(Math.random);
    const ids = Array.from({ length: 100 }, () => create(now));
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(100);
    expect(new Set(ids.map(timeOfUlid))).toEqual(new Set([now]));
  });

  test("keep their order if the clock is set back by a second, and follow it if it is set back further", () => {
    const create = createUlidFactory(Math.random);
    const ids = [create(now), create(now - 1000), create(now - 500)];
    expect(ids).toEqual(ids.toSorted());
    expect(ids.map(timeOfUlid)).toEqual([now, now, now]);
    const later = [create(now - 3_600_000), create(now - 3_600_000), create(now - 3_599_000)];
    expect(later).toEqual(later.toSorted());
    expect(later.map(timeOfUlid)).toEqual([now - 3_600_000, now - 3_600_000, now - 3_599_000]);
  });
});

describe("the first id at a time", () => {
  test("is less than each id of this time, and greater than each id of an earlier time", () => {
    const create = createUlidFactory(() => 1 - 2 ** -32);
    const before = [create(now - 1)];
    const after = [createUlidFactory(() => 0)(now), create(now)];
    for (const id of before) expect(id < firstUlidAt(now)).toBe(true);
    for (const id of after) expect(id > firstUlidAt(now)).toBe(true);
  });

  test.each([
    [-62_135_596_800_000, "0000000000"],
    [0, "0000000000"],
    [2 ** 48 - 1, "7ZZZZZZZZZ"],
    [2 ** 48, "7ZZZZZZZZZ"],
  ])("at %i is %s", (time, id) => expect(firstUlidAt(time)).toBe(id));
});
