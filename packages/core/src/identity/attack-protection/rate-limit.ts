import { createAddressRanges, networkOf } from "../../adapters/addresses.ts";
import type { RateLimitDecision, RateLimitScope } from "../../adapters/rate-limit.ts";
import type { TenantContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { attackProtectionSettings } from "../../model/tenant/attack-protection.ts";
import { auditClient } from "../../logs/audit.ts";
import { withDeadline } from "../../adapters/deadline.ts";

/** Timeout in milliseconds for a call to the host's rate limiter. */
const deadline = 1000;

/** One counter of the host's rate limiter. */
interface Limit {
  readonly scope: RateLimitScope;
  readonly key: string;
  /**
   * Counts the request in this process, if the host has no rate limiter or its limiter does not count the scope.
   * Returns the seconds to wait, or 0 if the request is allowed. Left out: the request is allowed.
   */
  readonly takeDefault?: (key: string) => number;
}

/**
 * Counts a password login by client IP address (scope `pre-login`, key `<tenant_id>:<ip>`). Call this
 * function once per attempt, before the password is checked. An IPv6 address is counted by its /64 network, because an
 * internet provider usually assigns a whole /64 to one customer. Counts nothing if suspicious IP throttling is off, or
 * if the IP address is unknown or on the allowlist.
 * @returns the error to respond with if the limit is exceeded: 429, with `Retry-After` if the rate limiter returns a
 * delay. The rejection has been written to the audit log.
 */
export async function limitLogin(tenant: TenantContext, client: RegisteredClient): Promise<PosternError | undefined> {
  const { enabled, shields, allowlist } = attackProtectionSettings(tenant.record).suspicious_ip_throttling;
  const { ip } = tenant.requestInfo;
  if (!enabled || !shields.includes("block") || ip === undefined || createAddressRanges(allowlist).includes(ip)) return undefined;
  return enforce(tenant, client, { scope: "pre-login", key: `${tenant.data.tenantId}:${networkOf(ip)}` });
}

/**
 * Counts an attempt to sign in with a one-time code by the email address or phone number that the code was sent to
 * (scope `brute-force`, key `passwordless:<tenant_id>:<identifier>`). Call this function before the
 * code is looked up, so that failed guesses count. A denial also applies to a right code. The budget of the destination
 * limits guesses without a rate limiter.
 * @param identifier as in the row of the code: in lower case, so that every spelling has the same counter.
 */
export async function limitOneTimeCode(
  tenant: TenantContext,
  client: RegisteredClient,
  identifier: string,
): Promise<PosternError | undefined> {
  return enforce(tenant, client, { scope: "brute-force", key: `passwordless:${tenant.data.tenantId}:${identifier}` });
}

/** A message that is about to be sent. */
interface RequestedMessage {
  readonly client?: RegisteredClient | undefined;
  readonly channel: "email" | "sms";
  /** The email address or phone number. */
  readonly address: string;
  /**
   * Whether an authenticated caller of the Management API requests the message. If so, the default limits of this
   * process do not apply. Default false.
   */
  readonly isManagement?: boolean;
}

/**
 * Counts a message before it is sent, by the IP address of the client that requests it (scope `message-address`). If the
 * host's rate limiter does not count the scope, this process applies a default limit. Counts nothing if the IP address is
 * unknown, or if all clients share it: one visitor could then block the messages to all others. The refusal reveals
 * nothing about accounts.
 */
export async function limitMessageSender(
  tenant: TenantContext,
  { client, isManagement = false }: Pick<RequestedMessage, "client" | "isManagement">,
): Promise<PosternError | undefined> {
  const { ip, sharedIp } = tenant.requestInfo;
  if (ip === undefined || sharedIp) return undefined;
  const takeDefault = (key: string): number => tenant.processState.messageLimits.takeAddress(key, tenant.now());
  const key = `${tenant.data.tenantId}:${networkOf(ip)}`;
  return enforce(tenant, client, { scope: "message-address", key, ...(!isManagement && { takeDefault }) });
}

/**
 * Counts a message before it is sent, by mail domain or the first six digits of the phone number (scope
 * `message-destination`). If the host's rate limiter does not count the scope, this process applies a default limit. Do
 * not call this function for a browser that has signed in to the user's account before.
 */
export async function limitMessageDestination(
  tenant: TenantContext,
  { client, channel, address, isManagement = false }: RequestedMessage,
): Promise<PosternError | undefined> {
  const takeDefault = (key: string): number => tenant.processState.messageLimits.takePrefix(channel, key, tenant.now());
  const key = `${tenant.data.tenantId}:${channel}:${destinationPrefix(channel, address)}`;
  return enforce(tenant, client, { scope: "message-destination", key, ...(!isManagement && { takeDefault }) });
}

/**
 * Returns the part that the destinations of a broad attack have in common: the mail domain, or the country code and
 * number range.
 */
function destinationPrefix(channel: RequestedMessage["channel"], address: string): string {
  const folded = address.toLowerCase();
  return channel === "email" ? folded.slice(folded.lastIndexOf("@") + 1) : numberRange(folded);
}

/** Returns the range that a phone number belongs to: its first six digits. */
export function numberRange(number: string): string {
  return number.replace("+", "").slice(0, 6);
}

/** Counts the request against a limit. Writes the rejection, or a failure of the rate limiter, to the audit log. */
async function enforce(
  tenant: TenantContext,
  client: RegisteredClient | undefined,
  { scope, key, takeDefault }: Limit,
): Promise<PosternError | undefined> {
  const audit = (type: "w" | "limit_mu", description: string): Promise<void> =>
    tenant.audit({ type, description, details: { scope }, ...auditClient(client) });
  const consumed = await consume(tenant, scope, key).catch(async (error: unknown) => {
    tenant.host.logger.log({ level: "warn", event: "rate_limiter_failed", scope, error });
    await audit("w", "The rate limiter failed. The attempt was allowed");
    return allowed;
  });
  const decision = consumed ?? byDefault(key, takeDefault);
  // A faulty rate limiter may return an object without `allowed`.
  if (decision.allowed !== false) return undefined;
  await audit("limit_mu", "Too many attempts");
  return tooManyRequests(decision);
}

const allowed: RateLimitDecision = { allowed: true };

/**
 * Calls the host's rate limiter, if the host has one. If the call fails or times out, the request is allowed, because a
 * broken rate limiter must not lock users out.
 */
async function consume(tenant: TenantContext, scope: RateLimitScope, key: string): Promise<RateLimitDecision | undefined> {
  const { rateLimiter: limiter, wait } = tenant.host;
  return limiter && withDeadline(() => limiter.consume(scope, key), deadline, "the rate limiter", wait);
}

function byDefault(key: string, takeDefault: Limit["takeDefault"]): RateLimitDecision {
  const retryAfterSeconds = takeDefault?.(key) ?? 0;
  return retryAfterSeconds > 0 ? { allowed: false, retryAfterSeconds } : allowed;
}

/**
 * Creates the error for an exceeded limit. Header values are integers (`Retry-After`: RFC 9110 section 10.2.3). A
 * member of the decision that is missing or not a finite number produces no header.
 */
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
  return new PosternError("TOO_MANY_REQUESTS", "Too many attempts. Wait a while and try again.", { headers });
}
