import { endOfTurn } from "../../store/turn.ts";
import type { Row } from "../../store/schema.ts";
import { copyToTenant, type Copying } from "./copy-to-tenant.ts";

/** How far a walk over all tenants came. */
export interface SyncProgress {
  /** The last tenant of those that were gone through, in the order of their ids: a walk that was lost goes on there. */
  readonly position: string;
  /** Tenants that now have what the control plane shares. */
  readonly done: number;
  /** Those of them that were left without a copy, since they have a record of their own by its name. */
  readonly skipped: number;
  /** Tenants that could not be written to; the log says why. */
  readonly failed: number;
}

/** How a walk over all tenants goes. */
export interface SyncOptions {
  /** Where to begin: after this tenant. '' begins at the first. */
  readonly position: string;
  /** Told after every few tenants, and waited for. What it throws ends the walk. */
  report(progress: SyncProgress): Promise<void>;
}

/** Tenants that are worked on at a time. */
const page = 10;

/** Brings what the control plane shares to every tenant. One that fails stops no other. @throws what `report` throws. */
export async function syncAll(installation: Copying, { position: after, report }: SyncOptions): Promise<SyncProgress> {
  let progress: SyncProgress = { position: after, done: 0, skipped: 0, failed: 0 };
  for (;;) {
    const tenants = await nextTenants(installation, progress.position);
    const others = tenants.filter(({ id }) => id !== installation.controlPlaneTenantId);
    const copies: Promise<Outcome>[] = [];
    for (const { id } of others) {
      copies.push(copyOne(installation, id));
      // A database in the same process answers at once: without a turn for others, nobody would be served until the last tenant has its copies.
      await endOfTurn();
    }
    const outcomes = await Promise.all(copies);
    const count = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
    const { id: position } = tenants.at(-1) ?? { id: progress.position };
    progress = {
      position,
      done: progress.done + outcomes.length - count("failed"),
      skipped: progress.skipped + count("skipped"),
      failed: progress.failed + count("failed"),
    };
    if (tenants.length > 0) await report(progress);
    if (tenants.length < page) return progress;
  }
}

function nextTenants({ collections }: Copying, after: string): Promise<Pick<Row<"tenants">, "id">[]> {
  return collections.tenants.find({
    where: { id: { gt: after }, deleting_at: null, ready_at: { exists: true } },
    orderBy: { fields: ["id"], direction: "asc" },
    limit: page,
    fields: ["id"],
  });
}

type Outcome = "whole" | "skipped" | "failed";

async function copyOne(installation: Copying, tenantId: string): Promise<Outcome> {
  try {
    const leftOut = await copyToTenant(installation, tenantId);
    if (leftOut.length === 0) return "whole";
    installation.host.logger.log({ level: "warn", event: "copies_left_out", tenant_id: tenantId, left_out: leftOut });
    return "skipped";
  } catch (error) {
    installation.host.logger.log({ level: "error", event: "sync_failed", tenant_id: tenantId, error });
    return "failed";
  }
}
