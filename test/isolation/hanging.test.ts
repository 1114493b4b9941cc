import type { LogEntry } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { hangingDatabase, until, watchedClock, type HangingDatabase } from "../support/hanging-adapter.ts";
import { createTestPostern } from "../support/postern.ts";

/** Tenants with databases of their own, each of which a test can let hang, and whose timeouts pass with the clock. */
async function open(tenantIds: readonly string[] = []) {
  const clock = watchedClock();
  const told: LogEntry[] = [];
  const databases = new Map<string, HangingDatabase>();
  const database = (tenantId: string): HangingDatabase => {
    let known = databases.get(tenantId);
    if (known === undefined) databases.set(tenantId, (known = hangingDatabase(createMemoryAdapter({ strict: true }))));
    return known;
  };
  let opens: (tenantId: string) => Promise<void> = async () => {};
  const delivered: string[] = [];
  const service = await createTestPostern({
    logger: { log: (entry) => void told.push(entry) },
    testing: { clock, setTimer: clock.setTimer },
    logSinks: { bus: { deliver: async ({ tenantId }) => void delivered.push(tenantId) } },
    databaseIsolation: {
      async getAdapters(tenantId): Promise<DataAdapter> {
        await opens(tenantId);
        return database(tenantId).adapter;
      },
    },
  });
  for (const tenantId of tenantIds) await service.postern.seed({ tenantId });
  const of = (event: string) => told.filter((entry) => entry.event === event).map(({ tenant_id }) => tenant_id);
  return { service, clock, database, of, delivered, onOpen: (next: typeof opens) => void (opens = next) };
}

test("a tenant whose database hangs gets 503, and the others are answered meanwhile", async () => {
  const { service, clock, database, of } = await open();
  const { hang, hanging, recover, calls } = database("other");
  const [token, others] = [await service.token(), await service.token("other")];
  clock.advance("10s");
  hang();
  const stuck = service.call("GET", "/api/v2/clients", { token: others });
  await until(() => hanging().length > 0, "the call");
  for (let request = 0; request < 5; request++) {
    expect((await service.call("GET", "/api/v2/clients", { token })).status).toBe(200);
    expect((await service.call("POST", "/api/v2/clients", { token, body: { name: `Client ${request}` } })).status).toBe(201);
  }
  expect(hanging().length).toBeGreaterThan(0);
  const { value, seconds } = await clock.secondsOf(stuck);
  expect(value).toMatchObject({ status: 503 });
  expect(seconds).toBeLessThan(10);
  expect(of("database_not_responding")).toEqual(["other"]);

  // The test's clock stands still while requests are refused at once.
  await clock.secondsOf(service.call("GET", "/api/v2/clients", { token: others }));
  const sent = calls.length;
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.call("GET", "/api/v2/clients", { token: others })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(calls.length).toBe(sent);

  recover();
  clock.advance("1s");
  expect((await service.call("GET", "/api/v2/clients", { token: others })).status).toBe(200);
  expect(of("database_responding")).toEqual(["other"]);
});

test("`sweep` skips and names the tenant whose database hangs, and sweeps all others", async () => {
  const { service, clock, database, of } = await open(["a", "b", "c"]);
  const expired = { jti_hash: "expired", expires_at: clock.now() - 1000 };
  for (const tenantId of ["a", "b", "c"]) {
    const { used_assertions: rows } = database(tenantId).adapter.collections;
    await rows.insert([{ tenant_id: tenantId, ...expired }]);
  }
  database("b").hang();
  const { value, seconds } = await clock.secondsOf(service.postern.jobs.sweep());
  expect(value).toMatchObject({ removed: 2, finished: true, skippedTenants: ["b"], olderKeysInUse: true });
  expect(seconds).toBeLessThan(10);
  expect(of("sweep_failed")).toEqual(["b"]);
  // The next call does not wait that long again.
  expect((await clock.secondsOf(service.postern.jobs.sweep())).seconds).toBeLessThanOrEqual(2);

  database("b").recover();
  clock.advance("2s");
  expect(await service.postern.jobs.sweep()).toMatchObject({ removed: 1, finished: true, skippedTenants: [] });
});

test("`deliverEvents` skips and names the tenant whose database hangs, and delivers for all others", async () => {
  const { service, clock, database, of, delivered } = await open(["a", "b", "c"]);
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
  expect(of("delivery_failed")).toEqual(["b"]);
  expect((await clock.secondsOf(service.postern.jobs.deliverEvents())).seconds).toBeLessThanOrEqual(2);

  database("b").recover();
  clock.advance("2s");
  expect(await service.postern.jobs.deliverEvents()).toMatchObject({ finished: true, skippedTenants: [] });
  expect(delivered).toContain("b");
});

test("jobs skip a tenant whose database does not open, and do nothing in it when it opens later", async () => {
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
  // Opening itself tries the secret on what is stored; the jobs do nothing.
  expect(
    database("b")
      .calls.slice(before)
      .filter((call) => /^used_assertions|update$|delete$/.test(call)),
  ).toEqual([]);
  clock.advance("2s");
  expect((await clock.secondsOf(service.postern.jobs.sweep())).value).toMatchObject({ skippedTenants: [] });
});

test("a request that was given up while the database was being opened sends nothing to it", async () => {
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
  // Opening itself tries the secret on what is stored; the request's own call is not sent.
  expect(
    database("other")
      .calls.slice(before)
      .filter((call) => /^(clients|tokens|client_grants)\./.test(call)),
  ).toEqual([]);
});

test("`ready` depends on the first database alone", async () => {
  const { service, clock, database } = await open();
  database("other").hang();
  const { value, seconds } = await clock.secondsOf(service.postern.ready());
  expect(value.status).toBe(200);
  expect(seconds).toBe(0);
});
