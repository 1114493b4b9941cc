import type { ControlPlaneResolver, InheritsFrom } from "../../adapters/control-plane.ts";
import { UnavailableError } from "../../store/conflicts.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { findTenant, type Installation } from "../installation.ts";
import { TenantSettingsCache } from "../settings-cache.ts";

/** Whom a tenant inherits from. What that one inherits itself is not passed on. */
export interface InheritedTenant {
  readonly tenantId: string;
  /** What it has set itself. */
  readonly own: TenantSettingsCache;
  /** Its client whose settings clients fall back to. */
  readonly clientId: string | undefined;
}

/** Milliseconds that the host's resolver may take. */
const patience = 1000;

/**
 * Whom a tenant inherits from: whom `resolveControlPlane` names, else the control plane. Undefined for the control plane itself, and for a tenant that inherits nothing.
 * @throws {UnavailableError} where the resolver throws, takes too long, or names no other tenant: nobody is served by what they may not have inherited, or without what they have.
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

/** Asks the host's resolver. That a tenant inherits nothing is kept as any other answer is. */
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
