import type { RateLimiter, RateLimitScope } from "@postern/core";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/**
 * Counts attempts per minute in this process: passwords by client address, one-time codes by recipient. Each process
 * has separate counters. A host application with several processes should use a shared store.
 * @param loginsPerMinute password attempts per client address.
 */
export function createLimiter(loginsPerMinute: number): RateLimiter {
  const limiters: { readonly [Scope in RateLimitScope]?: RateLimiterMemory } = {
    "pre-login": new RateLimiterMemory({ points: loginsPerMinute, duration: 60 }),
    // Each code allows at most five attempts. This limit applies to the attempts with all codes together.
    "brute-force": new RateLimiterMemory({ points: 20, duration: 60 }),
  };
  return {
    async consume(scope, key) {
      const limiter = limiters[scope];
      if (limiter === undefined) return undefined;
      try {
        await limiter.consume(key);
        return { allowed: true };
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        const { msBeforeNext, remainingPoints: remaining } = rejection;
        const resetAt = Math.ceil((Date.now() + msBeforeNext) / 1000);
        return { allowed: false, retryAfterSeconds: Math.ceil(msBeforeNext / 1000), limit: limiter.points, remaining, resetAt };
      }
    },
  };
}
