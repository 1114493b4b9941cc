import { expect, test } from "vitest";
import { createElapsed, createManualClock, type Clock } from "./clock.ts";

const hour = 3_600_000;

test("elapsed time follows a manual clock, and does not decrease when the time of day is set back", () => {
  const clock = createManualClock(10 * hour);
  const elapsed = createElapsed(clock);
  expect(elapsed()).toBe(0);
  clock.advance("5s");
  expect(elapsed()).toBe(5000);
  clock.set(9 * hour);
  expect(elapsed()).toBe(5000);
  clock.advance("5s");
  expect(elapsed()).toBe(10_000);
});

test("elapsed time ignores backward steps of a clock that has no monotonic time", () => {
  let now = 10 * hour;
  const elapsed = createElapsed({ now: () => now });
  now += 5000;
  expect(elapsed()).toBe(5000);
  now -= hour;
  expect(elapsed()).toBe(5000);
  now += 400;
  expect(elapsed()).toBe(5400);
});

test("elapsed time includes the time for which a machine was suspended", () => {
  let now = 10 * hour;
  let monotonic = 7;
  const clock: Clock = { now: () => now, monotonic: () => monotonic };
  const elapsed = createElapsed(clock);
  now += hour;
  expect(elapsed()).toBe(hour);
  [now, monotonic] = [now + 300, monotonic + 300];
  expect(elapsed()).toBe(hour + 300);
  [now, monotonic] = [now - 2 * hour, monotonic + 700];
  expect(elapsed()).toBe(hour + 1000);
  [now, monotonic] = [now + 1000, monotonic + 1000];
  expect(elapsed()).toBe(hour + 2000);
});
