import type { RateLimiter, RateLimitScope } from "@postern/core";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/**
 * Counts tries in this process, a minute at a time: passwords by the address that they come from, one-time codes by what the code was sent to.
 * Several processes each count for themselves; a host with many uses a store that they share.
 * @param loginsPerMinute passwords that one address may try.
 */
export function createLimiter(loginsPerMinute: number): RateLimiter {
  const limiters: { readonly [Scope in RateLimitScope]?: RateLimiterMemory } = {
    "pre-login": new RateLimiterMemory({ points: loginsPerMinute, duration: 60 }),
    // A code has no more than five tries of its own, so this is about asking for one after another.
    "brute-force": new RateLimiterMemory({ points: 20, duration: 60 }),
  };
  return {
    async consume(scope, key) {
      const limiter = limiters[scope];
      if (limiter === undefined) return undefined;
      try {
        await limiter.consume(key);
        return { allowed: true };
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return { allowed: false, retryAfterSeconds: Math.ceil(refused.msBeforeNext / 1000) };
      }
    },
  };
}
