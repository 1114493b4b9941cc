import type { Row } from "../../store/schema.ts";
import type { Installation } from "../installation.ts";
import { cacheKeyOf, TenantSettingsCache, type ApiKey } from "../settings-cache.ts";
import type { CachedApi } from "../settings-cache.ts";
import { isNeverInherited } from "./never-inherited.ts";
import { inheritedTenantOf } from "./inherited-tenant.ts";

/**
 * Returns a tenant-specific API; if it does not exist, the API that the tenant inherits. If the control plane's APIs
 * are copied, only copies are returned, never the originals. The permissions of roles refer to the row of an API, so
 * permissions for an original would be lost when the copy is created. The absence of a tenant-specific API is cached
 * only if an API is inherited, so that guessed names do not fill the cache.
 */
export async function findApi(installation: Installation, own: TenantSettingsCache, key: ApiKey): Promise<CachedApi | undefined> {
  const { tenantId } = own.data;
  const inherited = async (): Promise<CachedApi | undefined> => {
    const source = await inheritedTenantOf(installation, tenantId);
    if (source === undefined || (installation.sync.resourceServers && source.tenantId === installation.controlPlaneTenantId))
      return undefined;
    const api = await source.own.api(key);
    return api && isInheritable(api.record) ? api : undefined;
  };
  const found = await installation.cache.get(tenantId, "resource_servers", ["any", ...cacheKeyOf(key)], async () => {
    const api = await own.readApi(key);
    if (api !== undefined) return { own: api };
    // The inherited API itself is looked up for each call.
    return (await inherited()) && { own: undefined };
  });
  return found && (found.own ?? inherited());
}

/**
 * Whether an identifier is reserved, so that an API of the tenant cannot have it: an API of the control plane, or of
 * the tenant that this tenant inherits from, already has it. Tokens for the control plane's APIs have the same issuer
 * and are signed with the same keys.
 */
export async function isReservedIdentifier(installation: Installation, tenantId: string, identifier: string): Promise<boolean> {
  const { controlPlaneTenantId } = installation;
  if (tenantId === controlPlaneTenantId) return false;
  const source = await inheritedTenantOf(installation, tenantId);
  const owners = new Set([controlPlaneTenantId, source?.tenantId].filter((id) => id !== undefined));
  const found = await Promise.all([...owners].map((id) => installation.scope(id).resource_servers.count({ identifier })));
  return found.some((count) => count > 0);
}

/**
 * Whether child tenants inherit an API. The Management API is not inherited, because each tenant has a separate row for
 * it. Copies are not inherited: only the original is.
 */
function isInheritable(record: Row<"resource_servers">): boolean {
  return !record.is_system && record.origin === null && !isNeverInherited(record.settings);
}
