import { createManualClock, type Clock } from "@postern/core/testing";

/** A clock that can be moved on. */
export interface MovableClock extends Clock {
  /** Moves on by a duration: milliseconds, or text such as `"90s"`, `"15m"`, `"12h"`, `"31d"`. @throws {TypeError} for other text. */
  advance(duration: number | string): void;
}

/** Makes a {@link MovableClock} that runs, so that clients which look at the machine's clock agree with it until it is moved. */
export function movableClock(): MovableClock {
  const moved = createManualClock(0);
  return { now: () => Date.now() + moved.now(), advance: (duration) => moved.advance(duration) };
}
