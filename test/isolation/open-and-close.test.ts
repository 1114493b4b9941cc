import type { Postern } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { clientSecret, createTestPostern, managementAudience, type TestPostern } from "../support/postern.ts";
import { tenantStores } from "../support/tenant-stores.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

async function seed(postern: Postern, tenantIds: readonly string[]): Promise<void> {
  for (const tenantId of tenantIds) {
    const settings = { name: "Backend", app_type: "non_interactive" } as const;
    await postern.seed({ tenantId, clients: [{ clientId: `${tenantId}-backend`, secret: clientSecret, settings, managesTenant: true }] });
  }
}

/** Requests a token. The service writes an audit row to the tenant's database. @returns the tenant in the token. */
async function tokenTenant({ call }: TestPostern, tenantId: string): Promise<unknown> {
  const { status, body } = await call("POST", "/oauth/token", {
    body: {
      grant_type: "client_credentials",
      client_id: `${tenantId}-backend`,
      client_secret: clientSecret,
      audience: managementAudience,
    },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const { access_token: token } = body as { readonly access_token: string };
  return (JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { readonly tenant_id: unknown }).tenant_id;
}

const tokensIn = ({ collections }: DataAdapter, tenantId: string) => collections.logs.count({ tenant_id: tenantId, type: "seccft" });

test("with 100 tenants, 5 open databases and 32 concurrent requests, each request uses its tenant's database", async () => {
  const stores = tenantStores({ maxOpen: 5 }, nextTurn);
  const service = await createTestPostern({ databaseIsolation: stores.isolation });
  const tenantIds = Array.from({ length: 100 }, (_, i) => `t${i}`);
  await seed(service.postern, tenantIds);
  expect(stores.open.size).toBeLessThanOrEqual(5);
  expect(stores.peak()).toBeLessThanOrEqual(6);

  const work = Array.from({ length: 400 }, (_, i) => tenantIds[(i * 37) % 100] ?? "");
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let tenantId = work.pop(); tenantId !== undefined; tenantId = work.pop()) {
        expect(await tokenTenant(service, tenantId)).toBe(tenantId);
      }
    }),
  );
  for (const tenantId of tenantIds) {
    expect(await tokensIn(stores.database(tenantId), tenantId), tenantId).toBe(4);
    expect(await tokensIn(service.data, tenantId), tenantId).toBe(0);
  }
  await expect.poll(() => stores.open.size).toBeLessThanOrEqual(5);
  // At most 32 databases are in use at the same time, and 32 further ones may still be closing.
  expect(stores.peak()).toBeLessThanOrEqual(64);
  expect(stores.misuses).toEqual([]);
  await service.postern.close();
  expect([...stores.open]).toEqual([]);
});

test("closes the least recently used database first", async () => {
  const stores = tenantStores({ maxOpen: 2 });
  const service = await createTestPostern({ databaseIsolation: stores.isolation });
  await seed(service.postern, ["a", "b", "c"]);
  await service.postern.close();
  for (const tenantId of ["a", "b", "a", "c"]) await tokenTenant(service, tenantId);
  await expect.poll(() => [...stores.open].toSorted()).toEqual(["a", "c"]);
});

test("an idle database is closed when another database is used, and by sweep", async () => {
  const stores = tenantStores({ idleSeconds: 60 });
  const service = await createTestPostern({ databaseIsolation: stores.isolation });
  await seed(service.postern, ["a", "b"]);
  service.clock.advance("61s");
  await tokenTenant(service, "a");
  await expect.poll(() => [...stores.open]).toEqual(["a"]);
  service.clock.advance("30s");
  await tokenTenant(service, "b");
  service.clock.advance("31s");
  await service.postern.jobs.sweep();
  expect([...stores.open]).toEqual(["b"]);
});

test("sweep opens every database, and afterwards closes only those that it opened", async () => {
  const stores = tenantStores({ maxOpen: 2 });
  const service = await createTestPostern({ databaseIsolation: stores.isolation });
  const tenantIds = Array.from({ length: 70 }, (_, i) => `t${i}`);
  await seed(service.postern, tenantIds);
  await tokenTenant(service, "t3");
  await tokenTenant(service, "t4");
  const before = [...stores.open].toSorted();
  const times = new Map(stores.opened);
  expect((await service.postern.jobs.sweep()).finished).toBe(true);
  await service.postern.jobs.sweep({ budget: 1 });
  await expect.poll(() => [...stores.open].toSorted()).toEqual(before);
  for (const tenantId of tenantIds.filter((id) => !before.includes(id))) {
    expect(stores.opened.get(tenantId), tenantId).toBeGreaterThan(times.get(tenantId) ?? 0);
  }
  expect(stores.misuses).toEqual([]);
});

test("an adapter that several tenants share is closed when no tenant uses it any more, and `data` is never closed", async () => {
  const data = createMemoryAdapter({ strict: true });
  const closed: string[] = [];
  const counting = (name: string, adapter: DataAdapter): DataAdapter => ({ ...adapter, close: async () => void closed.push(name) });
  const [first, shard] = [counting("first", data), counting("shard", createMemoryAdapter({ strict: true }))];
  const separate = createMemoryAdapter({ strict: true });
  const service = await createTestPostern({
    data: first,
    databaseIsolation: {
      maxOpen: 1,
      getAdapters: (tenantId) =>
        tenantId.startsWith("shard") ? shard : tenantId === "none" ? undefined : tenantId === "own" ? counting("own", separate) : first,
    },
  });
  await seed(service.postern, ["shard1", "none", "like", "shard2", "own"]);
  await service.postern.close();
  // With `maxOpen: 1`, each adapter is closed when the next one opens.
  expect(closed.toSorted()).toEqual(["own", "shard", "shard"]);
  for (const tenantId of ["none", "like"]) {
    await tokenTenant(service, tenantId);
    expect(await tokensIn(data, tenantId)).toBe(1);
  }
  closed.length = 0;
  await Promise.all([tokenTenant(service, "shard1"), tokenTenant(service, "shard2")]);
  await service.postern.close();
  expect(closed.filter((name) => name !== "shard")).toEqual([]);
  expect(await tokensIn(shard, "shard2")).toBe(1);
});
