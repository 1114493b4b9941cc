import type { Row } from "../../store/schema.ts";
import type { Installation } from "../installation.ts";
import { cacheKeyOf, TenantSettingsCache, type ApiKey } from "../settings-cache.ts";
import type { Api } from "../settings-cache.ts";
import { isNeverInherited } from "./never-inherited.ts";
import { inheritedTenantOf } from "./inherited-tenant.ts";

/**
 * An API of a tenant, or of the one that it inherits from. Its own comes first. Where the control plane's are copied, a copy is the tenant's own, and what has not been copied is not there:
 * what is given by roles refers to a record, and it would otherwise be lost when the copy comes.
 * That the tenant has none is kept only where it inherits one: names that are guessed fill no memory.
 */
export async function findApi(installation: Installation, own: TenantSettingsCache, key: ApiKey): Promise<Api | undefined> {
  const { tenantId } = own.data;
  const inherited = async (): Promise<Api | undefined> => {
    const source = await inheritedTenantOf(installation, tenantId);
    if (source === undefined || (installation.sync.resourceServers && source.tenantId === installation.controlPlaneTenantId))
      return undefined;
    const api = await source.own.api(key);
    return api && isLent(api.record) ? api : undefined;
  };
  const found = await installation.cache.get(tenantId, "resource_servers", ["any", ...cacheKeyOf(key)], async () => {
    const api = await own.readApi(key);
    if (api !== undefined) return { own: api };
    // Which one it is, and whether it still is inherited, is asked each time.
    return (await inherited()) && { own: undefined };
  });
  return found && (found.own ?? inherited());
}

/**
 * Whether an identifier is one that a tenant cannot give to an API of its own: the control plane's, whose tokens have the same issuer and are signed by the same keys, or that of the tenant
 * it inherits from.
 */
export async function isIdentifierAbove(installation: Installation, tenantId: string, identifier: string): Promise<boolean> {
  const { controlPlaneTenantId } = installation;
  if (tenantId === controlPlaneTenantId) return false;
  const source = await inheritedTenantOf(installation, tenantId);
  const owners = new Set([controlPlaneTenantId, source?.tenantId].filter((id) => id !== undefined));
  const found = await Promise.all([...owners].map((id) => installation.scope(id).resource_servers.count({ identifier })));
  return found.some((count) => count > 0);
}

/** Whether tenants that inherit from its owner can ask for tokens for an API. The Management API is each tenant's own, and what is a copy is its owner's to inherit. */
function isLent(record: Row<"resource_servers">): boolean {
  return !record.is_system && record.origin === null && !isNeverInherited(record.settings);
}
