import { createManualClock, type Clock } from "@postern/core/testing";

/** A clock that a test can advance. */
export interface MovableClock extends Clock {
  /**
   * Advances by a duration: milliseconds, or text such as `"90s"`, `"15m"`, `"12h"`, `"31d"`.
   * @throws {TypeError} for other text.
   */
  advance(duration: number | string): void;
}

/**
 * Creates a {@link MovableClock} that runs with the system clock. Until a test advances it, it has the time that
 * clients with the system clock have.
 */
export function movableClock(): MovableClock {
  const offset = createManualClock(0);
  return { now: () => Date.now() + offset.now(), advance: (duration) => offset.advance(duration) };
}
