import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toTimestamp } from "./fields.ts";

describe("toTimestamp", () => {
  it("returns the same text as toISOString for every instant", () => {
    const limit = 8_640_000_000_000_000;
    const instant = fc.oneof(
      fc.integer({ min: -limit, max: limit }),
      fc.integer({ min: -200_000_000, max: 200_000_000 }),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.constantFrom(limit, -limit, 0, -0, -1, 86_399_999, 86_400_000, Date.UTC(9999, 11, 31), Date.UTC(-1, 0, 1)),
    );
    fc.assert(fc.property(instant, (value) => toTimestamp(value) === new Date(value).toISOString()));
  });

  it("returns the right day for times that alternate between days", () => {
    for (const day of [19_000, 19_001, 19_000, 18_999]) {
      const instant = day * 86_400_000 + 3_723_004;
      expect(toTimestamp(instant)).toBe(new Date(instant).toISOString());
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8_640_000_086_400_000])("throws for %s, which is not an instant", (value) => {
    expect(() => toTimestamp(value)).toThrow(RangeError);
  });
});
