import type { Resealed } from "../../tenants/key-ring.ts";
import { endOfTurn } from "../../store/turn.ts";
import type { AnyRow, Collection, Collections, Match } from "../../store/contract.ts";
import { schema, type Row, type TenantCollectionName } from "../../store/schema.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import { findTenant, type Installation } from "../../tenants/installation.ts";
import { RequestTenant } from "../../tenants/tenant.ts";

/** Options of `sweep`. */
export interface SweepOptions {
  /**
   * Approximate maximum number of rows to delete or re-encrypt. Default 10,000, which takes some seconds on any
   * database.
   */
  readonly budget?: number;
}

/** The result of one part of `sweep`. */
export interface SweepCount {
  /** The number of deleted rows. */
  readonly removed: number;
  /** Whether nothing is left to do. If false, call again, now or later. */
  readonly finished: boolean;
}

/** The result of `sweep`. */
export interface SweepResult extends SweepCount, Resealed {
  /**
   * Tenants whose databases failed or did not respond (`databaseIsolation`). They were skipped, and are tried again in
   * the next round. The reasons are in the log (event `sweep_failed`). While any tenant is skipped, `olderKeysInUse`
   * stays true.
   */
  readonly skippedTenants: readonly string[];
}

/** Rows per query. */
const chunk = 500;

/** Number of expired sessions that are processed before other work gets a turn of the event loop. */
const sessionsPerTurn = 50;

/** Milliseconds by which a session is extended if an active refresh token still refers to it. */
const extension = 86_400_000;

/**
 * Deletes expired rows in chunks. Each delete is conditional on the expiry that was read. So calls can run in parallel
 * in several processes, can stop at any point, and are safe to repeat.
 * @param countedUntil log events before this instant are counted in the daily statistics. Later ones are not deleted yet.
 */
export async function sweepExpired(
  installation: Pick<Installation, "now">,
  collections: Collections,
  budget: number,
  countedUntil: number,
): Promise<SweepCount> {
  const now = installation.now();
  let removed = 0;
  for (const description of Object.values(schema)) {
    if (!("expiry" in description)) continue;
    const { name, expiry } = description;
    // A condition on a field that the description names. Row types differ between collections.
    const collection = collections[name] as unknown as Collection | undefined;
    if (collection === undefined) continue;
    const fields = name === "sessions" ? ["tenant_id", "id"] : [expiry];
    const condition: Match<AnyRow> = name === "logs" ? { date: { lt: countedUntil } } : {};
    for (;;) {
      if (removed >= budget) return { removed, finished: false };
      const expired = await collection.find({ where: { [expiry]: { lt: now }, ...condition }, fields, limit: chunk });
      if (expired.length === 0) break;
      removed +=
        name === "sessions" ? await removeSessions(collections, expired, now) : await removeRange(collection, expiry, expired, condition);
      if (expired.length < chunk) break;
      // A database in the same process responds in the same turn. This pause lets other work run in between.
      await endOfTurn();
    }
  }
  return { removed, finished: true };
}

/**
 * Deletes all rows between the oldest and the newest expiry of `expired`. The condition has a lower and an upper bound,
 * because planners expect few rows in such a range and use the index even without statistics.
 */
async function removeRange(collection: Collection, expiry: string, expired: readonly AnyRow[], condition: Match<AnyRow>): Promise<number> {
  const times = expired.map((row) => Number(row[expiry]));
  return collection.delete({ ...condition, [expiry]: { gte: Math.min(...times), lte: Math.max(...times) } });
}

/**
 * Deletes expired sessions. A session that an active refresh token refers to stays stored for another day, because a
 * later revocation of the session must still apply to the token.
 */
async function removeSessions(collections: Collections, expired: readonly AnyRow[], now: number): Promise<number> {
  let removed = 0;
  for (const [i, row] of expired.entries()) {
    const key = { tenant_id: String(row["tenant_id"]), id: String(row["id"]) };
    const tokens = await collections.refresh_tokens.count({ tenant_id: key.tenant_id, session_id: key.id, revoked_at: null });
    if (tokens > 0) await collections.sessions.update(key, { set: { purge_at: now + extension } });
    else removed += await collections.sessions.delete({ ...key, purge_at: { lt: now } });
    if ((i + 1) % sessionsPerTurn === 0) await endOfTurn();
  }
  return removed;
}

/**
 * Functions that complete deletions in progress, one per collection. Each is called with rows of one tenant. The
 * function throws when the limit is reached.
 */
export type DeletionFunctions = {
  readonly [Name in TenantCollectionName]?: (rows: readonly Row<Name>[], tenant: RequestTenant, limit: WorkLimit) => Promise<void>;
};

/**
 * Milliseconds after which `sweep` continues a deletion. By then, the process that began it has responded or crashed.
 */
const deletionGracePeriod = 60_000;

/**
 * Completes deletions that began more than a minute ago: those that outlasted their request, and those that a crashed
 * process left.
 */
export async function completeDeletions(
  installation: Installation,
  collections: Collections,
  removals: DeletionFunctions,
  budget: number,
): Promise<SweepCount> {
  const limit = new WorkLimit(budget);
  const finished = await limit.run(async () => {
    for (const [name, finish] of Object.entries(removals) as [TenantCollectionName, FinishRows][]) {
      const collection = collections[name] as unknown as Collection;
      for (;;) {
        const where = { deleting_at: { lt: installation.now() - deletionGracePeriod } };
        const rows = await collection.find({ where, limit: chunk });
        for (const [tenantId, ofTenant] of Map.groupBy(rows, (row) => String(row["tenant_id"]))) {
          const tenant = await tenantForSweep(installation, tenantId);
          if (tenant === undefined) {
            // Counted, so that the loop ends even if all rows belong to deleted tenants.
            await limit.batch(ofTenant.length);
            continue;
          }
          await finish(
            ofTenant.map(({ tenant_id: _, ...row }) => row),
            tenant,
            limit,
          );
        }
        if (rows.length < chunk) break;
        await endOfTurn();
      }
    }
  });
  return { removed: limit.handled, finished };
}

type FinishRows = (rows: readonly AnyRow[], tenant: RequestTenant, limit: WorkLimit) => Promise<void>;

/** Request data for audit events of `sweep`, which do not belong to a request. */
const ownFacts = { requestId: "sweep", ip: undefined, sharedIp: false, userAgent: "", hostname: "", acceptLanguage: "" };

/** Returns a tenant for work of `sweep`; undefined if it does not exist or is being deleted. */
export async function tenantForSweep(installation: Installation, tenantId: string): Promise<RequestTenant | undefined> {
  const entry = await findTenant(installation, tenantId);
  return entry && new RequestTenant(installation, entry, installation.urls, ownFacts);
}
