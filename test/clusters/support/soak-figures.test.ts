import { describe, expect, test } from "vitest";
import { comparePlateau, growth } from "./soak-figures.ts";
import { ownPart, type Stall } from "./stalls.ts";

/** Values that alternate around a line. */
const series = (slope: number): number[] => Array.from({ length: 240 }, (_, i) => 1000 + slope * i + (i % 4) * 50);

test("the growth is that of a straight line through the values", () => {
  expect(growth(series(2))).toBeCloseTo(2 * 239, -1);
});

describe("a plateau", () => {
  test("has quarters that differ by less than the tolerance, although the values vary", () => {
    const { middle, last, tolerance } = comparePlateau(series(0));
    expect(Math.abs(last - middle)).toBeLessThan(tolerance);
  });

  test("is missing if the values grow slowly", () => {
    const { middle, last, tolerance } = comparePlateau(series(1));
    expect(last - middle).toBeGreaterThan(tolerance);
  });
});

describe("a stall", () => {
  const stall: Stall = { at: 10_000, length: 200, idle: 0, waited: 0, cpu: 200, stolen: 0, running: [] };

  test("belongs to a process that used the core", () => {
    expect(ownPart(stall)).toBe(200);
  });

  test.each([
    ["waited for a core", { waited: 150 }],
    ["was idle", { idle: 150 }],
    ["was idle and waited for a core at the same time", { idle: 150, waited: 150 }],
    ["waited for a thread without a core", { cpu: 50 }],
    ["ran on a machine whose host took the core", { stolen: 150 }],
  ])("belongs to the machine if the process %s", (_, part) => {
    expect(ownPart({ ...stall, ...part })).toBe(50);
  });
});
