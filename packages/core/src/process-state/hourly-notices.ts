import { boundedMap } from "../store/bounded-map.ts";

/** Limits audit events about a lasting condition to one an hour in this process. */
export interface HourlyNotices {
  /** Returns `true` if no notice about the subject was due within the last hour. `now`: milliseconds since 1970. */
  isDue(subject: string, now: number): boolean;
}

const hour = 3_600_000;

/** Creates {@link HourlyNotices}. Remembers at most 10,000 subjects. */
export function createHourlyNotices(): HourlyNotices {
  const noticed = boundedMap<{ readonly at: number }>();
  return {
    isDue(subject, now) {
      const last = noticed.get(subject);
      // A time in the future was stored before the clock was set back.
      if (last !== undefined && last.at <= now && now - last.at < hour) return false;
      noticed.set(subject, { at: now });
      return true;
    },
  };
}
