import type { Installation } from "../installation.ts";
import { walkIfChanged } from "../sync/changed.ts";
import { sharedStateDigest } from "../sync/shared-state-digest.ts";
import { beginOperation, operationStore } from "./operations.ts";

/** Operations that are looked through. */
const page = 50;

/**
 * Begins what a lost process did not: it changed what the control plane shares, and put no operation on record that brings it to the other tenants. Each one keeps a picture of what it
 * brought, so that any change after it is seen, also one that was finished by `sweep`, and a kind that is shared only now.
 */
export async function beginLostSync(installation: Installation): Promise<void> {
  const { sync, controlPlaneTenantId: tenantId } = installation;
  if (tenantId === undefined || !(sync.resourceServers || sync.roles)) return;
  const store = operationStore(installation);
  if (store === undefined) return walkIfChanged(installation);
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
