import type { DatabaseIsolation } from "@postern/core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { allRows, createRecordingLogger, operationsOf, readOperationSteps, childTenantToken } from "../support/child-tenants.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { tenantStores, type TenantStores } from "../support/tenant-stores.ts";

interface Isolated extends TestPostern {
  readonly main: Manager;
  readonly stores: TenantStores;
  /** The calls to the host application, in order. */
  readonly calls: readonly string[];
}

/** Opens a service with a database for each tenant. The host application creates and deletes the databases. */
async function openWith(behaviour: Partial<DatabaseIsolation> = {}): Promise<Isolated> {
  const stores = tenantStores();
  const calls: string[] = [];
  const service = await createTestPostern({
    logger: createRecordingLogger(),
    databaseIsolation: {
      ...stores.isolation,
      ...behaviour,
      onProvision: async (tenantId, report) => {
        calls.push(`provision ${tenantId}`);
        await behaviour.onProvision?.(tenantId, report);
      },
      onDeprovision: async (tenantId, report) => {
        calls.push(`deprovision ${tenantId}`);
        await behaviour.onDeprovision?.(tenantId, report);
      },
    },
  });
  return { ...service, stores, calls, main: await managerOf(service) };
}

const acme = { id: "acme", name: "Acme" };
afterEach(() => {
  vi.useRealTimers();
});

test("calls the host application to create and delete a tenant's database, and lists its steps in the operation", async () => {
  const { main, calls, stores, data } = await openWith({
    onProvision: async (_, report) => {
      await report?.({ name: "schema", status: "running" });
      await report?.({ name: "schema", status: "succeeded", detail: { tables: 38 } });
    },
  });
  await main.create("/tenants", acme);
  const [made] = await operationsOf(main, "acme");
  expect((await readOperationSteps(main, made)).slice(0, 4)).toEqual([
    "provision running",
    "schema running",
    "schema succeeded",
    "provision succeeded",
  ]);
  const events = list(await main("GET", `/operations/${stringMember(made ?? {}, "id")}`), "events");
  expect(events).toContainEqual({ name: "schema", status: "succeeded", at: "2026-01-01T00:00:00.000Z", detail: { tables: 38 } });
  // The tenant's rows are in the tenant's database, and none of them are in the first database.
  expect(await stores.database("acme").collections.connections.count({ tenant_id: "acme" })).toBe(1);
  expect((await allRows(data)).filter((row) => row.includes('"tenant_id":"acme"') && !row.startsWith("organizations:"))).toEqual([]);
  jsonBody(await main("DELETE", "/tenants/acme"));
  expect(calls).toEqual(["provision acme", "deprovision acme"]);
  expect(stores.open.has("acme")).toBe(false);
});

describe("a failed creation", () => {
  test.each<readonly [string, Partial<DatabaseIsolation>, string]>([
    ["is not created because onProvision throws", { onProvision: () => Promise.reject(new Error("no room for acme")) }, "no room for acme"],
    ["cannot be opened", { getAdapters: (id) => (id === "acme" ? Promise.reject(new Error("no such file")) : undefined) }, ""],
  ])("leaves no data behind if its database %s, and its operation contains the reason", async (_, behaviour, expectedText) => {
    const { main, calls, data, stores } = await openWith(behaviour);
    const before = await allRows(data);
    expect((await main("POST", "/tenants", acme)).status).toBeGreaterThanOrEqual(500);
    expect(await allRows(data)).toEqual(before);
    expect(calls).toEqual(["provision acme", "deprovision acme"]);
    const [operation] = await operationsOf(main, "acme");
    expect(operation).toMatchObject({ kind: "provision", status: "failed", error: expect.stringContaining(expectedText) });
    expect(stores.open.has("acme")).toBe(false);
  });

  test("leaves no data behind if its database is not created within five minutes", async () => {
    const { promise: calls, resolve } = Promise.withResolvers<void>();
    let hangs = true;
    const { main, data } = await openWith({
      onProvision: () => {
        resolve();
        return hangs ? new Promise<void>(() => {}) : undefined;
      },
    });
    const before = await allRows(data);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const made = main("POST", "/tenants", acme);
    await calls;
    await vi.advanceTimersByTimeAsync(300_000);
    expect((await made).status).toBeGreaterThanOrEqual(500);
    vi.useRealTimers();
    expect(await allRows(data)).toEqual(before);
    hangs = false;
    await main.create("/tenants", acme);
  });

  test("reserves the id if its database can be neither created nor deleted, until the sweep deletes the database", async () => {
    let broken = true;
    const fail = (): void => {
      if (broken) throw new Error("the server is unavailable");
    };
    const { main, data, clock, postern, calls } = await openWith({ onProvision: fail, onDeprovision: fail });
    const before = await allRows(data);
    expect((await main("POST", "/tenants", acme)).status).toBe(500);
    expectError(await main("GET", "/tenants/acme"), 404, "not_found");
    expectError(await main("POST", "/tenants", acme), 409, "conflict");
    clock.advance("61s");
    expect(await postern.jobs.sweep()).toMatchObject({ finished: false });
    broken = false;
    clock.advance("61s");
    await postern.jobs.sweep();
    expect(await allRows(data)).toEqual(before);
    expect(calls.filter((one) => one === "deprovision acme")).toHaveLength(3);
    await main.create("/tenants", acme);
  });
});

test("a tenant is deleted for all callers even if its database cannot be deleted, and the sweep retries the deletion of the database", async () => {
  let broken = true;
  const { main, data, clock, postern } = await openWith({
    onDeprovision: () => {
      if (broken) throw new Error("the server is unavailable");
    },
  });
  const before = await allRows(data);
  await main.create("/tenants", acme);
  expect(jsonBody(await main("DELETE", "/tenants/acme"))).toEqual({ success: true });
  expectError(await main("GET", "/tenants/acme"), 404, "not_found");
  expectError(await main("DELETE", "/tenants/acme"), 404, "not_found");
  expectError(await main("POST", "/tenants", acme), 409, "conflict");
  const newest = async () => (await operationsOf(main, "acme"))[0];
  expect(await newest()).toMatchObject({ kind: "deprovision", status: "running" });
  broken = false;
  clock.advance("61s");
  await postern.jobs.sweep();
  expect(await newest()).toMatchObject({ kind: "deprovision", status: "succeeded" });
  expect(await allRows(data)).toEqual(before);
});

test("sixty failing deletions do not block the deletion of another tenant", async () => {
  const { main, data, clock, postern, calls } = await openWith({
    onDeprovision: (id) => {
      if (id.startsWith("bad")) throw new Error("the server is unavailable");
    },
  });
  const { tenants } = data.collections;
  const [other] = await tenants.find({ where: { id: "other" }, limit: 1 });
  if (other === undefined) throw new Error("no tenant to copy");
  const toDelete = [...Array.from({ length: 60 }, (_, i) => `bad${i}`), "good"];
  for (const id of toDelete) await tenants.insert([{ ...other, id, deleting_at: clock.now() }]);
  await postern.jobs.sweep();
  await postern.jobs.sweep();
  expect(await tenants.count({ id: "good" })).toBe(0);
  // Each deletion was attempted once.
  expect(calls.toSorted()).toEqual(toDelete.map((id) => `deprovision ${id}`).toSorted());
  expectError(await main("POST", "/tenants", { id: "bad0", name: "Bad" }), 409, "conflict");
});

test("an upgrade lets the host application migrate a tenant's database, and fails if the host application throws", async () => {
  let broken = false;
  const { main, calls } = await openWith({
    onProvision: () => {
      if (broken) throw new Error("the server is unavailable");
    },
  });
  await main.create("/tenants", acme);
  broken = true;
  jsonBody(await main("POST", "/tenants/acme/operations", { kind: "upgrade" }), 201);
  const [failed] = await operationsOf(main, "acme");
  expect(failed).toMatchObject({ kind: "upgrade", status: "failed", error: "the server is unavailable" });
  broken = false;
  jsonBody(await main("POST", "/tenants/acme/operations", { kind: "upgrade" }), 201);
  expect((await operationsOf(main, "acme"))[0]).toMatchObject({ status: "succeeded" });
  expect(calls).toEqual(["provision acme", "provision acme", "provision acme"]);
});

test("a deletion also deletes rows of a tenant with its own database from the first database, where an earlier version stored them", async () => {
  const service = await openWith();
  await service.main.create("/tenants", acme);
  await childTenantToken(service, "acme");
  const [connection] = await service.stores.database("acme").collections.connections.find({ where: { tenant_id: "acme" }, limit: 1 });
  if (connection === undefined) throw new Error("no connection to copy");
  await service.data.collections.connections.insert([connection]);
  jsonBody(await service.main("DELETE", "/tenants/acme"));
  expect((await allRows(service.data)).filter((row) => row.includes('"acme"'))).toEqual([]);
});
