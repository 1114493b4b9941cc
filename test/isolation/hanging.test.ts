import type { LogEntry } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { hangingDatabase, until, watchedClock, type HangingDatabase } from "../support/hanging-adapter.ts";
import { createTestPostern } from "../support/postern.ts";

/**
 * Opens a service with a separate database per tenant. A test can let each database hang, and timeouts use the manual
 * clock.
 */
async function open(tenantIds: readonly string[] = []) {
  const clock = watchedClock();
  const entries: LogEntry[] = [];
  const databases = new Map<string, HangingDatabase>();
  const database = (tenantId: string): HangingDatabase => {
    let existing = databases.get(tenantId);
    if (existing === undefined) databases.set(tenantId, (existing = hangingDatabase(createMemoryAdapter({ strict: true }))));
    return existing;
  };
  let beforeOpen: (tenantId: string) => Promise<void> = async () => {};
  const delivered: string[] = [];
  const service = await createTestPostern({
    logger: { log: (entry) => void entries.push(entry) },
    testing: { clock, setTimer: clock.setTimer },
    logSinks: { bus: { deliver: async ({ tenantId }) => void delivered.push(tenantId) } },
    databaseIsolation: {
      async getAdapters(tenantId): Promise<DataAdapter> {
        await beforeOpen(tenantId);
        return database(tenantId).adapter;
      },
    },
  });
  for (const tenantId of tenantIds) await service.postern.seed({ tenantId });
  const tenantsOf = (event: string) => entries.filter((entry) => entry.event === event).map(({ tenant_id }) => tenant_id);
  return { service, clock, database, tenantsOf, delivered, onOpen: (next: typeof beforeOpen) => void (beforeOpen = next) };
}

test("requests to a tenant whose database hangs get 503, and requests to other tenants succeed", async () => {
  const { service, clock, database, tenantsOf } = await open();
  const { hang, hanging, recover, calls } = database("other");
  const [token, otherToken] = [await service.token(), await service.token("other")];
  clock.advance("10s");
  hang();
  const hangingRequest = service.call("GET", "/api/v2/clients", { token: otherToken });
  await until(() => hanging().length > 0, "the call");
  for (let request = 0; request < 5; request++) {
    expect((await service.call("GET", "/api/v2/clients", { token })).status).toBe(200);
    expect((await service.call("POST", "/api/v2/clients", { token, body: { name: `Client ${request}` } })).status).toBe(201);
  }
  expect(hanging().length).toBeGreaterThan(0);
  const { value, seconds } = await clock.secondsOf(hangingRequest);
  expect(value).toMatchObject({ status: 503 });
  expect(seconds).toBeLessThan(10);
  expect(tenantsOf("database_not_responding")).toEqual(["other"]);

  // The service rejects further requests at once, without advancing the clock.
  await clock.secondsOf(service.call("GET", "/api/v2/clients", { token: otherToken }));
  const callsBefore = calls.length;
  const responses = await Promise.all(Array.from({ length: 20 }, () => service.call("GET", "/api/v2/clients", { token: otherToken })));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
  expect(calls.length).toBe(callsBefore);

  recover();
  clock.advance("1s");
  expect((await service.call("GET", "/api/v2/clients", { token: otherToken })).status).toBe(200);
  expect(tenantsOf("database_responding")).toEqual(["other"]);
});

test("`sweep` skips and reports the tenant whose database hangs, and sweeps all others", async () => {
  const { service, clock, database, tenantsOf } = await open(["a", "b", "c"]);
  const expired = { jti_hash: "expired", expires_at: clock.now() - 1000 };
  for (const tenantId of ["a", "b", "c"]) {
    const { used_assertions: rows } = database(tenantId).adapter.collections;
    await rows.insert([{ tenant_id: tenantId, ...expired }]);
  }
  database("b").hang();
  const { value, seconds } = await clock.secondsOf(service.postern.jobs.sweep());
  expect(value).toMatchObject({ removed: 2, finished: true, skippedTenants: ["b"], olderKeysInUse: true });
  expect(seconds).toBeLessThan(10);
  expect(tenantsOf("sweep_failed")).toEqual(["b"]);
  // The next call does not wait that long again.
  expect((await clock.secondsOf(service.postern.jobs.sweep())).seconds).toBeLessThanOrEqual(2);

  database("b").recover();
  clock.advance("2s");
  expect(await service.postern.jobs.sweep()).toMatchObject({ removed: 1, finished: true, skippedTenants: [] });
});

test("`deliverEvents` skips and reports the tenant whose database hangs, and delivers for all others", async () => {
  const { service, clock, database, tenantsOf, delivered } = await open(["a", "b", "c"]);
  for (const tenantId of ["a", "b", "c"]) {
    const tenant = service.postern.tenant(tenantId);
    await tenant.logStreams.create({ name: "Bus", type: "bus", sink: {} });
    await tenant.roles.create({ name: "Editor" });
  }
  clock.advance("4s");
  database("b").hang();
  const { value, seconds } = await clock.secondsOf(service.postern.jobs.deliverEvents());
  expect(value).toMatchObject({ finished: true, skippedTenants: ["b"] });
  expect(seconds).toBeLessThan(10);
  expect(new Set(delivered)).toEqual(new Set(["a", "c"]));
  expect(tenantsOf("delivery_failed")).toEqual(["b"]);
  expect((await clock.secondsOf(service.postern.jobs.deliverEvents())).seconds).toBeLessThanOrEqual(2);

  database("b").recover();
  clock.advance("2s");
  expect(await service.postern.jobs.deliverEvents()).toMatchObject({ finished: true, skippedTenants: [] });
  expect(delivered).toContain("b");
});

test("jobs skip a tenant whose database does not open in time, and do not write to the database if it opens later", async () => {
  const { service, clock, database, onOpen } = await open(["a", "b", "c"]);
  await service.postern.close();
  let release = (): void => {};
  onOpen((tenantId) => (tenantId === "b" ? new Promise((resolve) => (release = resolve)) : Promise.resolve()));
  for (const job of [() => service.postern.jobs.sweep(), () => service.postern.jobs.deliverEvents()]) {
    const { value, seconds } = await clock.secondsOf<{ readonly skippedTenants: readonly string[] }>(job());
    expect(value).toMatchObject({ finished: true, skippedTenants: ["b"] });
    expect(seconds).toBeLessThan(10);
  }
  const before = database("b").calls.length;
  onOpen(async () => {});
  release();
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  // Opening a database reads data to check the secret. The jobs themselves must do nothing.
  expect(
    database("b")
      .calls.slice(before)
      .filter((call) => /^used_assertions|update$|delete$/.test(call)),
  ).toEqual([]);
  clock.advance("2s");
  expect((await clock.secondsOf(service.postern.jobs.sweep())).value).toMatchObject({ skippedTenants: [] });
});

test("a request that timed out while its database was opening sends no query to the database", async () => {
  const { service, clock, database, onOpen } = await open();
  const token = await service.token("other");
  await service.postern.close();
  let release = (): void => {};
  onOpen(() => new Promise((resolve) => (release = resolve)));
  clock.advance("10s");
  const { value, seconds } = await clock.secondsOf(service.call("GET", "/api/v2/clients", { token }));
  expect(value.status).toBe(503);
  expect(seconds).toBeLessThan(10);
  const before = database("other").calls.length;
  onOpen(async () => {});
  release();
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  // Opening a database reads data to check the secret. The service must not send the query that the request itself
  // needs.
  expect(
    database("other")
      .calls.slice(before)
      .filter((call) => /^(clients|tokens|client_grants)\./.test(call)),
  ).toEqual([]);
});

test("`ready` depends only on the first database", async () => {
  const { service, clock, database } = await open();
  database("other").hang();
  const { value, seconds } = await clock.secondsOf(service.postern.ready());
  expect(value.status).toBe(200);
  expect(seconds).toBe(0);
});
