import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap } from "../store/bounded-map.ts";

/** Counts what strangers cause, in windows of an hour, per process. */
export interface HourlyCounts {
  /**
   * Counts one use of a key: of a kind of work, in a tenant, by an address.
   * @returns 0 if it is within the maximum. Otherwise counts nothing, and returns the seconds until the window ends.
   */
  take(key: readonly string[], maximum: number): number;
}

const hour = 3600_000;

/** Creates {@link HourlyCounts} for the 10,000 most recently used keys. */
export function createHourlyCounts(clock: Clock): HourlyCounts {
  const elapsed = createElapsed(clock);
  const windows = boundedMap<{ readonly end: number; count: number }>({ expiry: { lifetime: hour, elapsed } });
  return {
    take(parts, maximum) {
      const key = JSON.stringify(parts);
      const known = windows.get(key);
      const entry = known ?? { end: elapsed() + hour, count: 0 };
      if (entry.count >= maximum) return Math.max(1, Math.ceil((entry.end - elapsed()) / 1000));
      entry.count += 1;
      if (entry !== known) windows.set(key, entry);
      return 0;
    },
  };
}
