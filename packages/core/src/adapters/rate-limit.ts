/** What {@link RateLimiter.consume} decided. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  /** Seconds until another try may succeed: becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
}

/** The names of the counters that core consumes (spec section 8). */
export type RateLimitScope = "pre-login" | "brute-force" | "pre-user-registration";

/** Counts tries, in whatever the host already runs: Redis, a table, an edge service. Optional; without it these limits do not run. */
export interface RateLimiter {
  /**
   * Consumes one try.
   * @param key `<tenant_id>:<ip>` for `pre-login`, where an IPv6 address is counted as its network: `<tenant_id>:2001:db8:1:2::/64`; `passwordless:<tenant_id>:<identifier>` for `brute-force`.
   * @returns the decision; undefined where the scope is not configured, which allows. A rejection, or no answer within one second, allows too.
   */
  consume(scope: RateLimitScope, key: string): Promise<RateLimitDecision | undefined>;
}
