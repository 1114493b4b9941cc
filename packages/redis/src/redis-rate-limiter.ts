import type { RateLimitDecision, RateLimiter, RateLimitScope } from "@postern/core";
import { digest } from "./digest.ts";
import { slidingWindow } from "./sliding-window.ts";

/** How many tries a counter allows. */
export interface RedisLimit {
  /** Tries within the window. At least 1. */
  readonly tries: number;
  /** Seconds. The window slides: at no time are there more tries within so many seconds. At least 1. */
  readonly windowSeconds: number;
}

/** Options of {@link redisRateLimiter}. */
export interface RedisRateLimiterOptions {
  /**
   * Sends one command and gives its reply. With `redis`: `(command) => client.sendCommand([...command])`; with `ioredis`: `([name = "", ...rest]) => client.call(name, ...rest)`.
   * The client is yours: how it connects, retries and is closed is said there.
   */
  send(command: readonly string[]): Promise<unknown>;
  /** The limits. A scope that is left out is not limited. See spec section 8 for what consumes each. */
  readonly limits: { readonly [Scope in RateLimitScope]?: RedisLimit };
  /** Stands before every key. Default `postern:`. */
  readonly prefix?: string;
}

/**
 * Counts tries in Redis 6.2 or newer, or Valkey: one script, one key and one round trip for each try, in however many processes. The time is that of the Redis server. Keys are hashes, so no address
 * and no name of anybody is stored, and each goes away by itself when its window is over.
 *
 * A try that is refused does not count: who waits as long as they were told is let in. Where Redis fails, `consume` rejects, and Postern lets the try pass (spec section 8).
 * @throws {RangeError} where a limit is not a whole number of at least 1.
 */
export function redisRateLimiter({ send, limits, prefix = "postern:" }: RedisRateLimiterOptions): RateLimiter {
  for (const [scope, limit] of Object.entries(limits)) {
    for (const name of ["tries", "windowSeconds"] as const) {
      const value = limit[name];
      if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`limits.${scope}.${name} must be a whole number of at least 1`);
    }
  }
  const run = slidingWindow(send);
  return {
    async consume(scope, key): Promise<RateLimitDecision | undefined> {
      const limit = limits[scope];
      if (limit === undefined) return undefined;
      const waitMilliseconds = await run(`${prefix}${scope}:${await digest("SHA-256", key)}`, limit.tries, limit.windowSeconds * 1000);
      return waitMilliseconds === 0 ? { allowed: true } : { allowed: false, retryAfterSeconds: Math.ceil(waitMilliseconds / 1000) };
    },
  };
}
