import { boundedMap, type BoundedMap } from "../store/bounded-map.ts";

/** Counts messages in this process: the default limits of a host without a rate limiter, and the totals of tenants. */
export interface MessageLimits {
  /**
   * Counts a message that a client address requests.
   * @returns 0, or the seconds until another one may be sent; then nothing was counted.
   */
  takeAddress(key: string, now: number): number;
  /**
   * Counts a message by the prefix of its destination, like `takeAddress`. @param channel how the message is
   * sent.
   */
  takePrefix(channel: "email" | "sms", key: string, now: number): number;
  /** Counts a message of a tenant. @returns `true` for the message that alerts the operator, at most once an hour. */
  reachesAlert(tenantId: string, now: number): boolean;
}

const tenMinutes = 600_000;
const hour = 3_600_000;

/**
 * Maximum number of messages that one client address may request in ten minutes. An office or the backend of an
 * application has one address for many users.
 */
const maximumPerAddress = 100;

/**
 * Maximum number of messages to one mail domain, or to one range of phone numbers, in ten minutes. Most users share few
 * mail domains; text messages cost money.
 */
const maximumPerPrefix = { email: 1000, sms: 100 } as const;

/** The number of messages of a tenant within an hour at which the operator is alerted. */
export const alertThreshold = 1000;

interface Window {
  readonly end: number;
  count: number;
}

/**
 * Creates {@link MessageLimits}. Each kind of counter has a separate map with at most 10,000 entries, so that many
 * destinations do not evict the count of an address.
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
 * The current window of a key. A window that ends later than a whole window from now started before the clock was set
 * back.
 */
function windowOf(map: BoundedMap<Window>, key: string, length: number, now: number): Window {
  const known = map.get(key);
  if (known !== undefined && known.end > now && known.end <= now + length) return known;
  const begun = { end: now + length, count: 0 };
  map.set(key, begun);
  return begun;
}
