import type { Collections } from "../../store/contract.ts";
import type { DeliverySource } from "../delivery/round-robin.ts";
import type { Installation } from "../installation.ts";
import { LogoutSource } from "./logout-source.ts";
import { queueEndedSessions } from "./queue-ended-sessions.ts";

/** Follows every id. */
const lastId = "~";

type Position = readonly [clientId: string, tenantId: string, id: string];

const start: Position = ["", "", ""];

/** The last client that was visited in a database. After a restart, the first one is next. */
const positions = new WeakMap<Collections, Position>();

/** A source that leaves its items to the next call. */
const leftToNextCall: DeliverySource = { deliverBatch: async () => ({ delivered: 0, failed: 0, due: "next-call" }) };

/**
 * Queues the logout tokens of the sessions in one database that have ended, and returns a source for each client that is
 * due to receive some. Begins after the last client of the previous call in this process.
 */
export async function* logoutsIn(installation: Installation, collections: Collections): AsyncGenerator<DeliverySource> {
  if (!(await queueEndedSessions(installation, collections))) yield leftToNextCall;
  const begin = positions.get(collections) ?? start;
  const visited = new Set<string>();
  for (const from of begin === start ? [start] : [begin, start]) {
    for (let after = from; ;) {
      const now = { lte: installation.now() };
      // The first delivery of the next client. The index skips the others.
      const [delivery] = await collections.logout_deliveries.find({
        where: { state: "open", next_at: now, leased_until: now },
        orderBy: { fields: ["client_id", "tenant_id", "id"], direction: "asc" },
        fields: ["client_id", "tenant_id"],
        after,
        limit: 1,
      });
      if (delivery === undefined) break;
      const { client_id: clientId, tenant_id: tenantId } = delivery;
      after = [clientId, tenantId, lastId];
      const key = JSON.stringify([clientId, tenantId]);
      if (visited.has(key)) break;
      visited.add(key);
      positions.set(collections, after);
      yield new LogoutSource(installation, collections, { tenantId, clientId });
    }
  }
  positions.delete(collections);
}
