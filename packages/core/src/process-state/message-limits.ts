import { boundedMap, type BoundedMap } from "../store/bounded-map.ts";

/**
 * Counts messages in this process, for the default limits that apply if the host has no rate limiter, and for alerts
 * about tenants that send many messages.
 */
export interface MessageLimits {
  /**
   * Counts a message by the IP address of the client that requests it.
   * @returns 0 if the message is allowed. Otherwise nothing is counted, and the result is the number of seconds until
   * another message is allowed.
   */
  takeAddress(key: string, now: number): number;
  /**
   * Counts a message by the prefix of its destination. Returns the same as `takeAddress`.
   * @param channel how the message is sent.
   */
  takePrefix(channel: "email" | "sms", key: string, now: number): number;
  /** Counts a message that a tenant sends. @returns `true` if the operator must be alerted, at most once an hour. */
  reachesAlert(tenantId: string, now: number): boolean;
}

const tenMinutes = 600_000;
const hour = 3_600_000;

/**
 * The maximum number of messages that one client IP address may request in ten minutes. It is not lower, because all
 * users in an office, or all users of an application with a backend, share one IP address.
 */
const maximumPerAddress = 100;

/**
 * The maximum number of messages to one mail domain, or to one range of phone numbers, in ten minutes. The limit for
 * email is high, because most users share a few mail domains. The limit for text messages is low, because each of them
 * costs money.
 */
const maximumPerPrefix = { email: 1000, sms: 100 } as const;

/** The operator is alerted when a tenant sends this number of messages within an hour. */
export const alertThreshold = 1000;

interface Window {
  readonly end: number;
  count: number;
}

/**
 * Creates {@link MessageLimits}. Each kind of counter has a separate map with at most 10,000 entries, so that many
 * destinations do not evict the count of a client IP address.
 */
export function createMessageLimits(): MessageLimits {
  const addresses = boundedMap<Window>();
  const prefixes = boundedMap<Window>();
  const tenants = boundedMap<Window>();
  return {
    takeAddress: (key, now) => take(addresses, key, maximumPerAddress, now),
    takePrefix: (channel, key, now) => take(prefixes, key, maximumPerPrefix[channel], now),
    reachesAlert: (tenantId, now) => {
      const current = windowOf(tenants, tenantId, hour, now);
      current.count += 1;
      return current.count === alertThreshold;
    },
  };
}

function take(map: BoundedMap<Window>, key: string, maximum: number, now: number): number {
  const current = windowOf(map, key, tenMinutes, now);
  if (current.count >= maximum) return Math.max(1, Math.ceil((current.end - now) / 1000));
  current.count += 1;
  return 0;
}

/**
 * Returns the current window of a key. A window that ends more than `length` from now was started before the clock was
 * set back, and is replaced.
 */
function windowOf(map: BoundedMap<Window>, key: string, length: number, now: number): Window {
  const known = map.get(key);
  if (known !== undefined && known.end > now && known.end <= now + length) return known;
  const begun = { end: now + length, count: 0 };
  map.set(key, begun);
  return begun;
}
