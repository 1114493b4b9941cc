import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap } from "../store/bounded-map.ts";

/** When a refresh token was rotated, as this process measured it with its monotonic clock. */
interface SeenRotation {
  /** Milliseconds since this process rotated the token or first saw that it was rotated. */
  readonly age: number;
  /**
   * Whether this process rotated the token. If so, the age is exact; otherwise the rotation may be older than `age`.
   */
  readonly isOwn: boolean;
}

/**
 * The rotations of refresh tokens that this process recently made or saw. They are needed because another process
 * writes `rotated_at` with its own clock, which may differ from the clock of this process. They are unsaved. For a
 * rotation without an entry, `rotated_at` is used, with a tolerance of {@link maxClockSkew}.
 */
export interface Rotations {
  /** Remembers that this process rotated a token. @param successorId the id of the row with the new token. */
  record(successorId: string): void;
  /** Returns what this process knows about a rotation, and remembers a rotation that it sees for the first time. */
  seen(successorId: string): SeenRotation;
}

/**
 * The maximum difference between the clocks of two processes, in milliseconds. A smaller difference never revokes a
 * refresh token family by mistake.
 */
export const maxClockSkew = 60_000;

/** How long a rotation is remembered, in milliseconds: the maximum leeway and the maximum clock difference. */
const lifetime = 60_000 + maxClockSkew;

/** Creates {@link Rotations} that remember the 10,000 most recent rotations. */
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
