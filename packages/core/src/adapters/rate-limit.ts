/** What {@link RateLimiter.consume} decided. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  /** Seconds until another try may succeed: becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** How many tries the window allows. Becomes `x-ratelimit-limit` of a 429, as with Auth0. */
  readonly limit?: number;
  /** How many tries are left. Becomes `x-ratelimit-remaining`. */
  readonly remaining?: number;
  /** When the window ends, in seconds since 1970. Becomes `x-ratelimit-reset`. */
  readonly resetAt?: number;
}

/** The names of the counters that core consumes (spec section 8). */
export type RateLimitScope = "pre-login" | "brute-force" | "pre-user-registration" | "message-address" | "message-destination";

/** Counts tries and messages, in whatever the host already runs: Redis, a table, an edge service. Optional; without it only default limits of each process for messages run. */
export interface RateLimiter {
  /**
   * Consumes one try.
   * @param key `<tenant_id>:<ip>` for `pre-login`, where an IPv6 address is counted as its network (`<tenant_id>:2001:db8:1:2::/64`), `passwordless:<tenant_id>:<identifier>` for `brute-force`, `<tenant_id>:<network>` for `message-address` (an IPv4 address, or the first 64 bits
   * of an IPv6 address), `<tenant_id>:email:<domain>` or `<tenant_id>:sms:<first six digits>` for `message-destination`.
   * @returns the decision; undefined where the scope is not configured, which allows: messages as far as the default limits do. A rejection, or no answer within one second, allows too.
   */
  consume(scope: RateLimitScope, key: string): Promise<RateLimitDecision | undefined>;
}
