import { PosternError } from "../errors.ts";
import type { Installation } from "./installation.ts";
import type { Tenant } from "./tenant.ts";
import { networkOf } from "../adapters/addresses.ts";
import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap } from "../store/bounded-map.ts";

/**
 * How much of the store login sessions may fill: each is kept for an hour, and anybody can begin one. Counted in this process.
 */
export interface LoginSessionBudget {
  /**
   * Takes the bytes of a login session that begins at an address: per tenant and address (of an IPv6 address its first 64 bits), an hour at a time.
   * @returns 0, or the seconds until there is room again; nothing is taken then.
   */
  take(tenantId: string, ip: string, bytes: number): number;
  /**
   * Takes the bytes of a login session that begins at no address that is known. It may be anybody's, so nobody is refused because others begin many:
   * the newest login sessions of a tenant are kept, sixteen times as much as of one address, and the oldest give way.
   * @param id of the login session; ids sort in the order in which their login sessions began.
   * @returns the id of the last login session that gives way, with all before it; undefined where none has to.
   */
  keep(tenantId: string, id: string, bytes: number): string | undefined;
}

const hour = 3600_000;
/** What a row costs besides the request that it keeps. */
const rowBytes = 512;
/** How many addresses' worth is kept of login sessions without one. */
const addresses = 16;
/** Login sessions give way in so many portions, roughly: what is remembered of them does not grow with their number, and one statement removes many. */
const portions = 256;

/** What login sessions of a tenant that began at no known address fill, the oldest first. */
interface Kept {
  bytes: number;
  readonly portions: { last: string; bytes: number }[];
}

/** Makes a {@link LoginSessionBudget}. @param most bytes of one address in an hour. */
export function createLoginSessionBudget(most: number, clock: Clock): LoginSessionBudget {
  const elapsed = createElapsed(clock);
  const spent = boundedMap<{ readonly end: number; bytes: number }>({ expiry: { lifetime: hour, elapsed } });
  const kept = boundedMap<Kept>();
  return {
    take(tenantId, ip, bytes) {
      const now = elapsed();
      const key = JSON.stringify([tenantId, networkOf(ip)]);
      const known = spent.get(key);
      const entry = known ?? { end: now + hour, bytes: 0 };
      if (entry.bytes + bytes + rowBytes > most) return Math.ceil((entry.end - now) / 1000);
      entry.bytes += bytes + rowBytes;
      if (entry !== known) spent.set(key, entry);
      return 0;
    },
    keep(tenantId, id, bytes) {
      const all = kept.get(tenantId) ?? { bytes: 0, portions: [] };
      if (all.bytes === 0) kept.set(tenantId, all);
      const newest = all.portions.at(-1);
      const portion = newest !== undefined && newest.bytes < (most * addresses) / portions ? newest : { last: id, bytes: 0 };
      if (portion !== newest) all.portions.push(portion);
      portion.last = id;
      portion.bytes += bytes + rowBytes;
      all.bytes += bytes + rowBytes;

      let last: string | undefined;
      // The login session that begins now always stays.
      while (all.bytes > most * addresses && all.portions.length > 1) {
        const oldest = all.portions.shift();
        all.bytes -= oldest?.bytes ?? 0;
        last = oldest?.last;
      }
      return last;
    },
  };
}

/** What the ids of login sessions begin with that began at no known address. */
const unaddressed = "~";

/**
 * Counts a login session that keeps so many bytes, by the address that begins it. Whoever has no known address is never refused: the oldest login sessions
 * that were begun so give way.
 * @throws {PosternError} `TOO_MANY_REQUESTS`
 * @returns the id that the login session is to have.
 */
export async function admitLoginSession(
  installation: Installation,
  tenant: Pick<Tenant, "id" | "data" | "requestInfo">,
  bytes: number,
): Promise<string> {
  // An address that everybody has would let one person keep all others out.
  const ip = tenant.requestInfo.sharedIp ? undefined : tenant.requestInfo.ip;
  if (ip === undefined) {
    // Ids that sort by time, in a range of their own: no other login session's begins with this character.
    const id = `${unaddressed}${installation.random.record()}${installation.random.token(24)}`;
    const last = installation.loginSessions.keep(tenant.id, id, bytes);
    if (last !== undefined) await tenant.data.login_sessions.delete({ id: { gte: unaddressed, lte: last } });
    return id;
  }
  const seconds = installation.loginSessions.take(tenant.id, ip, bytes);
  if (seconds === 0) return installation.random.token(24);
  const headers = { "retry-after": String(seconds) };
  throw new PosternError("TOO_MANY_REQUESTS", "Too many logins were begun from this address. Please try again later.", { headers });
}
