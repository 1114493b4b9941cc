import { PosternError } from "../../errors.ts";
import { networkOf } from "../../adapters/addresses.ts";
import type { Installation } from "../installation.ts";
import { removeClient } from "../remove-client.ts";
import type { RequestTenant } from "../tenant.ts";

/** Milliseconds for which an unused client is never deleted: long enough for a user to sign in and to consent. */
const timeToSignIn = 10 * 60_000;

/** The number of unused clients above the limit that are read, because parallel registrations may exceed the limit. */
const atOnce = 50;

/**
 * Counts a registration without an initial access token, and deletes the oldest unused client if the tenant has the
 * maximum number of them. Parallel registrations may exceed that number by their own number.
 * @throws {PosternError} `TOO_MANY_REQUESTS`
 */
export async function admitRegistration(
  { processState, externalClientLimits: limits }: Pick<Installation, "processState" | "externalClientLimits">,
  tenant: RequestTenant,
): Promise<void> {
  const { ip, sharedIp } = tenant.requestInfo;
  // If all visitors share an address, one of them could use up the limit of all.
  const address = sharedIp ? undefined : ip;
  const seconds =
    address === undefined
      ? 0
      : processState.strangers.take(["registrations", tenant.id, networkOf(address)], limits.registrationsPerAddress);
  if (seconds > 0) throw tooMany("Too many clients were registered from this IP address. Please try again later.", seconds);

  // A range, because the index on the field then selects the rows.
  const where = { unused_since: { gt: 0 } } as const;
  const limit = limits.unusedRegistrations + atOnce;
  const unused = await tenant.data.clients.find({ where, fields: ["client_id", "unused_since"], limit });
  if (unused.length < limits.unusedRegistrations) return;
  const end = tenant.now() - timeToSignIn;
  const since = ({ unused_since: start }: (typeof unused)[number]): number => start ?? Infinity;
  const oldestFirst = unused.filter((client) => since(client) <= end).toSorted((a, b) => since(a) - since(b));
  // If a parallel request deleted the client or a user accepted it, the next one makes room.
  for (const client of oldestFirst) if (await removeClient(tenant, client, where)) return;
  throw tooMany("Too many clients were registered that no user has accepted yet. Please try again later.", 60);
}

function tooMany(description: string, seconds: number): PosternError {
  return new PosternError("TOO_MANY_REQUESTS", description, { headers: { "retry-after": String(seconds) } });
}
