import type { Installation } from "../installation.ts";

/**
 * Tenants whose own keys may count at the configured issuer, besides the control plane. Every client of every tenant reads the JWKS there: it does not grow with the number of tenants
 * that rotate.
 */
export const sharedPlaces = 50;

/** The tenants that have a place, besides the control plane: their own keys sign at the configured issuer, and stand in its JWKS. */
export async function placedTenants({ cache, collections }: Installation): Promise<readonly string[]> {
  return (await cache.get("", "directory", ["keys"], () => readPlaces(collections)))?.map(({ tenant_id }) => tenant_id) ?? [];
}

/**
 * Gives a tenant a place, where it has none: the insert into the directory decides, so that of any number of parallel calls no two take one place. Repeatable.
 * @returns false where every place is another tenant's.
 */
export async function takePlace(installation: Installation, tenantId: string): Promise<boolean> {
  const { cache, collections } = installation;
  // Whoever comes too late for a place tries the next: others take at most all of them meanwhile.
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
