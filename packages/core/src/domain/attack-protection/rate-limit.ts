import { createAddressRanges, networkOf } from "../../adapters/addresses.ts";
import type { RateLimitDecision, RateLimiter, RateLimitScope } from "../../adapters/rate-limit.ts";
import { PosternError } from "../../errors.ts";
import type { SuspiciousIpThrottling } from "../../model/tenant/attack-protection.ts";
import type { AuditEvent } from "../audit.ts";
import { withDeadline } from "../deadline.ts";
import type { Environment } from "../environment.ts";
import type { Wait } from "./wait.ts";

/** What asking the host's rate limiter needs. */
export interface LimitContext {
  readonly environment: Pick<Environment, "logger">;
  /** The host's; without one nothing is limited. */
  readonly limiter: RateLimiter | undefined;
  readonly wait: Wait;
}

/** What came of asking. */
export interface LimitResult {
  /** The answer to give where the limit is exceeded: 429, with `Retry-After` where the limiter says when. */
  readonly refusal?: PosternError;
  /** What must be on record: a refusal, or a limiter that failed and so allowed. */
  readonly event?: AuditEvent;
}

/** How long a limiter may take, in milliseconds. */
const deadline = 1000;

/**
 * Counts a password try by its address (scope `pre-login`, key `<tenant_id>:<ip>`; spec section 8). To be called once a try, before it is evaluated.
 * The key holds the /64 network of an IPv6 address: a customer of a provider usually has a whole one, and would have as many counters as addresses.
 * Asks nothing where the protection is off, the address unknown or on the allowlist.
 */
export async function limitLogin(
  context: LimitContext,
  tenantId: string,
  ip: string | undefined,
  { enabled, shields, allowlist }: SuspiciousIpThrottling,
): Promise<LimitResult> {
  if (!enabled || !shields.includes("block") || ip === undefined || createAddressRanges(allowlist).includes(ip)) return {};
  return consume(context, "pre-login", `${tenantId}:${networkOf(ip)}`);
}

/**
 * Counts a one-time code try by what the code was sent to (scope `brute-force`, key `passwordless:<tenant_id>:<identifier>`; spec section 8).
 * To be called before the code is looked up, so that failed guesses count.
 * @param identifier as the code's record has it: folded to lower case, so that another spelling is no other counter.
 */
export async function limitOneTimeCode(context: LimitContext, tenantId: string, identifier: string): Promise<LimitResult> {
  return consume(context, "brute-force", `passwordless:${tenantId}:${identifier}`);
}

/** No limiter, no answer in time, a failure, or no configuration for the scope: each allows. */
async function consume({ environment, limiter, wait }: LimitContext, scope: RateLimitScope, key: string): Promise<LimitResult> {
  if (limiter === undefined) return {};
  let decision: RateLimitDecision | undefined;
  try {
    decision = await withDeadline(() => limiter.consume(scope, key), deadline, "the rate limiter", wait);
  } catch (error) {
    environment.logger.log({ level: "warn", event: "rate_limiter_failed", scope, error });
    return { event: { type: "w", description: "The rate limiter did not answer; the try was allowed", details: { scope } } };
  }
  if (decision?.allowed !== false) return {};
  return {
    refusal: tooManyRequests(decision.retryAfterSeconds),
    event: { type: "limit_mu", description: "Too many tries", details: { scope } },
  };
}

/** `Retry-After` takes whole seconds (RFC 9110 section 10.2.3). */
function tooManyRequests(retryAfterSeconds: number | undefined): PosternError {
  const seconds =
    retryAfterSeconds !== undefined && Number.isFinite(retryAfterSeconds) ? Math.max(0, Math.ceil(retryAfterSeconds)) : undefined;
  return new PosternError("TOO_MANY_REQUESTS", "Too many tries. Wait a while and try again.", {
    ...(seconds !== undefined && { headers: { "retry-after": String(seconds) } }),
  });
}
