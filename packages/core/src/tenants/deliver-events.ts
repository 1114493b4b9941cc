import type { Collections } from "../store/contract.ts";
import { deliverFromDatabases } from "./delivery/deliver-from-databases.ts";
import type { DeliverySource } from "./delivery/round-robin.ts";
import type { Installation } from "./installation.ts";
import { logoutsIn } from "./logouts/logouts-in.ts";
import { streamsIn } from "./log-streams/streams-in.ts";

/** The result of {@link deliverEvents}. */
export interface Delivered {
  /** The number of events and logout tokens that were delivered. An event counts once per stream. */
  readonly delivered: number;
  /** The number of streams, and of clients with logout URLs, to which a delivery failed. A later call retries them. */
  readonly failed: number;
  /** Whether everything that is due was delivered. If false, call again. */
  readonly finished: boolean;
  /**
   * Tenants whose databases failed or did not respond (`databaseIsolation`). They were skipped, and the next call tries
   * them again. The reasons are in the log (event `delivery_failed`).
   */
  readonly skippedTenants: readonly string[];
}

/**
 * Delivers the due events of every tenant's log streams, and the logout tokens of sessions that ended, in turns. Everything
 * is delivered at least once.
 * @param budget approximate maximum number of events and logout tokens.
 */
export async function deliverEvents(installation: Installation, budget: number): Promise<Delivered> {
  return deliverFromDatabases(installation, (collections) => sourcesIn(installation, collections), budget);
}

/**
 * Returns the sources of both kinds alternately, so that many sources of one kind do not use up the budget. If one kind
 * cannot be read, the other one is delivered first.
 * @throws the error of the kind that cannot be read.
 */
async function* sourcesIn(installation: Installation, collections: Collections): AsyncGenerator<DeliverySource> {
  const errors: unknown[] = [];
  let kinds = [logoutsIn(installation, collections), streamsIn(installation, collections)];
  while (kinds.length > 0) {
    const open: typeof kinds = [];
    for (const kind of kinds) {
      const next = await kind.next().catch((error: unknown) => void errors.push(error));
      if (next === undefined || next.done === true) continue;
      open.push(kind);
      yield next.value;
    }
    kinds = open;
  }
  if (errors.length > 0) throw errors[0];
}
