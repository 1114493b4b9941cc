import { createPostern, type LogDelivery, type Postern } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { firstUlidAt } from "../../packages/core/src/store/ulid.ts";
import { createTestPostern, issuer, type TestOptions, type TestPostern } from "./postern.ts";

/** Tenants with one log stream each to a custom sink. */
export interface TenantStreams {
  readonly service: TestPostern;
  readonly tenantIds: readonly string[];
  /** The successful deliveries, in order. */
  readonly deliveries: readonly LogDelivery[];
  /** Replaces the code that runs before a delivery succeeds. */
  setReceiver(receive: (delivery: LogDelivery) => Promise<void>): void;
  /** Stores audit events of a tenant with the current date, and moves the clock until they can be delivered. @returns their ids. */
  commit(tenantId: string, count: number): Promise<readonly string[]>;
  /** The ids of the events that a tenant's stream received, in order. */
  received(tenantId: string): readonly string[];
  /** Opens another process on a store. Default: the store of `service`. */
  openProcess(data?: DataAdapter): Postern;
}

/**
 * Opens a service whose tenants `t00`, `t01` … have a log stream each, with nothing to deliver.
 * @param storeOf returns the store of a tenant. Default: the store of the service.
 */
export async function openStreams(
  count: number,
  options: TestOptions = {},
  storeOf?: (tenantId: string) => DataAdapter,
): Promise<TenantStreams> {
  const deliveries: LogDelivery[] = [];
  let receive: (delivery: LogDelivery) => Promise<void> = async () => {};
  const shared = {
    ...options,
    logger: { log: () => {} },
    logSinks: {
      bus: {
        deliver: async (delivery: LogDelivery) => {
          await receive(delivery);
          deliveries.push(delivery);
        },
      },
    },
  };
  const service = await createTestPostern(shared);
  const { postern, clock, data } = service;
  const tenantIds = Array.from({ length: count }, (_, i) => `t${String(i).padStart(2, "0")}`);
  for (const tenantId of tenantIds) {
    await postern.seed({ tenantId });
    await postern.tenant(tenantId).logStreams.create({ type: "bus", sink: {} });
  }
  clock.advance("10s");
  while (!(await postern.jobs.deliverEvents()).finished);
  deliveries.length = 0;
  let number = 0;
  return {
    service,
    tenantIds,
    deliveries,
    setReceiver: (next) => void (receive = next),
    commit: async (tenantId, events) => {
      const { logs } = (storeOf?.(tenantId) ?? data).collections;
      const [row] = await logs.find({ where: { tenant_id: tenantId }, limit: 1 });
      if (row === undefined) throw new Error("the log is empty");
      const date = clock.now();
      const rows = Array.from({ length: events }, () => ({
        ...row,
        date,
        log_id: firstUlidAt(date) + String(++number).padStart(16, "0"),
      }));
      await logs.insert(rows);
      clock.advance("4s");
      return rows.map(({ log_id: id }) => id);
    },
    received: (tenant) =>
      deliveries.filter(({ tenantId }) => tenantId === tenant).flatMap(({ events }) => events.map(({ log_id: id }) => id)),
    openProcess: (own = data) =>
      createPostern({
        ...shared,
        issuer,
        data: own,
        crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
        defaultTenantId: "main",
        controlPlane: { tenantId: "main" },
        testing: { clock },
      }),
  };
}
