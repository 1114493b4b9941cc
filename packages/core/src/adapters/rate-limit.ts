/** The result of {@link RateLimiter.consume}. */
export interface RateLimitDecision {
  /** Whether the attempt is allowed. */
  readonly allowed: boolean;
  /** Seconds until another attempt may succeed. Becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** The number of attempts that the window allows. Becomes `x-ratelimit-limit` in a 429 response, as in Auth0. */
  readonly limit?: number;
  /** The number of attempts that are left. Becomes `x-ratelimit-remaining`. */
  readonly remaining?: number;
  /** The end of the window, in seconds since 1970 (UTC). Becomes `x-ratelimit-reset`. */
  readonly resetAt?: number;
}

/** The counters that a limiter has (docs/rate-limits.md). `pre-user-registration` is reserved and not used. */
export type RateLimitScope = "pre-login" | "brute-force" | "pre-user-registration" | "message-address" | "message-destination";

/**
 * Counts login attempts and messages in a store that the processes of the host application share, such as Redis, a
 * table or an edge service. Optional. Without it, only the default limits for messages apply, and each process counts
 * separately.
 */
export interface RateLimiter {
  /**
   * Counts one attempt.
   *
   * Keys by scope:
   * - `pre-login`: `<tenant_id>:<network>`, the IPv4 address or the /64 network of an IPv6 address
   *   (`<tenant_id>:2001:db8:1:2::/64`).
   * - `brute-force`: `passwordless:<tenant_id>:<identifier>`.
   * - `message-address`: `<tenant_id>:<network>`, as for `pre-login`.
   * - `message-destination`: `<tenant_id>:email:<domain>` or `<tenant_id>:sms:<first six digits>`.
   *
   * @returns the decision. Undefined means that the scope is not configured: the attempt is allowed, and the default
   * limits apply to messages. A rejection, or no result within one second, also allows the attempt.
   */
  consume(scope: RateLimitScope, key: string): Promise<RateLimitDecision | undefined>;
}
