import type { Tenant } from "../tenancy/tenant.ts";

/**
 * Returns the tenant's name for pages and messages: the friendly name, else the name.
 * Both default to the tenant's id, which means nothing to a visitor; the host of the tenant's URLs is returned then.
 */
export function tenantNameOf({ id, record, urls }: Pick<Tenant, "id" | "record" | "urls">): string {
  return [record.friendly_name, record.name].find((name) => name.trim() !== "" && name !== id) ?? urls.host;
}
