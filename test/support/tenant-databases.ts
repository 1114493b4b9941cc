import { readdirSync } from "node:fs";
import type { Postern } from "@postern/core";
import { schema, type AnyRow, type Collection, type DataAdapter } from "@postern/core/adapter";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Databases } from "../../examples/tenant-databases/databases.ts";
import { copyTenant } from "../../examples/tenant-databases/copy-tenant.ts";
import { migrateAll } from "../../examples/tenant-databases/migrate-all.ts";
import { createService } from "../../examples/tenant-databases/service.ts";
import { list, jsonBody, stringMember, type JsonBody } from "./api.ts";
import { clientSecret, issuer, managementAudience, type ApiResponse } from "./postern.ts";

const connection = "Username-Password-Authentication";

/** All dialects have the same number of migrations. */
const migrations = readdirSync(new URL("../../packages/kysely/src/migrations/sqlite", import.meta.url));

/**
 * Adds the tests of `examples/tenant-databases` for a kind of database. `damage` makes a tenant's database unusable,
 * but keeps its name.
 */
export function testTenantDatabases(
  open: () => Promise<Databases>,
  damage: (databases: Databases, tenantId: string) => Promise<unknown>,
): void {
  let databases: Databases;
  let postern: Postern;
  let manager: Call;
  const managers = new Map<string, Call>();

  beforeAll(async () => {
    databases = await open();
    await databases.first.migrate();
    postern = createService(databases, {
      issuer,
      crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
      logger: { log: () => {} },
    });
    manager = await managerOf("main");
  });
  afterAll(async () => {
    await postern.close();
    await databases.close();
  });

  type Call = (method: string, path: string, body?: object) => Promise<ApiResponse>;
  const send = async (method: string, path: string, body: object | undefined, token?: string): Promise<ApiResponse> => {
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { "content-type": "application/json" }),
    };
    const response = await postern.fetch(new Request(issuer + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }));
    const reply = await response.text();
    return { status: response.status, headers: response.headers, body: reply === "" ? undefined : JSON.parse(reply) };
  };
  async function managerOf(tenantId: string): Promise<Call> {
    const settings = { name: "Manager", app_type: "non_interactive" } as const;
    const client = { client_id: `${tenantId}-manager`, client_secret: clientSecret };
    await postern.seed({ tenantId, clients: [{ clientId: client.client_id, secret: clientSecret, settings, managesTenant: true }] });
    const granted = await send("POST", "oauth/token", { grant_type: "client_credentials", audience: managementAudience, ...client });
    const token = stringMember(jsonBody(granted), "access_token");
    return (method, path, body) => send(method, path, body, token);
  }
  const create = async (id: string): Promise<Call> => {
    expect(await manager("POST", "tenants", { id, name: id })).toMatchObject({ status: 201 });
    const call = await managerOf(id);
    managers.set(id, call);
    return call;
  };
  const own = async <T>(tenantId: string, look: (data: DataAdapter) => Promise<T>): Promise<T> => {
    const data = await databases.tenants.open(tenantId);
    try {
      return await look(data);
    } finally {
      await data.close();
    }
  };

  test("stores the rows of a new tenant only in the tenant's own database", async () => {
    const [acme, umbrella] = [await create("acme"), await create("umbrella")];
    for (const [manage, name] of [
      [acme, "acme"],
      [umbrella, "umbrella"],
    ] as const) {
      expect((await manage("POST", "api/v2/users", { connection, email: `ann@${name}.test` })).status).toBe(201);
      expect((await manage("POST", "api/v2/roles", { name: `role of ${name}` })).status).toBe(201);
    }
    expect(list(await acme("GET", "api/v2/users")).map((user) => user["email"])).toEqual(["ann@acme.test"]);
    for (const tenantId of ["acme", "umbrella"]) {
      const found = await own(tenantId, (data) => tenantsIn(data, ["main", "acme", "umbrella"]));
      expect([...found.keys()]).toEqual([tenantId]);
      expect(found.get(tenantId)).toEqual(expect.arrayContaining(["users", "roles", "clients", "connections", "logs", "resource_servers"]));
    }
    expect([...(await tenantsIn(databases.first, ["main", "acme", "umbrella"])).keys()]).toEqual(["main"]);
    const { tenants, directory } = databases.first.collections;
    expect(await tenants.count({ id: { in: ["main", "acme", "umbrella"] } })).toBe(3);
    expect(await directory.count({ kind: "client", value: "acme-manager" })).toBe(1);
  });

  test("the operation that creates a tenant lists the tables and migrations of its database", async () => {
    const { operations } = jsonBody(await manager("GET", "tenants/acme/operations")) as { readonly operations: readonly JsonBody[] };
    const [provision = {}] = operations;
    expect(provision).toMatchObject({ kind: "provision", status: "succeeded" });
    const serialized = JSON.stringify((await manager("GET", `operations/${stringMember(provision, "id")}`)).body);
    expect(serialized).toContain('"tables"');
    expect(serialized).toContain(`"migrations":${migrations.length}`);
  });

  test("drops the database of a deleted tenant, and gives a recreated tenant an empty database", async () => {
    const before = await create("again");
    await before("POST", "api/v2/users", { connection, email: "old@again.test" });
    expect((await manager("DELETE", "tenants/again")).status).toBe(200);
    await expect(databases.tenants.open("again")).rejects.toThrow();
    expect((await before("GET", "api/v2/users")).status).toBe(401);
    expect(await manager("POST", "tenants", { id: "again", name: "Again" })).toMatchObject({ status: 201 });
    expect((await before("GET", "api/v2/users")).status).toBe(401);
    const after = await managerOf("again");
    expect(list(await after("GET", "api/v2/users"))).toEqual([]);
  });

  test("copies all rows of a tenant into another database once, and no rows of other tenants", async () => {
    await databases.tenants.provision("copy");
    await own("copy", ({ collections: copy }) =>
      own("acme", async ({ collections: acme }) => {
        const rows = [...(await tenantsIn({ collections: acme }, ["acme"])).values()].flat();
        expect(await copyTenant(acme, copy, "umbrella")).toBe(0);
        expect(await copyTenant(acme, copy, "acme")).toBeGreaterThan(rows.length);
        expect(await copyTenant(acme, copy, "acme")).toBe(0);
        await copy.users.delete({ tenant_id: "acme", connection });
        expect(await copyTenant(acme, copy, "acme")).toBe(1);
        expect([...(await tenantsIn({ collections: copy }, ["acme"])).values()].flat()).toEqual(rows);
      }),
    );
    await databases.tenants.drop("copy");
  });

  test("leaves no tenant behind if its database cannot be created", async () => {
    const { provision } = databases.tenants;
    Object.assign(databases.tenants, { provision: () => Promise.reject(new Error("no room")) });
    try {
      expect((await manager("POST", "tenants", { id: "roomless", name: "Roomless" })).status).toBe(500);
    } finally {
      Object.assign(databases.tenants, { provision });
    }
    expect((await manager("GET", "tenants/roomless")).status).toBe(404);
    expect(await databases.first.collections.tenants.count({ id: "roomless" })).toBe(0);
    await create("roomless");
  });

  test("migrates all databases, reports the failed ones at the end, and returns 1 if one failed", async () => {
    await create("broken");
    const lines: string[] = [];
    expect(await migrateAll(databases, (line) => void lines.push(line))).toBe(0);
    expect(lines[0]).toBe("first database: up to date");
    expect(lines.at(-1)).toMatch(/^0 migrated, \d+ up to date, 0 failed$/);

    await postern.close();
    await damage(databases, "broken");
    await databases.tenants.drop("umbrella");
    lines.length = 0;
    expect(await migrateAll(databases, (line) => void lines.push(line))).toBe(1);
    expect(lines.filter((line) => line.startsWith("failed: ")).map((line) => line.split(/[ ,]/)[1])).toEqual(["broken", "umbrella"]);
    expect(lines).toContainEqual(expect.stringMatching(/ 2 failed$/));
    // The other tenants keep working in the service as well.
    const statuses = await Promise.all(
      ["acme", "umbrella", "broken"].map(async (id) => (await managers.get(id)?.("GET", "api/v2/users"))?.status),
    );
    expect(statuses).toEqual([200, 503, 503]);
  });
}

/** Returns the names of the collections that contain rows of these tenants, by tenant. */
async function tenantsIn({ collections }: DataAdapter, tenantIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const tenantId of tenantIds) {
    for (const { name, scope } of Object.values(schema)) {
      if (scope !== "tenant") continue;
      // The row types differ by collection; all of these have this field.
      const collection = collections[name] as unknown as Collection<AnyRow>;
      if ((await collection.count({ tenant_id: tenantId })) > 0) found.set(tenantId, [...(found.get(tenantId) ?? []), name]);
    }
  }
  return found;
}
