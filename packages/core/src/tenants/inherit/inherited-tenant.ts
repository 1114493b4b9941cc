import type { ControlPlaneResolver, ControlPlaneReference } from "../../adapters/control-plane.ts";
import { UnavailableError } from "../../store/conflicts.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { findTenant, type Installation } from "../installation.ts";
import { TenantSettingsCache } from "../settings-cache.ts";

/** The tenant that another tenant inherits from. Inheritance is not transitive. */
export interface InheritedTenant {
  readonly tenantId: string;
  /** The settings of that tenant, without those that it inherits. */
  readonly own: TenantSettingsCache;
  /** The client that provides fallback settings for other clients. */
  readonly clientId: string | undefined;
}

/** Milliseconds before a call of the host application's resolver times out. */
const resolverTimeout = 1000;

/**
 * Returns the tenant that a tenant inherits from: the result of `resolveControlPlane`, else the control plane.
 * Undefined for the control plane itself, and for a tenant that inherits nothing.
 * @throws {UnavailableError} if the resolver throws, times out, or returns neither undefined nor another existing
 * tenant. Serving the request with the wrong inherited settings, or without them, would be unsafe.
 */
export async function inheritedTenantOf(installation: Installation, tenantId: string): Promise<InheritedTenant | undefined> {
  const { controlPlaneTenantId, controlPlaneClientId, resolveControlPlane, cache } = installation;
  if (tenantId === controlPlaneTenantId) return undefined;
  if (resolveControlPlane === undefined)
    return controlPlaneTenantId === undefined ? undefined : toSource(installation, controlPlaneTenantId, controlPlaneClientId);
  const resolved = await cache.get(tenantId, "tenants", ["inherits from"], () => resolve(installation, resolveControlPlane, tenantId));
  return resolved?.from && toSource(installation, resolved.from.tenantId, resolved.from.clientId);
}

function toSource(installation: Installation, tenantId: string, clientId: string | undefined): InheritedTenant {
  return { tenantId, own: new TenantSettingsCache(installation, tenantId), clientId };
}

/**
 * Calls the host application's resolver. The result is an object, so that it is also cached if the tenant inherits
 * nothing.
 */
async function resolve(
  installation: Installation,
  resolver: ControlPlaneResolver,
  tenantId: string,
): Promise<{ readonly from: ControlPlaneReference | undefined }> {
  try {
    const result: unknown = await withDeadline(
      async () => resolver({ tenant_id: tenantId }),
      resolverTimeout,
      "resolveControlPlane",
      installation.host.wait,
    );
    const from = result === undefined ? undefined : parseResult(result);
    if (from?.tenantId === tenantId) throw new TypeError("resolveControlPlane returned the tenant itself");
    if (from !== undefined && (await findTenant(installation, from.tenantId)) === undefined) {
      throw new TypeError(`resolveControlPlane returned '${from.tenantId}', which is not a tenant`);
    }
    return { from };
  } catch (cause) {
    installation.host.logger.log({ level: "error", event: "control_plane_unresolved", tenant_id: tenantId, error: cause });
    throw new UnavailableError(`cannot determine the tenant that tenant '${tenantId}' inherits from`, { cause });
  }
}

function parseResult(result: unknown): ControlPlaneReference {
  if (typeof result === "object" && result !== null && "tenantId" in result && typeof result.tenantId === "string") {
    const clientId = "clientId" in result ? result.clientId : undefined;
    if (clientId === undefined) return { tenantId: result.tenantId };
    if (typeof clientId === "string") return { tenantId: result.tenantId, clientId };
  }
  throw new TypeError("resolveControlPlane must return undefined or { tenantId, clientId? }");
}
