import type { KeyRing } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { tenantStores, type TenantStores } from "../support/tenant-stores.ts";

const tenantIds = Array.from({ length: 12 }, (_, i) => `t${String(i).padStart(2, "0")}`);

/** Creates a service with tenants that each have `count` expired rows in their database. */
async function createServiceWithExpiredRows(stores: TenantStores, count: number): Promise<TestPostern> {
  const service = await createTestPostern({ databaseIsolation: stores.isolation, logger: { log: () => {} } });
  for (const tenantId of tenantIds) await service.postern.seed({ tenantId });
  for (const tenant_id of tenantIds) {
    const rows = Array.from({ length: count }, (_, i) => ({ tenant_id, jti_hash: `h${i}`, expires_at: service.clock.now() + 1000 }));
    await stores
      .database(tenant_id)
      .collections.used_assertions.insert([...rows, { tenant_id, jti_hash: "not-expired", expires_at: service.clock.now() + 1e9 }]);
  }
  service.clock.advance("10s");
  return service;
}

const remainingRows = (stores: TenantStores): Promise<readonly number[]> =>
  Promise.all(tenantIds.map((tenant_id) => stores.database(tenant_id).collections.used_assertions.count({ tenant_id })));

test("deletes expired rows in every database, and keeps the others", async () => {
  const stores = tenantStores();
  const { postern } = await createServiceWithExpiredRows(stores, 20);
  expect(await postern.jobs.sweep()).toMatchObject({ removed: 240, finished: true });
  expect(await remainingRows(stores)).toEqual(tenantIds.map(() => 1));
});

test("a call that has used its budget returns `finished: false`, and the next call continues with the next database", async () => {
  const stores = tenantStores();
  const { postern } = await createServiceWithExpiredRows(stores, 20);
  const swept: number[] = [];
  for (let calls = 0; ; calls++) {
    expect(calls).toBeLessThan(20);
    const { finished } = await postern.jobs.sweep({ budget: 70 });
    swept.push((await remainingRows(stores)).filter((remaining) => remaining === 1).length);
    if (finished) break;
  }
  expect(swept.length).toBeGreaterThan(2);
  expect(swept).toEqual(swept.toSorted((a, b) => a - b));
  expect(swept.at(-1)).toBe(12);
});

test("a database that fails or has many expired rows does not block the others", async () => {
  const stores = tenantStores();
  let failing = "";
  const entries: string[] = [];
  const service = await createTestPostern({
    logger: { log: ({ event, tenant_id }) => void entries.push(`${event} ${String(tenant_id)}`) },
    databaseIsolation: {
      getAdapters: async (tenantId) => {
        if (tenantId === failing) throw new Error("no route to host");
        return stores.isolation.getAdapters(tenantId);
      },
    },
  });
  for (const tenantId of tenantIds) await service.postern.seed({ tenantId });
  const fill = async (tenant_id: string, count: number): Promise<void> => {
    const rows = Array.from({ length: count }, (_, i) => ({ tenant_id, jti_hash: `h${i}`, expires_at: i }));
    for (let i = 0; i < count; i += 100) await stores.database(tenant_id).collections.used_assertions.insert(rows.slice(i, i + 100));
  };
  for (const tenantId of tenantIds) await fill(tenantId, tenantId === "t02" ? 2000 : 1);
  await service.postern.close();
  failing = "t05";
  for (let calls = 0; calls < 12; calls++) await service.postern.jobs.sweep({ budget: 100 });
  const remaining = await remainingRows(stores);
  expect(remaining.filter((count) => count > 0).length).toBeLessThanOrEqual(2);
  expect(remaining[5]).toBe(1);
  expect(entries).toContain("sweep_failed t05");

  failing = "";
  service.clock.advance("2s");
  // A round that leaves expired rows is not finished, even if its last call deleted nothing.
  await fill("t02", 2000);
  for (let calls = 0; calls < 60 && !(await service.postern.jobs.sweep({ budget: 200 })).finished; calls++);
  expect(await remainingRows(stores)).toEqual(tenantIds.map(() => 0));
});

const old = { id: "1", secret: "0123456789abcdef0123456789abcdef" } as const;
const fresh = { id: "2", secret: "fedcba9876543210fedcba9876543210" } as const;

test("reports that an older key is in use until no database contains data that it encrypted", async () => {
  const stores = tenantStores();
  const data: DataAdapter = createMemoryAdapter({ strict: true });
  let failing = "";
  const withRing = (...ring: KeyRing): Promise<TestPostern> =>
    createTestPostern({
      data,
      crypto: { secret: ring },
      logger: { log: () => {} },
      databaseIsolation: {
        getAdapters: async (tenantId) => {
          if (tenantId === failing) throw new Error("no route to host");
          return stores.isolation.getAdapters(tenantId);
        },
      },
    });
  const before = await withRing(old);
  for (const tenantId of tenantIds) await before.postern.seed({ tenantId });
  const rotate = async (service: TestPostern) =>
    expect((await service.call("POST", "/api/v2/keys/signing/rotate", { token: await service.token("other") })).status).toBe(201);
  await rotate(before);
  const sealedBy = async (): Promise<readonly string[]> => {
    const rows = await stores.database("other").collections.signing_keys.find({ where: { tenant_id: "other" }, limit: 9 });
    return rows.map(({ seal }) => seal.split(".")[0] ?? "");
  };
  expect(await sealedBy()).toEqual(["1"]);
  await before.postern.close();

  const both = await withRing(fresh, old);
  await both.postern.close();
  failing = "other";
  expect(await both.postern.jobs.sweep()).toMatchObject({ olderKeysInUse: true, finished: true });
  expect(await sealedBy()).toEqual(["1"]);
  failing = "";
  both.clock.advance("2s");
  // `other` is the first tenant in the order of ids. Later calls read only databases without encrypted data.
  const calls = [];
  for (let i = 0; i < 20; i++) {
    const swept = await both.postern.jobs.sweep({ budget: 20 });
    calls.push(swept);
    if (swept.finished) break;
  }
  expect(calls.length).toBeGreaterThan(2);
  expect(calls.slice(0, -1).every(({ olderKeysInUse }) => olderKeysInUse)).toBe(true);
  expect(calls.at(-1)).toMatchObject({ olderKeysInUse: false });
  expect(await sealedBy()).toEqual(["2"]);
  await both.postern.close();

  const after = await withRing(fresh);
  await rotate(after);
});

test("data that is encrypted for one tenant cannot be decrypted in another tenant's database", async () => {
  const stores = tenantStores();
  const service = await createTestPostern({ databaseIsolation: stores.isolation, logger: { log: () => {} } });
  const token = await service.token("other");
  expect((await service.call("POST", "/api/v2/keys/signing/rotate", { token })).status).toBe(201);
  await service.postern.seed({ tenantId: "thief" });
  const rows = await stores.database("other").collections.signing_keys.find({ where: { tenant_id: "other" }, limit: 9 });
  await stores.database("thief").collections.signing_keys.insert(rows.map((row) => ({ ...row, tenant_id: "thief" })));
  await service.postern.close();
  service.clock.advance("61s");
  await expect(service.postern.seed({ tenantId: "thief", domains: ["thief.example.test"] })).rejects.toMatchObject({
    name: "UnavailableError",
    cause: { message: expect.stringContaining("the secret cannot decrypt") },
  });
  expect(await service.token("other")).toEqual(expect.any(String));
});

test("audit rows are inserted in batches, each into the database of its tenant", async () => {
  const stores = tenantStores();
  const inserts: { readonly database: string; readonly tenants: readonly string[] }[] = [];
  const service = await createTestPostern({
    databaseIsolation: {
      async getAdapters(tenantId) {
        const adapter = await stores.isolation.getAdapters(tenantId);
        if (adapter === undefined) throw new Error("every tenant has a database");
        const { logs } = adapter.collections;
        const insert: typeof logs.insert = (rows) => {
          inserts.push({ database: tenantId, tenants: rows.map(({ tenant_id: tenant }) => tenant) });
          return logs.insert(rows);
        };
        return { ...adapter, collections: { ...adapter.collections, logs: { ...logs, insert } } };
      },
    },
  });
  const settings = { name: "Manager", app_type: "non_interactive" } as const;
  const secret = "a-secret-that-is-long-enough-for-tests";
  await service.postern.seed({ tenantId: "third", clients: [{ clientId: "third-manager", secret, settings, managesTenant: true }] });
  const requestToken = (clientId: string) =>
    service.call("POST", "/oauth/token", {
      body: { grant_type: "client_credentials", client_id: clientId, client_secret: secret, audience: `${service.postern.issuer}api/v2/` },
    });
  await Promise.all(["other-manager", "third-manager"].map(requestToken));
  inserts.length = 0;
  const responses = await Promise.all(Array.from({ length: 32 }, (_, i) => requestToken(i % 2 === 0 ? "other-manager" : "third-manager")));
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  for (const { database, tenants } of inserts) expect(new Set(tenants)).toEqual(new Set([database]));
  expect(inserts.flatMap(({ tenants }) => tenants)).toHaveLength(32);
  expect(inserts.length).toBeLessThan(20);
});
