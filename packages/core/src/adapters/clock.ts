import type { SetTimer } from "./timer.ts";

/** The source of time. Core reads the time only from it, so a test can control the time. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
  /**
   * Milliseconds since an arbitrary moment. Never decreases, even if the time of day is set back. Caches use it to
   * measure the age of their entries. Default: derived from `now()`, ignoring backward steps.
   */
  monotonic?(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** A clock for tests in a host application. Its time changes only through its methods. */
export interface ManualClock extends Clock {
  /**
   * Advances the time by a duration: milliseconds, or text such as `"90s"`, `"15m"`, `"12h"` or `"31d"`.
   * @throws {TypeError} for other text.
   */
  advance(duration: number | string): void;
  /** Sets timers that `advance` fires when they are due. Pass this function as `testing.setTimer`. */
  readonly setTimer: SetTimer;
  /**
   * Sets the time of day, as an operator or a time server does. `monotonic()` does not change.
   * @param now milliseconds since 1970 (UTC).
   */
  set(now: number): void;
}

interface ManualTimer {
  /** The value of `monotonic()` at which the timer fires. */
  readonly at: number;
  readonly run: () => void;
}

const unitMilliseconds: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Creates a {@link ManualClock}. `start` is in milliseconds since 1970 (UTC); default: the current time. */
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

/**
 * Milliseconds by which the time of day may run ahead of the monotonic clock before the difference counts as a jump.
 * The two clocks are never exactly equal.
 */
const tolerance = 1000;

/**
 * Creates a function that returns the milliseconds since its creation. Caches use it for the ages of their entries. The
 * result never decreases. It follows the monotonic clock, so that setting the time of day back does not extend the life
 * of an entry. If the time of day moves ahead of the monotonic clock, the result follows the time of day, because many
 * monotonic clocks stand still while a machine is suspended.
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
    // The time of day moved ahead: either it was set, or the monotonic clock stood still.
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
