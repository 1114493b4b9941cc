import type { SetTimer } from "./timer.ts";

/** Where the time comes from. Core asks nothing else, so a test can move it. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is told otherwise, for a host's own tests. */
export interface ManualClock extends Clock {
  /** Moves on by a duration: milliseconds, or text such as `"90s"`, `"15m"`, `"12h"`, `"31d"`. @throws {TypeError} for other text. */
  advance(duration: number | string): void;
  /** Sets timers that `advance` fires when their time is reached: for `testing.setTimer`. */
  readonly setTimer: SetTimer;
}

interface ManualTimer {
  readonly at: number;
  readonly run: () => void;
}

const unitMilliseconds: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Makes a {@link ManualClock}. `start` is in milliseconds since 1970 and defaults to the present. */
export function manualClock(start: number = Date.now()): ManualClock {
  let now = start;
  const timers = new Set<ManualTimer>();
  return {
    now: () => now,
    advance(duration) {
      now += typeof duration === "number" ? duration : parseDuration(duration);
      const due = [...timers].filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
      for (const timer of due) if (timers.delete(timer)) timer.run();
    },
    setTimer(milliseconds, run) {
      const timer = { at: now + milliseconds, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
}

function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = unit === undefined ? undefined : unitMilliseconds[unit];
  if (amount === undefined || factor === undefined) throw new TypeError(`not a duration: '${text}'`);
  return Number(amount) * factor;
}
