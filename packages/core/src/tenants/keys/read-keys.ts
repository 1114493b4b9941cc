import { boundedMap, type BoundedMap } from "../../store/bounded-map.ts";
import { readAll } from "../../store/read-all.ts";
import { schema } from "../../store/schema.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import type { StoredSigningKey } from "../../tokens/keys/signing-keys.ts";
import type { Installation } from "../installation.ts";
import { placedTenants, sharedPlaces } from "./shared-issuer.ts";

/** Returns the signing keys of one tenant. */
export async function keysOf({ cache, scope }: Installation, tenantId: string): Promise<readonly StoredSigningKey[]> {
  const read = async (): Promise<readonly StoredSigningKey[]> => {
    const rows = await readAll(scope(tenantId).signing_keys, schema.signing_keys.key, {});
    return rows.map((row) => ({ ...row, tenant_id: tenantId }));
  };
  return (await cache.get(tenantId, "signing_keys", ["all"], read)) ?? [];
}

/**
 * Returns the keys that are valid under the configured issuer: those of the control plane, and those of other tenants
 * that have a place there (see {@link placedTenants}).
 */
export async function sharedIssuerKeys(installation: Installation): Promise<readonly StoredSigningKey[]> {
  const { controlPlaneTenantId, stores } = installation;
  const [first, placed] = await Promise.all([
    controlPlaneTenantId === undefined ? [] : keysOf(installation, controlPlaneTenantId),
    placedTenants(installation),
  ]);
  const others = placed.filter((tenantId) => tenantId !== controlPlaneTenantId);
  const read = stores.isolated ? keysOfOwnDatabase : keysOf;
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
      () => keysOf(installation, tenantId),
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
