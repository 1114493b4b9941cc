import { sha256 } from "../../adapters/digest.ts";
import { findTenant, type Installation } from "../installation.ts";
import { readShared } from "./shared-records.ts";

/**
 * Returns a digest of the resources that the control plane shares now. The digest differs after each change, and is
 * empty if nothing is shared.
 */
export async function sharedStateDigest(installation: Installation): Promise<string> {
  const { sync, controlPlaneTenantId } = installation;
  if (controlPlaneTenantId === undefined || !(sync.resourceServers || sync.roles)) return "";
  if ((await findTenant(installation, controlPlaneTenantId)) === undefined) return "";
  const { apis, roles, permissions } = await readShared(installation.scope(controlPlaneTenantId), sync);
  const shared = [sync.resourceServers ? apis : [], roles, permissions];
  return shared.every((rows) => rows.length === 0) ? "" : sha256(JSON.stringify(shared));
}
