import { PosternError } from "../../errors.ts";
import { networkOf } from "../../adapters/addresses.ts";
import type { Installation } from "../installation.ts";
import { removeClient } from "../remove-client.ts";
import type { RequestTenant } from "../tenant.ts";

type Limited = Pick<Installation, "processState" | "externalClientLimits">;

/** Milliseconds for which an unused client is never deleted: long enough for a user to sign in and to consent. */
const timeToSignIn = 10 * 60_000;

/** The number of unused clients above the limit that are read, because parallel requests may exceed the limit. */
const atOnce = 50;

/**
 * Counts a registration without an initial access token, and makes room for the client.
 * @see makeRoomForClient
 * @throws {PosternError} `TOO_MANY_REQUESTS`
 */
export async function admitRegistration(installation: Limited, tenant: RequestTenant): Promise<void> {
  const { registrationsPerAddress } = installation.externalClientLimits;
  requireNoWait(
    countForAddress(installation, tenant, "registrations", registrationsPerAddress),
    "Too many clients were registered from this IP address.",
  );
  await makeRoomForClient(installation, tenant);
}

/** Counts a metadata document that is fetched for a stranger. @throws {PosternError} `TOO_MANY_REQUESTS` */
export function admitDocument(installation: Limited, tenant: RequestTenant): void {
  const { processState, externalClientLimits: limits } = installation;
  requireNoWait(
    countForAddress(installation, tenant, "documents", limits.clientDocumentsPerAddress),
    "Too many new apps were named from this IP address.",
  );
  requireNoWait(processState.strangers.take(["documents", tenant.id], limits.clientDocumentsPerTenant), "Too many new apps were named.");
}

/**
 * Deletes the oldest unused client if the tenant has the maximum number of them. Parallel requests may exceed that
 * number by their own number.
 * @throws {PosternError} `TOO_MANY_REQUESTS` if all of them are new.
 */
export async function makeRoomForClient({ externalClientLimits: limits }: Limited, tenant: RequestTenant): Promise<void> {
  // A range, because the index on the field then selects the rows.
  const where = { unused_since: { gt: 0 } } as const;
  const limit = limits.unusedClients + atOnce;
  const unused = await tenant.data.clients.find({ where, fields: ["client_id", "unused_since"], limit });
  if (unused.length < limits.unusedClients) return;
  const end = tenant.now() - timeToSignIn;
  const since = ({ unused_since: start }: (typeof unused)[number]): number => start ?? Infinity;
  const oldestFirst = unused.filter((client) => since(client) <= end).toSorted((a, b) => since(a) - since(b));
  // If a parallel request deleted the client or a user accepted it, the next one makes room.
  for (const client of oldestFirst) if (await removeClient(tenant, client, where)) return;
  requireNoWait(60, "Too many clients were registered that no user has accepted yet.");
}

/** @returns 0 if the use is within the limit, and if the address is unknown or shared; otherwise the seconds to wait. */
function countForAddress({ processState }: Limited, { id, requestInfo }: RequestTenant, kind: string, maximum: number): number {
  const { ip, sharedIp } = requestInfo;
  // If all visitors share an address, one of them could use up the limit of all.
  return sharedIp || ip === undefined ? 0 : processState.strangers.take([kind, id, networkOf(ip)], maximum);
}

function requireNoWait(seconds: number, description: string): void {
  if (seconds === 0) return;
  throw new PosternError("TOO_MANY_REQUESTS", `${description} Please try again later.`, { headers: { "retry-after": String(seconds) } });
}
