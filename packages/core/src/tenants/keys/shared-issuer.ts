import type { Installation } from "../installation.ts";

/**
 * Maximum number of tenants, other than the control plane, whose keys are valid under the configured issuer. Every
 * client of every tenant reads the JWKS there, so it must not grow with the number of tenants.
 */
export const sharedPlaces = 50;

/**
 * Returns the tenants, other than the control plane, that have one of the {@link sharedPlaces}. Their keys are valid
 * under the configured issuer and are listed in its JWKS.
 */
export async function placedTenants({ cache, collections }: Installation): Promise<readonly string[]> {
  return (await cache.get("", "directory", ["keys"], () => readPlaces(collections)))?.map(({ tenant_id }) => tenant_id) ?? [];
}

/**
 * Assigns one of the {@link sharedPlaces} to a tenant, unless it has one. A place is a unique row of the directory, so
 * that parallel calls never assign the same place. Safe to repeat.
 * @returns false if all places belong to other tenants.
 */
export async function takePlace(installation: Installation, tenantId: string): Promise<boolean> {
  const { cache, collections } = installation;
  // Each conflict means that another call took a place. So after as many attempts as places, all are taken.
  for (let attempt = 0; attempt <= sharedPlaces; attempt++) {
    const taken = await readPlaces(collections);
    if (taken.some(({ tenant_id }) => tenant_id === tenantId)) return true;
    const free = Array.from({ length: sharedPlaces }, (_, place) => String(place)).find(
      (place) => !taken.some(({ value }) => value === place),
    );
    if (free === undefined) return false;
    const entry = { kind: "keys", value: free, tenant_id: tenantId, created_at: installation.now() };
    if (await collections.directory.insert([entry])) {
      cache.invalidate("", "directory");
      return true;
    }
  }
  return false;
}

function readPlaces({ directory }: Installation["collections"]) {
  return directory.find({ where: { kind: "keys" }, limit: sharedPlaces });
}
