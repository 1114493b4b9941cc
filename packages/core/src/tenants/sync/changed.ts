import type { RequestInfo } from "../../context.ts";
import type { Installation } from "../installation.ts";
import { beginOperation, operationStore } from "../lifecycle/operations.ts";
import { syncAll } from "./copy-to-all.ts";
import { sharedStateDigest } from "./shared-state-digest.ts";
import { runOperation } from "../lifecycle/run-operation.ts";

/** Installations of which a walk is under way, and whether what it brings has changed since it began. */
const walks = new WeakMap<Installation, { again: boolean }>();

/** What was brought by the last walk, where operations are not kept. */
const pictures = new WeakMap<Installation, string>();

/**
 * Has a change of what the control plane shares brought to every tenant, when the answer to whoever made it is on its way: by an operation that goes on where a lost process left it.
 * Where operations are not kept, this process walks through the tenants by itself.
 */
export async function controlPlaneChanged(installation: Installation, { afterAnswer }: RequestInfo): Promise<void> {
  const { sync, executor, controlPlaneTenantId: tenantId } = installation;
  if (tenantId === undefined || !(sync.resourceServers || sync.roles)) return;
  const store = operationStore(installation);
  if (store === undefined) {
    const work = () => walk(installation.jobs);
    if (afterAnswer === undefined) void work();
    else afterAnswer(work);
    return;
  }
  // One that waits will bring this change as well.
  const open = await store.operations.find({ where: { tenant_id: tenantId, finished_at: null }, limit: 50, fields: ["kind", "status"] });
  const waiting = open.find(({ kind, status }) => kind === "sync" && status === "pending");
  if (waiting !== undefined) return;
  const { id } = await beginOperation(installation, { kind: "sync", tenantId, status: "pending" });
  if (id === undefined) return;
  executor.submit(id, afterAnswer, async () => {
    await runOperation(installation.jobs, id);
  });
}

/** Walks through the tenants where something is shared that no walk of this process has brought: for installations that keep no operations. */
export async function walkIfChanged({ jobs: installation }: Installation): Promise<void> {
  if ((pictures.get(installation) ?? "") !== (await sharedStateDigest(installation))) await walk(installation);
}

/** One walk at a time: a change while one is under way is brought by the next, which begins when it is over. */
async function walk(installation: Installation): Promise<void> {
  const known = walks.get(installation);
  if (known !== undefined) {
    known.again = true;
    return;
  }
  const state = { again: true };
  walks.set(installation, state);
  try {
    while (state.again) {
      state.again = false;
      pictures.set(installation, await sharedStateDigest(installation));
      await syncAll(installation, { position: "", report: async () => {} });
    }
  } catch (error) {
    installation.host.logger.log({ level: "error", event: "sync_failed", error });
  } finally {
    walks.delete(installation);
  }
}
