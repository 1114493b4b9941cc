import type { DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { expectError, list, jsonBody, stringMember } from "../support/api.ts";
import { managementAudience } from "../support/postern.ts";
import { asCopies, encoded, addPermissions, findByName, openSyncedTenants, apisAndRolesOf, type SyncedTenants } from "./synced-tenants.ts";

const orders = "https://orders.example.test/";
const stock = "https://stock.example.test/";

/** Opens tenants with two APIs, and a role with permissions for both and for the Management API. */
async function openShopApi(options = {}): Promise<SyncedTenants & { readonly clerk: string; readonly api: string }> {
  const tenants = await openSyncedTenants(options);
  const { main } = tenants;
  const scopes = [{ value: "read:orders", description: "See orders" }, { value: "write:orders" }];
  const api = stringMember(
    await main.create("/api/v2/resource-servers", { identifier: orders, name: "Orders", scopes, token_lifetime: 600 }),
    "id",
  );
  await main.create("/api/v2/resource-servers", { identifier: stock, name: "Stock", scopes: [{ value: "count" }] });
  const clerk = stringMember(
    await main.create("/api/v2/roles", { name: "Clerk", description: "At the counter", metadata: { team: "A" } }),
    "id",
  );
  await addPermissions(main, clerk, orders, ["read:orders", "write:orders"]);
  await addPermissions(main, clerk, stock, ["count"]);
  await addPermissions(main, clerk, managementAudience, ["read:users"]);
  return { ...tenants, clerk, api };
}

const stores: readonly (readonly [string, () => Promise<DataAdapter>])[] = [
  ["memory", async () => createMemoryAdapter({ strict: true })],
  [
    "SQLite",
    async () => {
      const adapter = await openDatabase("sqlite::memory:");
      await adapter.migrate();
      return adapter;
    },
  ],
];

test.each(stores)(
  "copies APIs, roles and their permissions to other tenants, and applies every kind of change to the copies (%s)",
  async (_, open) => {
    const { main, other, clerk, api, faults } = await openShopApi({ data: await open() });
    const follows = async (): Promise<void> => expect(await apisAndRolesOf(other)).toEqual(asCopies(await apisAndRolesOf(main)));
    expect((await apisAndRolesOf(other)).roles).toMatchObject([
      {
        name: "Clerk",
        permissions: [`count of ${stock}`, `read:orders of ${orders}`, `read:users of ${managementAudience}`, `write:orders of ${orders}`],
      },
    ]);
    await follows();

    await main("PATCH", `/api/v2/resource-servers/${api}`, {
      name: "All orders",
      scopes: [{ value: "read:orders" }],
      enforce_policies: true,
    });
    await follows();
    await main("PATCH", `/api/v2/roles/${clerk}`, { name: "Seller", description: "", metadata: { team: null, floor: "2" } });
    await follows();
    const permissions = [{ resource_server_identifier: stock, permission_name: "count" }];
    await main("DELETE", `/api/v2/roles/${clerk}/permissions`, { permissions });
    await follows();
    await main("DELETE", `/api/v2/resource-servers/${encoded(stock)}`);
    await follows();
    await main.create("/api/v2/resource-servers", { identifier: stock, name: "Stock again" });
    await follows();
    await main("DELETE", `/api/v2/roles/${clerk}`);
    await follows();
    expect((await apisAndRolesOf(other)).roles).toEqual([]);
    expect(faults).toEqual([]);
  },
);

test("a copy keeps its id and its assignments through changes, and both are deleted with the original", async () => {
  const { main, other, clerk } = await openShopApi();
  const copy = stringMember(await findByName(other, "roles", "Clerk"), "id");
  const user = stringMember(
    await other.create("/api/v2/users", { connection: "Username-Password-Authentication", email: "a@example.test" }),
    "user_id",
  );
  expect(await other("POST", `/api/v2/users/${encoded(user)}/roles`, { roles: [copy] })).toMatchObject({ status: 204 });
  const { client_id: client } = await other.create("/api/v2/clients", { name: "App", app_type: "non_interactive" });
  const grant = await other.create("/api/v2/client-grants", { client_id: client, audience: orders, scope: ["read:orders"] });

  await main("PATCH", `/api/v2/roles/${clerk}`, { name: "Seller" });
  expect(await findByName(other, "roles", "Seller")).toMatchObject({ id: copy });
  expect(list(await other("GET", `/api/v2/users/${encoded(user)}/roles`))).toMatchObject([{ id: copy, is_system: true }]);

  await main("DELETE", `/api/v2/roles/${clerk}`);
  await main("DELETE", `/api/v2/resource-servers/${encoded(orders)}`);
  expect(list(await other("GET", `/api/v2/users/${encoded(user)}/roles`))).toEqual([]);
  expect(await other("GET", `/api/v2/client-grants/${stringMember(grant, "id")}`)).toMatchObject({ status: 404 });
});

test("copies of roles that swap their names, two or three at a time, get the new names and keep their ids", async () => {
  const { main, other } = await openSyncedTenants();
  const ids = [];
  for (const name of ["A", "B", "C"]) ids.push(stringMember(await main.create("/api/v2/roles", { name }), "id"));
  const before = await Promise.all(["A", "B", "C"].map(async (name) => stringMember(await findByName(other, "roles", name), "id")));
  // Each step of the swap is a separate change. One sync in another process can apply all of these changes at once.
  await main("PATCH", `/api/v2/roles/${ids[0]}`, { name: "aside" });
  await main("PATCH", `/api/v2/roles/${ids[2]}`, { name: "A" });
  await main("PATCH", `/api/v2/roles/${ids[1]}`, { name: "C" });
  await main("PATCH", `/api/v2/roles/${ids[0]}`, { name: "B" });
  const after = await Promise.all(["B", "C", "A"].map(async (name) => stringMember(await findByName(other, "roles", name), "id")));
  expect(after).toEqual(before);
});

test("does not copy APIs and roles with `sync: false` in their metadata, deletes existing copies, and copies them again once it is removed", async () => {
  const { main, other } = await openSyncedTenants();
  for (const sync of [false, "false"]) {
    const identifier = `https://${String(sync)}-${typeof sync}.example.test/`;
    const api = stringMember(
      await main.create("/api/v2/resource-servers", { identifier, metadata: { sync }, scopes: [{ value: "a" }] }),
      "id",
    );
    const role = stringMember(await main.create("/api/v2/roles", { name: "Own", metadata: { sync } }), "id");
    await addPermissions(main, role, identifier, ["a"]);
    expect(await apisAndRolesOf(other)).toEqual({ apis: [], roles: [] });

    await main("PATCH", `/api/v2/roles/${role}`, { metadata: { sync: null } });
    expect(await apisAndRolesOf(other)).toMatchObject({ apis: [], roles: [{ name: "Own", permissions: [] }] });
    await main("PATCH", `/api/v2/resource-servers/${api}`, { metadata: { sync: "true" } });
    expect(await apisAndRolesOf(other)).toMatchObject({ apis: [{ identifier }], roles: [{ permissions: [`a of ${identifier}`] }] });
    await main("PATCH", `/api/v2/resource-servers/${api}`, { metadata: { sync } });
    await main("PATCH", `/api/v2/roles/${role}`, { metadata: { sync } });
    expect(await apisAndRolesOf(other)).toEqual({ apis: [], roles: [] });
    await main("DELETE", `/api/v2/roles/${role}`);
  }
});

test("rejects metadata with other values of `sync`, and other invalid metadata", async () => {
  const { main } = await openSyncedTenants();
  const role = stringMember(await main.create("/api/v2/roles", { name: "R" }), "id");
  const api = stringMember(await main.create("/api/v2/resource-servers", { identifier: orders }), "id");
  const tooMany = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`key${index}`, ""]));
  for (const [metadata, expectedText] of [
    [{ sync: "no" }, /metadata.sync/],
    [{ sync: "" }, /metadata.sync/],
    [{ sync: "False" }, /metadata.sync/],
    [{ sync: 0 }, /metadata.sync/],
    [{ sync: {} }, /metadata.sync/],
    [{ a: 1 }, /metadata.a/],
    [{ a: "x".repeat(256) }, /metadata.a/],
    [{ "": "x" }, /metadata/],
    [tooMany, /metadata/],
    [[], /metadata/],
    [null, /metadata/],
    ["sync", /metadata/],
  ] as const) {
    expectError(await main("PATCH", `/api/v2/roles/${role}`, { metadata }), 400, "invalid_request", expectedText);
    expectError(await main("POST", "/api/v2/roles", { name: "S", metadata }), 400, "invalid_request", expectedText);
    expectError(await main("PATCH", `/api/v2/resource-servers/${api}`, { metadata }), 400, "invalid_request", expectedText);
    expectError(await main("POST", "/api/v2/resource-servers", { identifier: stock, metadata }), 400, "invalid_request", expectedText);
  }
  const unusual = { constructor: "x", toString: "y" };
  expect(jsonBody(await main("PATCH", `/api/v2/roles/${role}`, { metadata: unusual }))["metadata"]).toEqual(unusual);
  expect(jsonBody(await main("PATCH", `/api/v2/resource-servers/${api}`, { metadata: unusual }))["metadata"]).toEqual(unusual);
});

test("a tenant's own API or role keeps a conflicting name, and the copy is skipped, logged, and created once the name is free", async () => {
  const reported: unknown[] = [];
  const tenants = await openSyncedTenants({ logger: { log: (entry) => void (entry.event === "copies_left_out" && reported.push(entry)) } });
  const { main, other, resync } = tenants;
  const own = await other.create("/api/v2/resource-servers", { identifier: orders, name: "Mine", scopes: [{ value: "own" }] });
  const ownRole = await other.create("/api/v2/roles", { name: "Clerk", description: "Mine" });
  await main.create("/api/v2/resource-servers", { identifier: orders, name: "Orders", scopes: [{ value: "read" }] });
  const clerk = stringMember(await main.create("/api/v2/roles", { name: "Clerk" }), "id");
  const helper = stringMember(await main.create("/api/v2/roles", { name: "Helper" }), "id");
  await addPermissions(main, clerk, orders, ["read"]);
  await addPermissions(main, helper, orders, ["read"]);

  expect(jsonBody(await other("GET", `/api/v2/resource-servers/${stringMember(own, "id")}`))).toEqual(own);
  expect(jsonBody(await other("GET", `/api/v2/roles/${stringMember(ownRole, "id")}`))).toEqual(ownRole);
  expect(await apisAndRolesOf(other)).toMatchObject({
    apis: [{ name: "Mine", is_system: false }],
    roles: [{ permissions: [] }, { name: "Helper", permissions: [] }],
  });
  expect(reported.at(-1)).toMatchObject({
    tenant_id: "other",
    left_out: [
      { kind: "api", name: orders },
      { kind: "role", name: "Clerk" },
    ],
  });

  // A copy keeps its current name if its new name is in use.
  await main("PATCH", `/api/v2/roles/${clerk}`, { name: "Clerks" });
  await main("PATCH", `/api/v2/roles/${helper}`, { name: "Clerk", description: "Helps" });
  expect((await apisAndRolesOf(other)).roles).toMatchObject([
    { name: "Clerk", description: "Mine" },
    { name: "Clerks", is_system: true },
    { name: "Helper", description: "Helps", is_system: true },
  ]);

  await other("DELETE", `/api/v2/roles/${stringMember(ownRole, "id")}`);
  await other("DELETE", `/api/v2/resource-servers/${stringMember(own, "id")}`);
  await resync();
  expect(await apisAndRolesOf(other)).toEqual(asCopies(await apisAndRolesOf(main)));
});

/** Creates an adapter that stores no operations. */
function withoutOperations(inner: DataAdapter): DataAdapter {
  const { tenant_operations: _, tenant_operation_events: __, ...collections } = inner.collections;
  return { ...inner, collections };
}

/** Creates an adapter whose writes take up to three milliseconds each. */
function slow(inner: DataAdapter): DataAdapter {
  return aroundWrites(inner, async (_, run) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    return run();
  });
}

test.each([
  ["operations", slow(createMemoryAdapter({ strict: true }))],
  ["no operations", withoutOperations(slow(createMemoryAdapter({ strict: true })))],
])("the copies contain 32 parallel changes when the responses arrive, even if syncs overlap (with %s)", async (_, data) => {
  const { main, other, faults } = await openSyncedTenants({ data });
  await Promise.all(Array.from({ length: 32 }, (_unused, i) => main.create("/api/v2/roles", { name: `Role ${i}` })));
  expect((await apisAndRolesOf(other)).roles).toHaveLength(32);
  expect(await apisAndRolesOf(other)).toEqual(asCopies(await apisAndRolesOf(main)));
  expect(faults).toEqual([]);
});

test("a change during a sync is also copied to a tenant that the sync has already processed", async () => {
  const inner = createMemoryAdapter({ strict: true });
  let release: (() => void) | undefined;
  let onInsert: (() => void) | undefined;
  const roles: typeof inner.collections.roles = {
    ...inner.collections.roles,
    insert: async (rows) => {
      if (onInsert !== undefined && rows.some((row) => row.tenant_id === "third")) {
        onInsert();
        await new Promise<void>((resolve) => void (release = resolve));
      }
      return inner.collections.roles.insert(rows);
    },
  };
  const { main, other, postern } = await openSyncedTenants({
    data: withoutOperations({ ...inner, collections: { ...inner.collections, roles } }),
  });
  await postern.seed({ tenantId: "third" });
  const role = stringMember(await main.create("/api/v2/roles", { name: "R", metadata: { sync: false } }), "id");
  const insertStarted = new Promise<void>((resolve) => void (onInsert = resolve));
  const first = main("PATCH", `/api/v2/roles/${role}`, { metadata: { sync: null } });
  await insertStarted;
  while ((await apisAndRolesOf(other)).roles.length === 0) await new Promise((resolve) => setImmediate(resolve));
  onInsert = undefined;
  await main("PATCH", `/api/v2/roles/${role}`, { description: "now" });
  release?.();
  await first;
  expect(await apisAndRolesOf(other)).toEqual(asCopies(await apisAndRolesOf(main)));
  expect(await inner.collections.roles.count({ tenant_id: "third", name: "R" })).toBe(1);
});

test("a new tenant, seeded or created, has all copies from the start, including changes that were made during its creation", async () => {
  let during: (() => Promise<unknown>) | undefined;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    const change = during;
    if (name === "organizations.insert" && change !== undefined) {
      during = undefined;
      await change();
    }
    return run();
  });
  const { main, postern, faults } = await openSyncedTenants({ data });
  await main.create("/api/v2/roles", { name: "R" });
  await postern.seed({ tenantId: "seeded" });
  expect(await data.collections.roles.count({ tenant_id: "seeded", origin: { exists: true } })).toBe(1);
  during = () => main.create("/api/v2/roles", { name: "S" });
  await main.create("/tenants", { id: "created", name: "Created" });
  expect(during).toBeUndefined();
  for (const [tenant_id, count] of [
    ["seeded", 2],
    ["created", 2],
  ] as const) {
    expect(await data.collections.roles.count({ tenant_id, origin: { exists: true } }), tenant_id).toBe(count);
  }
  expect(faults).toEqual([]);
});

test("does not copy the Management API: each tenant has its own, with its settings unchanged", async () => {
  const { main, other, resync } = await openSyncedTenants();
  const before = await Promise.all([main, other].map(async (manage) => findByName(manage, "resource-servers", "Auth0 Management API")));
  await resync();
  expect(await Promise.all([main, other].map(async (manage) => findByName(manage, "resource-servers", "Auth0 Management API")))).toEqual(
    before,
  );
  expect(before[0]?.["id"]).not.toBe(before[1]?.["id"]);
});

test("logs a tenant whose database fails, syncs the others, and syncs that tenant with the next change", async () => {
  const inner = createMemoryAdapter({ strict: true });
  let broken = true;
  const roles: typeof inner.collections.roles = {
    ...inner.collections.roles,
    insert: async (rows) => {
      if (broken && rows.some((row) => row.tenant_id === "other")) throw new Error("the disk is full");
      return inner.collections.roles.insert(rows);
    },
  };
  const events: unknown[] = [];
  const data = { ...inner, collections: { ...inner.collections, roles } };
  const { main, other, postern, resync } = await openSyncedTenants({ data, logger: { log: (entry) => void events.push(entry) } });
  await postern.seed({ tenantId: "another" });
  await postern.seed({ tenantId: "third" });
  await main.create("/api/v2/roles", { name: "R" });
  expect((await apisAndRolesOf(other)).roles).toEqual([]);
  expect(events).toContainEqual(expect.objectContaining({ level: "error", event: "sync_failed", tenant_id: "other" }));
  for (const tenant_id of ["another", "third"]) expect(await inner.collections.roles.count({ tenant_id, name: "R" })).toBe(1);
  broken = false;
  await resync();
  expect((await apisAndRolesOf(other)).roles).toMatchObject([{ name: "R", is_system: true }]);
});
