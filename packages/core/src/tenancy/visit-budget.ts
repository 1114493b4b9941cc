import { LRUCache } from "lru-cache";
import { networkOf } from "../adapters/addresses.ts";

/**
 * How much of the store the visits that begin at one address may fill: a visit to the login pages is kept for an hour, and anybody can begin one.
 * Counted in this process, per tenant and address (of an IPv6 address its first 64 bits), an hour at a time. Who has no known address shares no counter, and is not counted.
 */
export interface VisitBudget {
  /** Takes a visit's bytes. @returns 0, or the seconds until there is room again; nothing is taken then. */
  take(tenantId: string, ip: string | undefined, bytes: number, now: number): number;
}

const hour = 3600_000;
/** What a row costs besides the request that it keeps. */
const rowBytes = 512;

/** Makes a {@link VisitBudget}. @param most bytes of one address in an hour. */
export function createVisitBudget(most: number): VisitBudget {
  const spent = new LRUCache<string, { readonly end: number; bytes: number }>({ max: 10_000 });
  return {
    take(tenantId, ip, bytes, now) {
      if (ip === undefined) return 0;
      const key = JSON.stringify([tenantId, networkOf(ip)]);
      const known = spent.get(key);
      const entry = known === undefined || known.end <= now ? { end: now + hour, bytes: 0 } : known;
      if (entry.bytes + bytes + rowBytes > most) return Math.ceil((entry.end - now) / 1000);
      entry.bytes += bytes + rowBytes;
      if (entry !== known) spent.set(key, entry);
      return 0;
    },
  };
}
