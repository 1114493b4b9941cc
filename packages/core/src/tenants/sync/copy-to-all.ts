import { endOfTurn } from "../../store/turn.ts";
import type { Row } from "../../store/schema.ts";
import { copyToTenant, type Copying } from "./copy-to-tenant.ts";

/** The progress of copying to all tenants. */
export interface SyncProgress {
  /** The last tenant that was handled, in the order of ids. After a crash, copying continues there. */
  readonly position: string;
  /** The number of tenants that now have the shared resources. */
  readonly done: number;
  /** The number of these tenants in which a copy is missing, because one of the tenant's own resources has its name. */
  readonly skipped: number;
  /** The number of tenants that could not be written to. The log contains the reasons. */
  readonly failed: number;
}

/** Options of copying to all tenants. */
interface CopyOptions {
  /** Continue after this tenant. The empty string starts at the first one. */
  readonly position: string;
  /** Called and awaited after every few tenants. An exception ends the copying. */
  report(progress: SyncProgress): Promise<void>;
}

/** Number of tenants that are handled in parallel. */
const page = 10;

/**
 * Copies the shared resources to every tenant. A failure in one tenant does not prevent the copies in others. @throws
 * what `report` throws.
 */
export async function syncAll(installation: Copying, { position: after, report }: CopyOptions): Promise<SyncProgress> {
  let progress: SyncProgress = { position: after, done: 0, skipped: 0, failed: 0 };
  for (;;) {
    const tenants = await nextTenants(installation, progress.position);
    const others = tenants.filter(({ id }) => id !== installation.controlPlaneTenantId);
    const copies: Promise<Outcome>[] = [];
    for (const { id } of others) {
      copies.push(copyOne(installation, id));
      // A database in the same process responds in the same turn. Without this pause, no request would be served until
      // all copies are made.
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

type Outcome = "done" | "skipped" | "failed";

async function copyOne(installation: Copying, tenantId: string): Promise<Outcome> {
  try {
    const skipped = await copyToTenant(installation, tenantId);
    if (skipped.length === 0) return "done";
    installation.host.logger.log({ level: "warn", event: "copies_left_out", tenant_id: tenantId, left_out: skipped });
    return "skipped";
  } catch (error) {
    installation.host.logger.log({ level: "error", event: "sync_failed", tenant_id: tenantId, error });
    return "failed";
  }
}
