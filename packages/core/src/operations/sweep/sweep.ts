import type { Resealed } from "../../tenants/key-ring.ts";
import { endOfTurn } from "../../store/turn.ts";
import type { AnyRow, Collection, Collections } from "../../store/contract.ts";
import { schema, type Row, type TenantCollectionName } from "../../store/schema.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import { findTenant, type Installation } from "../../tenants/installation.ts";
import { Tenant } from "../../tenants/tenant.ts";

/** How much one call of `sweep` does. */
export interface SweepOptions {
  /** Rows to remove or to seal anew at most, roughly. Default 10,000: some seconds on any database. */
  readonly budget?: number;
}

/** What one part of `sweep` did. */
export interface Removed {
  /** Rows removed. */
  readonly removed: number;
  /** Whether nothing is left; else call again, now or later. */
  readonly finished: boolean;
}

/** What a call of `sweep` did. */
export interface Swept extends Removed, Resealed {
  /**
   * The tenants whose own databases failed or did not respond (`databaseIsolation`). They were skipped and have their turn again in the next round; the log has the reasons (event `sweep_failed`).
   * While there are any, `olderKeysInUse` stays true.
   */
  readonly skippedTenants: readonly string[];
}

/** Rows of one step. */
const chunk = 500;

/** Expired sessions that are handled between two turns of the event loop. */
const sessionsPerTurn = 50;

/** Milliseconds that a session is kept on, where a living refresh token still refers to it. */
const extension = 86_400_000;

/**
 * Removes rows whose expiry has passed, chunk by chunk. Every step names what it found to have expired, so steps may run side by side in several processes,
 * stop anywhere and be repeated.
 */
export async function sweepExpired(installation: Pick<Installation, "now">, collections: Collections, budget: number): Promise<Removed> {
  const now = installation.now();
  let removed = 0;
  for (const description of Object.values(schema)) {
    if (!("expiry" in description)) continue;
    const { name, expiry } = description;
    // One condition on a field that the description names; the row types differ from collection to collection.
    const collection = collections[name] as unknown as Collection | undefined;
    if (collection === undefined) continue;
    for (;;) {
      if (removed >= budget) return { removed, finished: false };
      const expired = await collection.find({ where: { [expiry]: { lt: now } }, limit: chunk });
      if (expired.length === 0) break;
      removed += name === "sessions" ? await removeSessions(collections, expired, now) : await removeUpTo(collection, expiry, expired);
      if (expired.length < chunk) break;
      // A database in the same process answers at once: others are to be served meanwhile.
      await endOfTurn();
    }
  }
  return { removed, finished: true };
}

async function removeUpTo(collection: Collection, expiry: string, expired: readonly AnyRow[]): Promise<number> {
  const last = Math.max(...expired.map((row) => Number(row[expiry])));
  return collection.delete({ [expiry]: { lte: last } });
}

/** A session stays as long as a refresh token needs it: whether it was revoked must still be known. */
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

/** Completes deletions that have begun: one function a collection, called with rows of one tenant. It throws when the limit is reached. */
export type Removals = {
  readonly [Name in TenantCollectionName]?: (rows: readonly Row<Name>[], tenant: Tenant, limit: WorkLimit) => Promise<void>;
};

/** Milliseconds after which `sweep` goes on with a deletion: the process that began it has replied, or is lost. */
const patience = 60_000;

/** Completes deletions that began more than a minute ago: those that were longer than their request, and those that a lost process left. */
export async function finishRemovals(
  installation: Installation,
  collections: Collections,
  removals: Removals,
  budget: number,
): Promise<Removed> {
  const limit = new WorkLimit(budget);
  const finished = await limit.run(async () => {
    for (const [name, finish] of Object.entries(removals) as [TenantCollectionName, FinishRows][]) {
      const collection = collections[name] as unknown as Collection;
      for (;;) {
        const where = { deleting_at: { lt: installation.now() - patience } };
        const rows = await collection.find({ where, limit: chunk });
        for (const [tenantId, ofTenant] of Map.groupBy(rows, (row) => String(row["tenant_id"]))) {
          const entry = await findTenant(installation, tenantId);
          if (entry === undefined) {
            // Counted, so that rows of tenants that are gone end the loop.
            await limit.batch(ofTenant.length);
            continue;
          }
          const tenant = new Tenant(installation, entry, installation.urls, ownFacts);
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

type FinishRows = (rows: readonly AnyRow[], tenant: Tenant, limit: WorkLimit) => Promise<void>;

/** What is done by itself comes from no request. */
const ownFacts = { requestId: "sweep", ip: undefined, sharedIp: false, userAgent: "", hostname: "", acceptLanguage: "" };
