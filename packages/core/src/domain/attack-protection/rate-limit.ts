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
  /** The host's. Without one, only messages are limited, by defaults of this process. */
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

/** A message that is to be sent. */
export interface RequestedMessage {
  readonly channel: "email" | "sms";
  /** The email address or phone number. */
  readonly address: string;
  /** The client address that requests it; undefined if it is unknown or stands for everybody. */
  readonly ip: string | undefined;
  /** Whether the browser has signed in to the user's account before: then the limit by destination does not apply. */
  readonly isKnownBrowser: boolean;
  /** Whether an authenticated caller of the Management API requests it: then the default limits of this process do not apply. */
  readonly isManagement: boolean;
}

/**
 * Counts a message before it is sent: by the client address (scope `message-address`) and by the mail domain or the first six digits of the phone number (scope `message-destination`).
 * For a scope that the host's limiter does not count, default limits in this process hold.
 */
export async function limitMessage(
  context: LimitContext & { readonly environment: Pick<Environment, "clock" | "messageLimits"> },
  tenantId: string,
  message: RequestedMessage,
): Promise<LimitResult> {
  const { channel, address, ip, isKnownBrowser, isManagement } = message;
  const { clock, messageLimits } = context.environment;
  const events: AuditEvent[] = [];
  const limits: readonly (readonly [RateLimitScope, string | undefined, (key: string) => number])[] = [
    ["message-address", ip === undefined ? undefined : networkOf(ip), (key) => messageLimits.takeAddress(key, clock.now())],
    [
      "message-destination",
      isKnownBrowser ? undefined : `${channel}:${destinationPrefix(channel, address)}`,
      (key) => messageLimits.takePrefix(channel, key, clock.now()),
    ],
  ];
  for (const [scope, key, takeDefault] of limits) {
    if (key === undefined) continue;
    const { refusal, event } = await consume(context, scope, `${tenantId}:${key}`, isManagement ? undefined : takeDefault);
    if (refusal !== undefined) return { refusal, ...(event && { event }) };
    if (event !== undefined) events.push(event);
  }
  const [event] = events;
  return event === undefined ? {} : { event };
}

/** What destinations of an attack on many of them have in common: the mail domain, or the country and range of a phone number. */
function destinationPrefix(channel: RequestedMessage["channel"], address: string): string {
  const folded = address.toLowerCase();
  return channel === "email" ? folded.slice(folded.lastIndexOf("@") + 1) : folded.replace("+", "").slice(0, 6);
}

/**
 * An answer that is late and a failure allow.
 * @param takeDefault counts in this process if there is no limiter or it has no configuration for the scope; undefined: that allows, too. Returns the seconds to wait, or 0.
 */
async function consume(
  { environment, limiter, wait }: LimitContext,
  scope: RateLimitScope,
  key: string,
  takeDefault: (key: string) => number = () => 0,
): Promise<LimitResult> {
  let decision: RateLimitDecision | undefined;
  try {
    if (limiter !== undefined) decision = await withDeadline(() => limiter.consume(scope, key), deadline, "the rate limiter", wait);
  } catch (error) {
    environment.logger.log({ level: "warn", event: "rate_limiter_failed", scope, error });
    return { event: { type: "w", description: "The rate limiter did not answer; the try was allowed", details: { scope } } };
  }
  if (decision === undefined) {
    const retryAfterSeconds = takeDefault(key);
    if (retryAfterSeconds > 0) decision = { allowed: false, retryAfterSeconds };
  }
  if (decision?.allowed !== false) return {};
  return {
    refusal: tooManyRequests(decision),
    event: { type: "limit_mu", description: "Too many tries", details: { scope } },
  };
}

/** The headers take whole numbers (`Retry-After`: RFC 9110 section 10.2.3). A member that is missing, or that a faulty limiter returns, has no header. */
function tooManyRequests({ retryAfterSeconds, limit, remaining, resetAt }: RateLimitDecision): PosternError {
  const values = {
    "retry-after": retryAfterSeconds,
    "x-ratelimit-limit": limit,
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": resetAt,
  };
  const headers = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value !== undefined && Number.isFinite(value) ? [[name, String(Math.max(0, Math.ceil(value)))]] : [],
    ),
  );
  return new PosternError("TOO_MANY_REQUESTS", "Too many tries. Wait a while and try again.", { headers });
}
