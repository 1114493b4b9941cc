import { PosternError } from "../errors.ts";
import type { Installation } from "./installation.ts";
import type { RequestTenant } from "./tenant.ts";
import { networkOf } from "../adapters/addresses.ts";
import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap } from "../store/bounded-map.ts";

/**
 * Limits how much of the data store login sessions may fill: each is stored for an hour, and starting one requires no
 * authentication. Counted per process.
 */
export interface LoginSessionBudget {
  /**
   * Counts the bytes of a login session that an IP address starts, per tenant and address (for IPv6, the first 64
   * bits), in windows of an hour.
   * @returns 0 if the login session is within the limit. Otherwise counts nothing, and returns the seconds until the
   * window ends.
   */
  take(tenantId: string, ip: string, bytes: number): number;
  /**
   * Counts the bytes of a login session whose IP address is unknown. No login session is rejected here, because anyone
   * could exhaust a shared limit. Instead, each tenant has a limit of sixteen times that of one IP address, and beyond
   * it the oldest of these login sessions are dropped.
   * @param id of the login session. Ids sort by the time at which their login sessions started.
   * @returns the id of the last login session to delete, together with all before it; undefined if none must be
   * deleted.
   */
  keep(tenantId: string, id: string, bytes: number): string | undefined;
}

const hour = 3600_000;
/** The size of a row without the stored request. */
const rowBytes = 512;
/** The limit for login sessions without a known IP address, as a multiple of the limit for one IP address. */
const unaddressedMultiple = 16;
/**
 * Approximate number of portions in which login sessions are dropped. Bounds the memory that tracks them, and lets one
 * statement delete many.
 */
const portions = 256;

/** A tenant's login sessions without a known IP address, oldest first. */
interface UnaddressedSessions {
  bytes: number;
  readonly portions: { last: string; bytes: number }[];
}

/** Creates a {@link LoginSessionBudget}. @param maximumBytes maximum bytes that one IP address can store per hour. */
export function createLoginSessionBudget(maximumBytes: number, clock: Clock): LoginSessionBudget {
  const elapsed = createElapsed(clock);
  const windows = boundedMap<{ readonly end: number; bytes: number }>({ expiry: { lifetime: hour, elapsed } });
  const unaddressedSessions = boundedMap<UnaddressedSessions>();
  return {
    take(tenantId, ip, bytes) {
      const now = elapsed();
      const key = JSON.stringify([tenantId, networkOf(ip)]);
      const known = windows.get(key);
      const entry = known ?? { end: now + hour, bytes: 0 };
      if (entry.bytes + bytes + rowBytes > maximumBytes) return Math.ceil((entry.end - now) / 1000);
      entry.bytes += bytes + rowBytes;
      if (entry !== known) windows.set(key, entry);
      return 0;
    },
    keep(tenantId, id, bytes) {
      const all = unaddressedSessions.get(tenantId) ?? { bytes: 0, portions: [] };
      if (all.bytes === 0) unaddressedSessions.set(tenantId, all);
      const newest = all.portions.at(-1);
      const portion =
        newest !== undefined && newest.bytes < (maximumBytes * unaddressedMultiple) / portions ? newest : { last: id, bytes: 0 };
      if (portion !== newest) all.portions.push(portion);
      portion.last = id;
      portion.bytes += bytes + rowBytes;
      all.bytes += bytes + rowBytes;

      let last: string | undefined;
      // The new login session is never dropped.
      while (all.bytes > maximumBytes * unaddressedMultiple && all.portions.length > 1) {
        const oldest = all.portions.shift();
        all.bytes -= oldest?.bytes ?? 0;
        last = oldest?.last;
      }
      return last;
    },
  };
}

/** The prefix of the ids of login sessions without a known IP address. */
const unaddressed = "~";

/**
 * Counts a login session of this size against the limit for its IP address. Without a known IP address, the login
 * session is never rejected; the oldest login sessions without an IP address are deleted instead.
 * @throws {PosternError} `TOO_MANY_REQUESTS`
 * @returns the id for the login session.
 */
export async function admitLoginSession(
  installation: Installation,
  tenant: Pick<RequestTenant, "id" | "data" | "requestInfo">,
  bytes: number,
): Promise<string> {
  // If all visitors share an address, one of them could use up the limit of all.
  const ip = tenant.requestInfo.sharedIp ? undefined : tenant.requestInfo.ip;
  if (ip === undefined) {
    // Ids sort by time. No other login session's id begins with the prefix.
    const id = `${unaddressed}${installation.random.record()}${installation.random.token(24)}`;
    const last = installation.loginSessions.keep(tenant.id, id, bytes);
    if (last !== undefined) await tenant.data.login_sessions.delete({ id: { gte: unaddressed, lte: last } });
    return id;
  }
  const seconds = installation.loginSessions.take(tenant.id, ip, bytes);
  if (seconds === 0) return installation.random.token(24);
  const headers = { "retry-after": String(seconds) };
  throw new PosternError("TOO_MANY_REQUESTS", "Too many logins were started from this IP address. Please try again later.", { headers });
}
