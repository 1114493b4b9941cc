import { createElapsed } from "../../adapters/clock.ts";
import type { HostServices } from "../../context.ts";
import type { Collections } from "../../store/contract.ts";
import type { Stores } from "../databases/stores.ts";
import { deliverRoundRobin, type DeliverySource, type RoundRobinResult } from "./round-robin.ts";

/** The databases of an installation, and the adapters of its host. */
interface Databases {
  readonly stores: Pick<Stores, "first" | "isolated" | "visit">;
  readonly host: Pick<HostServices, "clock" | "wait" | "logger">;
}

/**
 * Returns the sources in one database that have due items, in the order of their first turns: first the source whose
 * last turn is the longest ago. A source is at most one destination of one tenant, so that none delays another.
 */
type SourcesIn = (collections: Collections) => AsyncIterable<DeliverySource>;

/** Tenants per query. */
const page = 50;

/** The share of the budget that one database may use before the other databases get a turn (`databaseIsolation`). */
const shareOfDatabase = 0.1;

/**
 * Delivers the due items of every tenant in turns ({@link deliverRoundRobin}). With tenant-specific databases, the
 * databases have turns as well. A database that fails is skipped: the error is logged (event `delivery_failed`).
 * @param budget approximate maximum number of items.
 */
export async function deliverFromDatabases(
  databases: Databases,
  sourcesIn: SourcesIn,
  budget: number,
): Promise<RoundRobinResult & { readonly skippedTenants: readonly string[] }> {
  const { stores, host } = databases;
  const skippedTenants: string[] = [];
  const skip = (tenantId: string, error: unknown): void => {
    host.logger.log({ level: "error", event: "delivery_failed", tenant_id: tenantId, error });
    skippedTenants.push(tenantId);
  };
  const total = stores.isolated
    ? await inTurns(databases, databasesOf(databases, sourcesIn, Math.ceil(budget * shareOfDatabase), skip), budget)
    : await inTurns(databases, sourcesIn(stores.first), budget);
  return { ...total, skippedTenants: [...new Set(skippedTenants)] };
}

function inTurns({ host }: Databases, sources: AsyncIterable<DeliverySource>, budget: number): Promise<RoundRobinResult> {
  return deliverRoundRobin(sources, { budget, elapsed: createElapsed(host.clock), wait: host.wait });
}

/** The last tenant-specific database that had a turn. After a restart, the first one is next. */
const positions = new WeakMap<Databases["stores"], string>();

/** Reads the first database, and then the tenant-specific databases in turn, from the position of the previous call. */
async function* databasesOf(
  databases: Databases,
  sourcesIn: SourcesIn,
  budget: number,
  skip: (tenantId: string, error: unknown) => void,
): AsyncGenerator<DeliverySource> {
  const { stores } = databases;
  const deliverFrom = (collections: Collections) => inTurns(databases, sourcesIn(collections), budget);
  yield { deliverBatch: async () => toBatch(await deliverFrom(stores.first)) };
  for await (const id of tenantsAfter(stores, positions.get(stores) ?? "")) {
    positions.set(stores, id);
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
async function* tenantsAfter({ first }: Databases["stores"], start: string): AsyncGenerator<string> {
  for (const range of [{ gt: start }, { lte: start }]) {
    for (let after: readonly [string] | undefined; ;) {
      const tenants = await first.tenants.find({
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
