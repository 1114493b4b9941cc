import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap } from "../store/bounded-map.ts";

/** What this process knows about when a refresh token was rotated, by its own monotonic clock. */
export interface SeenRotation {
  /** Milliseconds since this process rotated the token or first saw that it was rotated. */
  readonly age: number;
  /** Whether this process rotated the token. Then the age is exact; otherwise the rotation is older. */
  readonly isOwn: boolean;
}

/**
 * The rotations of refresh tokens that this process made or saw a moment ago. Another process writes `rotated_at` with its own clock, which may differ from this one's.
 * Unsaved: without an entry, `rotated_at` decides, with {@link maxClockSkew}.
 */
export interface Rotations {
  /** Notes that this process rotated a token. @param successorId the record of the token that followed. */
  made(successorId: string): void;
  /** Returns what is known of a rotation, and notes it if this process sees it for the first time. */
  seen(successorId: string): SeenRotation;
}

/** Milliseconds by which the clocks of two processes may differ without the loss of a refresh token family. */
export const maxClockSkew = 60_000;

/** Milliseconds for which a rotation is remembered: the longest leeway and the skew. */
const lifetime = 60_000 + maxClockSkew;

/** Creates {@link Rotations} that remember the 10,000 most recent ones. */
export function createRotations(clock: Clock): Rotations {
  const elapsed = createElapsed(clock);
  const rotations = boundedMap<{ readonly at: number; readonly isOwn: boolean }>({ expiry: { lifetime, elapsed } });
  return {
    made: (successorId) => rotations.set(successorId, { at: elapsed(), isOwn: true }),
    seen(successorId) {
      let rotation = rotations.get(successorId);
      if (rotation === undefined) rotations.set(successorId, (rotation = { at: elapsed(), isOwn: false }));
      return { age: elapsed() - rotation.at, isOwn: rotation.isOwn };
    },
  };
}
