import { createElapsed } from "../../adapters/clock.ts";
import type { Collections } from "../../store/contract.ts";
import { endOfTurn } from "../../store/turn.ts";
import { deliverRoundRobin, type DeliverySource, type RoundRobinResult } from "../delivery/round-robin.ts";
import type { Installation } from "../installation.ts";
import { LogStreamSource } from "./stream-source.ts";

/** The result of {@link deliverEvents}. */
export interface Delivered {
  /** The number of events that were delivered. An event counts once per stream. */
  readonly delivered: number;
  /** The number of streams to which delivery failed. A later call retries them. */
  readonly failed: number;
  /** Whether all due events were delivered. If false, call again. */
  readonly finished: boolean;
  /**
   * Tenants whose databases failed or did not respond (`databaseIsolation`). They were skipped, and the next call tries
   * them again. The reasons are in the log (event `delivery_failed`).
   */
  readonly skippedTenants: readonly string[];
}

/** Streams or tenants per query. */
const page = 50;

/** The share of the budget that one database may use before the other databases get a turn (`databaseIsolation`). */
const shareOfDatabase = 0.1;

/**
 * Delivers the due events of every tenant's log streams in turns, in the order of each log. Late events follow out of
 * order (late-events.ts). The cursor of a stream advances after a successful delivery: if the process crashes before
 * that, the delivery is repeated. One process at a time leases a stream.
 * @param budget approximate maximum number of events.
 */
export async function deliverEvents(installation: Installation, budget: number): Promise<Delivered> {
  const { stores } = installation;
  const skippedTenants: string[] = [];
  const skip = (tenantId: string, error: unknown): void => {
    installation.host.logger.log({ level: "error", event: "delivery_failed", tenant_id: tenantId, error });
    skippedTenants.push(tenantId);
  };
  const total = stores.isolated
    ? await inTurns(installation, databasesOf(installation, Math.ceil(budget * shareOfDatabase), skip), budget)
    : await inTurns(installation, streamsIn(installation, stores.first), budget);
  return { ...total, skippedTenants: [...new Set(skippedTenants)] };
}

function inTurns({ host }: Pick<Installation, "host">, sources: AsyncIterable<DeliverySource>, budget: number): Promise<RoundRobinResult> {
  return deliverRoundRobin(sources, { budget, elapsed: createElapsed(host.clock), wait: host.wait });
}

/**
 * Reads the active streams of one database. The stream whose last turn is the longest ago comes first, so a call
 * continues where the previous call of any process stopped.
 */
async function* streamsIn(installation: Installation, collections: Collections): AsyncGenerator<DeliverySource> {
  const visited = new Set<string>();
  let after: readonly [number, string, string] | undefined;
  for (;;) {
    const rows = await collections.log_streams.find({
      where: { status: "active" },
      orderBy: { fields: ["served_at", "tenant_id", "id"], direction: "asc" },
      limit: page,
      ...(after !== undefined && { after }),
    });
    // A turn moves its stream to the end of the order, where it is found again.
    const streams = rows.filter(({ id }) => !visited.has(id));
    for (const stream of streams) {
      visited.add(stream.id);
      if (stream.next_at <= installation.now()) yield new LogStreamSource(installation, collections, stream);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < page || streams.length === 0) return;
    after = [last.served_at, last.tenant_id, last.id];
    await endOfTurn();
  }
}

/** The last tenant-specific database that had a turn. After a restart, the first one is next. */
const positions = new WeakMap<Installation, string>();

/** Reads the first database, and then the tenant-specific databases in turn, from the position of the previous call. */
async function* databasesOf(
  installation: Installation,
  budget: number,
  skip: (tenantId: string, error: unknown) => void,
): AsyncGenerator<DeliverySource> {
  const { stores } = installation;
  const deliverFrom = (collections: Collections) => inTurns(installation, streamsIn(installation, collections), budget);
  yield { deliverBatch: async () => toBatch(await deliverFrom(stores.first)) };
  for await (const id of tenantsAfter(installation, positions.get(installation) ?? "")) {
    positions.set(installation, id);
    yield {
      deliverBatch: async () => {
        try {
          return toBatch((await stores.visit(id, deliverFrom)) ?? { delivered: 0, failed: 0, finished: true });
        } catch (error) {
          // A failing database must not block the deliveries of other tenants.
          skip(id, error);
          return { delivered: 0, failed: 0, due: "none" };
        }
      },
    };
  }
}

function toBatch({ delivered, failed, finished }: RoundRobinResult): Awaited<ReturnType<DeliverySource["deliverBatch"]>> {
  return { delivered, failed, due: finished ? "none" : "now" };
}

/** Reads the ids of all tenants in their order: first those after `start`, then the others. */
async function* tenantsAfter({ stores }: Installation, start: string): AsyncGenerator<string> {
  for (const range of [{ gt: start }, { lte: start }]) {
    for (let after: readonly [string] | undefined; ;) {
      const tenants = await stores.first.tenants.find({
        where: { id: range, deleting_at: null, ready_at: { exists: true } },
        orderBy: { fields: ["id"], direction: "asc" },
        limit: page,
        fields: ["id"],
        ...(after !== undefined && { after }),
      });
      for (const { id } of tenants) yield id;
      const last = tenants.at(-1);
      if (last === undefined || tenants.length < page) break;
      after = [last.id];
    }
    if (start === "") return;
  }
}
