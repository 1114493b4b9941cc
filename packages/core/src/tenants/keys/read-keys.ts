import { boundedMap, type BoundedMap } from "../../store/bounded-map.ts";
import { readAll } from "../../store/read-all.ts";
import { schema } from "../../store/schema.ts";
import { createElapsed } from "../../adapters/clock.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { shareWork, type SharedWork } from "../../telemetry/shared-work.ts";
import type { StoredSigningKey } from "../../tokens/keys/signing-keys.ts";
import type { Installation } from "../installation.ts";
import { placedTenants, sharedPlaces } from "./shared-issuer.ts";

/** Returns the signing keys of one tenant, as this process read them at most five seconds ago. */
export async function keysOf(installation: Installation, tenantId: string): Promise<readonly StoredSigningKey[]> {
  return (await installation.cache.get(tenantId, "signing_keys", ["all"], () => readKeys(installation, tenantId))) ?? [];
}

/**
 * Reads the keys of a tenant again, at most once a second, and replaces the cached keys if they changed. For a token with
 * an unknown key, which another process may have created. Parallel callers share one read.
 */
export function rereadKeys(installation: Installation, tenantId: string): Promise<void> {
  const { rereads } = recentReads(installation);
  const known = rereads.get(tenantId);
  if (known !== undefined) return known.join();
  const reading = shareWork(installation.host.telemetry, "load signing_keys", () => replaceChangedKeys(installation, tenantId));
  rereads.set(tenantId, reading);
  // A failure is not remembered: the next request tries again.
  reading.result.catch(() => rereads.delete(tenantId));
  return reading.result;
}

/** Returns the signing keys of one tenant, read at most a second ago. For the JWKS, whose readers look for a new key. */
async function latestKeysOf(installation: Installation, tenantId: string): Promise<readonly StoredSigningKey[]> {
  const cached = await keysOf(installation, tenantId);
  if (recentReads(installation).loads.get(tenantId) !== undefined) return cached;
  await rereadKeys(installation, tenantId);
  return keysOf(installation, tenantId);
}

async function replaceChangedKeys(installation: Installation, tenantId: string): Promise<void> {
  const cached = await keysOf(installation, tenantId);
  const found = await readKeys(installation, tenantId);
  // The cached keys stay if the read fails, so that a database outage does not invalidate known tokens.
  if (JSON.stringify(found) !== JSON.stringify(cached)) installation.cache.invalidate(tenantId, "signing_keys");
}

async function readKeys(installation: Installation, tenantId: string): Promise<readonly StoredSigningKey[]> {
  recentReads(installation).loads.set(tenantId, true);
  const rows = await readAll(installation.scope(tenantId).signing_keys, schema.signing_keys.key, {});
  return rows.map((row) => ({ ...row, tenant_id: tenantId }));
}

/** The reads of keys in the last second, by tenant. */
interface RecentReads {
  /** Every read. */
  readonly loads: BoundedMap<true>;
  /** The reads that {@link rereadKeys} started. */
  readonly rereads: BoundedMap<SharedWork<void>>;
}

const recent = new WeakMap<Installation, RecentReads>();

function recentReads(installation: Installation): RecentReads {
  const known = recent.get(installation);
  if (known !== undefined) return known;
  const expiry = { lifetime: 1000, elapsed: createElapsed(installation.host.clock) };
  const created = { loads: boundedMap<true>({ expiry }), rereads: boundedMap<SharedWork<void>>({ expiry }) };
  recent.set(installation, created);
  return created;
}

/** Returns the signing keys of several tenants, read at most a second ago. */
export async function latestKeysOfAll(installation: Installation, tenantIds: readonly string[]): Promise<readonly StoredSigningKey[]> {
  return (await Promise.all(tenantIds.map((tenantId) => latestKeysOf(installation, tenantId)))).flat();
}

/**
 * Returns the keys that are valid under the configured issuer: those of the control plane, and those of other tenants
 * that have a place there (see {@link placedTenants}).
 */
export async function sharedIssuerKeys(installation: Installation): Promise<readonly StoredSigningKey[]> {
  const { controlPlaneTenantId, stores } = installation;
  const [first, placed] = await Promise.all([
    controlPlaneTenantId === undefined ? [] : latestKeysOf(installation, controlPlaneTenantId),
    placedTenants(installation),
  ]);
  const others = placed.filter((tenantId) => tenantId !== controlPlaneTenantId);
  const read = stores.isolated ? keysOfOwnDatabase : latestKeysOf;
  const found = await Promise.all(others.map((tenantId) => read(installation, tenantId)));
  return [...first, ...found.flat()];
}

/** Milliseconds that a request waits for the database of another tenant. */
const readTimeout = 1000;
const lastRead = new WeakMap<Installation, BoundedMap<readonly StoredSigningKey[]>>();

/**
 * Returns the keys in a tenant-specific database. If the database does not respond, returns the keys that were last
 * read, so that other tenants are still served.
 */
async function keysOfOwnDatabase(installation: Installation, tenantId: string): Promise<readonly StoredSigningKey[]> {
  const known = lastRead.get(installation) ?? boundedMap<readonly StoredSigningKey[]>({ entries: sharedPlaces });
  lastRead.set(installation, known);
  try {
    const keys = await withDeadline(
      () => latestKeysOf(installation, tenantId),
      readTimeout,
      `the database of tenant '${tenantId}'`,
      installation.host.wait,
    );
    known.set(tenantId, keys);
    return keys;
  } catch {
    // The error is logged where the database is opened.
    return known.get(tenantId) ?? [];
  }
}
