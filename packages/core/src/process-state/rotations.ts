import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap } from "../store/bounded-map.ts";

/** When a refresh token was rotated, as measured by this process with its monotonic clock. */
export interface SeenRotation {
  /** Milliseconds since this process rotated the token or first saw that it was rotated. */
  readonly age: number;
  /** Whether this process rotated the token. Then the age is exact; otherwise the rotation is older. */
  readonly isOwn: boolean;
}

/**
 * The rotations of refresh tokens that this process recently made or saw. Another process writes `rotated_at` with its
 * own clock, which may differ from this one's. Unsaved: without an entry, `rotated_at` decides, with {@link
 * maxClockSkew}.
 */
export interface Rotations {
  /** Stores that this process rotated a token. @param successorId the id of the successor's row. */
  record(successorId: string): void;
  /** Returns what this process knows about a rotation, and stores a rotation that it sees for the first time. */
  seen(successorId: string): SeenRotation;
}

/** The difference in milliseconds between the clocks of two processes that does not cost a refresh token family. */
export const maxClockSkew = 60_000;

/** How long a rotation is remembered, in milliseconds: the longest leeway and the skew. */
const lifetime = 60_000 + maxClockSkew;

/** Creates {@link Rotations} that remember the 10,000 most recent ones. */
export function createRotations(clock: Clock): Rotations {
  const elapsed = createElapsed(clock);
  const rotations = boundedMap<{ readonly at: number; readonly isOwn: boolean }>({ expiry: { lifetime, elapsed } });
  return {
    record: (successorId) => rotations.set(successorId, { at: elapsed(), isOwn: true }),
    seen(successorId) {
      let rotation = rotations.get(successorId);
      if (rotation === undefined) rotations.set(successorId, (rotation = { at: elapsed(), isOwn: false }));
      return { age: elapsed() - rotation.at, isOwn: rotation.isOwn };
    },
  };
}
