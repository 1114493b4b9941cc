import { decodeTime, encodeTime, monotonicFactory } from "ulid";

/** Milliseconds by which a clock may be set back without effect on the order of the ids. */
const tolerance = 1000;

/** The latest time that a ULID can contain. */
const maximumTime = 2 ** 48 - 1;

/**
 * Returns a function that creates ULIDs: sortable ids that begin with a time. Ids of one function sort in the order of
 * their creation, even within a millisecond, and if the clock is set back by up to a second. If the clock is set back
 * further, the ids follow it. Otherwise, they would contain the wrong time until the clock has caught up.
 * @param fraction returns a random number from 0 (inclusive) to 1 (exclusive).
 * @returns a function of the current time, in milliseconds since 1970.
 */
export function createUlidFactory(fraction: () => number): (now: number) => string {
  let next = monotonicFactory(fraction);
  let latest = 0;
  return (now) => {
    if (now < latest - tolerance) {
      next = monotonicFactory(fraction);
      latest = now;
    }
    latest = Math.max(latest, now);
    return next(now);
  };
}

/** Returns the time with which a ULID begins, in milliseconds since 1970. @throws if the text is not a ULID. */
export function timeOfUlid(id: string): number {
  return decodeTime(id);
}

/**
 * Returns the ten characters with which every ULID of this time begins. As text, they are greater than each ULID of an
 * earlier time and less than each ULID of this time, so they are the bound of a range of ids.
 * @param time milliseconds since 1970. A time that no ULID can contain is replaced by the nearest that it can contain.
 */
export function firstUlidAt(time: number): string {
  return encodeTime(Math.min(Math.max(time, 0), maximumTime), 10);
}
