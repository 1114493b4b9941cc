import { boundedMap, type BoundedMap } from "../store/bounded-map.ts";

/** Counts messages in this process: the default limits of a host without a rate limiter, and the totals of tenants. */
export interface MessageLimits {
  /**
   * Counts a message that a client address requests.
   * @returns 0, or the seconds until another one may be sent; then nothing was counted.
   */
  takeAddress(key: string, now: number): number;
  /** The same by the prefix of the destination. @param channel how the message is sent. */
  takePrefix(channel: "email" | "sms", key: string, now: number): number;
  /** Counts a message of a tenant. @returns whether it is the one, at most once an hour, that the operator is alerted of. */
  reachesAlert(tenantId: string, now: number): boolean;
}

const tenMinutes = 600_000;
const hour = 3_600_000;

/** Messages that one client address may request in ten minutes. An office or an app's backend has one address for many users. */
const mostPerAddress = 100;

/** Messages to one mail domain, or to one range of phone numbers, in ten minutes. Most users share few mail domains; text messages cost money. */
const mostPerPrefix = { email: 1000, sms: 100 } as const;

/** Messages of a tenant within an hour that the operator is alerted of. */
export const alertThreshold = 1000;

interface Window {
  readonly end: number;
  count: number;
}

/** Makes {@link MessageLimits}. Each kind of counter has a map of its own with at most 10,000 entries: many destinations do not displace the count of an address. */
export function createMessageLimits(): MessageLimits {
  const addresses = boundedMap<Window>();
  const prefixes = boundedMap<Window>();
  const tenants = boundedMap<Window>();
  return {
    takeAddress: (key, now) => take(addresses, key, mostPerAddress, now),
    takePrefix: (channel, key, now) => take(prefixes, key, mostPerPrefix[channel], now),
    reachesAlert: (tenantId, now) => {
      const current = windowOf(tenants, tenantId, hour, now);
      current.count += 1;
      return current.count === alertThreshold;
    },
  };
}

function take(map: BoundedMap<Window>, key: string, most: number, now: number): number {
  const current = windowOf(map, key, tenMinutes, now);
  if (current.count >= most) return Math.max(1, Math.ceil((current.end - now) / 1000));
  current.count += 1;
  return 0;
}

/** The current window of a key. One that ends later than a whole window from now was begun before the clock was set back. */
function windowOf(map: BoundedMap<Window>, key: string, length: number, now: number): Window {
  const known = map.get(key);
  if (known !== undefined && known.end > now && known.end <= now + length) return known;
  const begun = { end: now + length, count: 0 };
  map.set(key, begun);
  return begun;
}
