import type { Installation } from "../installation.ts";
import { syncIfChanged } from "../sync/schedule-sync.ts";
import { sharedStateDigest } from "../sync/shared-state-digest.ts";
import { beginOperation, operationStore } from "./operations.ts";

/** Operations per query. */
const page = 50;

/**
 * Stores a sync operation if the control plane's shared resources changed without one, because a process crashed
 * between the change and the operation. Each sync operation stores a digest of the resources that it copied. So this
 * detects every later change, including a change that `sweep` completed, and a setting that shares another kind of
 * resources.
 */
export async function scheduleMissedSync(installation: Installation): Promise<void> {
  const { sync, controlPlaneTenantId: tenantId } = installation;
  if (tenantId === undefined || !(sync.resourceServers || sync.roles)) return;
  const store = operationStore(installation);
  if (store === undefined) return syncIfChanged(installation);
  const newest = await store.operations.find({
    where: { tenant_id: tenantId },
    orderBy: { fields: ["tenant_id", "created_at", "id"], direction: "desc" },
    limit: page,
  });
  const last = newest.find(({ kind }) => kind === "sync");
  if (last !== undefined && last.finished_at === null) return;
  const known = last === undefined ? "" : last.status === "succeeded" ? last.input["picture"] : undefined;
  if ((await sharedStateDigest(installation)) !== known) await beginOperation(installation, { kind: "sync", tenantId, status: "pending" });
}
