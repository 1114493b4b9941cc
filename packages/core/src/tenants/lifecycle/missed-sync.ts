import type { Installation } from "../installation.ts";
import { syncIfChanged } from "../sync/schedule-sync.ts";
import { sharedStateDigest } from "../sync/shared-state-digest.ts";
import { beginOperation, operationStore } from "./operations.ts";

/** Operations per query. */
const page = 50;

/**
 * Starts a copy of the control plane's shared records that a crashed process did not start: it changed them without
 * storing an operation. Each operation stores a digest of the records that it copied. So any later change is detected,
 * including one that `sweep` finished, and a kind of records that is shared only since then.
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
