import type { SetTimer } from "./timer.ts";

/** Where the time comes from. Core asks nothing else, so a test can move it. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /**
   * Milliseconds since an arbitrary moment. Never goes back, also not when the time of day is set. Caches measure the age of their entries with it.
   * Default: derived from `now()`, whose steps backwards are ignored.
   */
  monotonic?(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** A clock that stands still until it is told otherwise, for a host's own tests. */
export interface ManualClock extends Clock {
  /** Moves on by a duration: milliseconds, or text such as `"90s"`, `"15m"`, `"12h"`, `"31d"`. @throws {TypeError} for other text. */
  advance(duration: number | string): void;
  /** Sets timers that `advance` fires when their time is reached: for `testing.setTimer`. */
  readonly setTimer: SetTimer;
  /** Sets the time of day, as an operator or a time server does. No time passes: `monotonic()` stays the same. @param now milliseconds since 1970. */
  set(now: number): void;
}

interface ManualTimer {
  /** The value of `monotonic()` at which the timer fires. */
  readonly at: number;
  readonly run: () => void;
}

const unitMilliseconds: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Makes a {@link ManualClock}. `start` is in milliseconds since 1970 and defaults to the present. */
export function createManualClock(start: number = Date.now()): ManualClock {
  let now = start;
  const timers = new Set<ManualTimer>();
  let passed = 0;
  return {
    now: () => now,
    monotonic: () => passed,
    advance(duration) {
      const milliseconds = typeof duration === "number" ? duration : parseDuration(duration);
      now += milliseconds;
      passed += Math.max(0, milliseconds);
      const due = [...timers].filter(({ at }) => at <= passed).toSorted((a, b) => a.at - b.at);
      for (const timer of due) if (timers.delete(timer)) timer.run();
    },
    setTimer(milliseconds, run) {
      const timer = { at: passed + milliseconds, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    set(time) {
      now = time;
    },
  };
}

/** Milliseconds by which the time of day may be ahead of the monotonic clock before it counts as a jump: the two are never exactly equal. */
const tolerance = 1000;

/**
 * Creates a function that returns the milliseconds since its creation, for the ages of cache entries. It never goes back.
 * It follows the monotonic clock, so that a time of day that is set back keeps no entry alive. It also follows a time of day that is ahead of that,
 * because many monotonic clocks stand still while a machine is suspended.
 */
export function createElapsed(clock: Clock): () => number {
  const read = (): { readonly wall: number; readonly steady: number | undefined } => ({ wall: clock.now(), steady: clock.monotonic?.() });
  let anchor = read();
  let elapsed = 0;
  return () => {
    const reading = read();
    const wall = Math.max(0, reading.wall - anchor.wall);
    if (reading.steady === undefined || anchor.steady === undefined) {
      elapsed += wall;
      anchor = reading;
      return elapsed;
    }
    const steady = reading.steady - anchor.steady;
    if (wall - steady <= tolerance) return elapsed + steady;
    // The time of day went ahead: it was set, or the monotonic clock stood still.
    elapsed += wall;
    anchor = reading;
    return elapsed;
  };
}

function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = unit === undefined ? undefined : unitMilliseconds[unit];
  if (amount === undefined || factor === undefined) throw new TypeError(`not a duration: '${text}'`);
  return Number(amount) * factor;
}
