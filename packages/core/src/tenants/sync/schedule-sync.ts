import type { RequestInfo } from "../../context.ts";
import type { Installation } from "../installation.ts";
import { beginOperation, operationStore } from "../lifecycle/operations.ts";
import { syncAll } from "./copy-to-all.ts";
import { sharedStateDigest } from "./shared-state-digest.ts";
import { runOperation } from "../lifecycle/run-operation.ts";

/** Installations with a sync in progress, and whether the shared resources have changed since the sync began. */
const running = new WeakMap<Installation, { again: boolean }>();

/** The digest of the resources that were last copied, if operations are not stored. */
const copiedDigests = new WeakMap<Installation, string>();

/**
 * Copies the changed resources of the control plane to every tenant after the response to the current request. Stores
 * an operation, which another process continues after a crash. If operations are not stored, this process copies the
 * resources directly.
 */
export async function scheduleSync(installation: Installation, { afterResponse }: RequestInfo): Promise<void> {
  const { sync, executor, controlPlaneTenantId: tenantId } = installation;
  if (tenantId === undefined || !(sync.resourceServers || sync.roles)) return;
  const store = operationStore(installation);
  if (store === undefined) {
    const work = () => syncOnce(installation.jobs);
    if (afterResponse === undefined) void work();
    else afterResponse(work);
    return;
  }
  // A pending operation will copy this change as well.
  const open = await store.operations.find({ where: { tenant_id: tenantId, finished_at: null }, limit: 50, fields: ["kind", "status"] });
  const waiting = open.find(({ kind, status }) => kind === "sync" && status === "pending");
  if (waiting !== undefined) return;
  const { id } = await beginOperation(installation, { kind: "sync", tenantId, status: "pending" });
  if (id === undefined) return;
  executor.submit(id, afterResponse, async () => {
    await runOperation(installation.jobs, id);
  });
}

/**
 * Copies the shared resources if this process has not copied their current state. Used if operations are not stored.
 */
export async function syncIfChanged({ jobs: installation }: Installation): Promise<void> {
  if ((copiedDigests.get(installation) ?? "") !== (await sharedStateDigest(installation))) await syncOnce(installation);
}

/**
 * Copies the shared resources to all tenants, one sync at a time. A change during a sync starts another sync after it.
 */
async function syncOnce(installation: Installation): Promise<void> {
  const known = running.get(installation);
  if (known !== undefined) {
    known.again = true;
    return;
  }
  const state = { again: true };
  running.set(installation, state);
  try {
    while (state.again) {
      state.again = false;
      copiedDigests.set(installation, await sharedStateDigest(installation));
      await syncAll(installation, { position: "", report: async () => {} });
    }
  } catch (error) {
    installation.host.logger.log({ level: "error", event: "sync_failed", error });
  } finally {
    running.delete(installation);
  }
}
