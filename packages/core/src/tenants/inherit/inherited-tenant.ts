import type { ControlPlaneResolver, InheritsFrom } from "../../adapters/control-plane.ts";
import { UnavailableError } from "../../store/conflicts.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { findTenant, type Installation } from "../installation.ts";
import { TenantSettingsCache } from "../settings-cache.ts";

/** The tenant that another tenant inherits from. Inheritance is not transitive. */
export interface InheritedTenant {
  readonly tenantId: string;
  /** The settings that it has set itself. */
  readonly own: TenantSettingsCache;
  /** The client that provides fallback settings for other clients. */
  readonly clientId: string | undefined;
}

/** Milliseconds before a call of the host application's resolver times out. */
const patience = 1000;

/**
 * Returns the tenant that a tenant inherits from: the result of `resolveControlPlane`, else the control plane.
 * Undefined for the control plane itself, and for a tenant that inherits nothing.
 * @throws {UnavailableError} if the resolver throws, times out, or returns something other than another tenant. Serving
 * the request with the wrong inherited settings, or without them, would be unsafe.
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

/** Calls the host application's resolver. The result that a tenant inherits nothing is cached too. */
async function resolve(
  installation: Installation,
  ask: ControlPlaneResolver,
  tenantId: string,
): Promise<{ readonly from: InheritsFrom | undefined }> {
  try {
    const answer: unknown = await withDeadline(
      async () => ask({ tenant_id: tenantId }),
      patience,
      "resolveControlPlane",
      installation.host.wait,
    );
    const from = answer === undefined ? undefined : readAnswer(answer);
    if (from?.tenantId === tenantId) throw new TypeError("resolveControlPlane named the tenant itself");
    if (from !== undefined && (await findTenant(installation, from.tenantId)) === undefined) {
      throw new TypeError(`resolveControlPlane named '${from.tenantId}', which is no tenant`);
    }
    return { from };
  } catch (cause) {
    installation.host.logger.log({ level: "error", event: "control_plane_unresolved", tenant_id: tenantId, error: cause });
    throw new UnavailableError(`whom tenant '${tenantId}' inherits from is not known`, { cause });
  }
}

function readAnswer(answer: unknown): InheritsFrom {
  if (typeof answer === "object" && answer !== null && "tenantId" in answer && typeof answer.tenantId === "string") {
    const clientId = "clientId" in answer ? answer.clientId : undefined;
    if (clientId === undefined) return { tenantId: answer.tenantId };
    if (typeof clientId === "string") return { tenantId: answer.tenantId, clientId };
  }
  throw new TypeError("resolveControlPlane answered with neither undefined nor { tenantId, clientId? }");
}
