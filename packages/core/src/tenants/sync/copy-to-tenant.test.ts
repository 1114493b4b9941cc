import { describe, expect, test } from "vitest";
import type { TenantData } from "../../store/tenant-data.ts";
import { addApi, addRole, copyingService, holdings, type CopyingService } from "../../../test/copying.ts";
import { copyToTenant } from "./copy-to-tenant.ts";

const child = "child";

/** Creates a child tenant with outdated copies, after every kind of change on the control plane. */
async function outdated(): Promise<CopyingService> {
  const service = await copyingService([child]);
  const main = service.scope("main");
  await addApi(main, "kept", "urn:kept");
  await addApi(main, "gone", "urn:gone");
  await addRole(main, "clerk", "Clerk", [
    ["kept", "a"],
    ["gone", "b"],
    ["main-system", "read:users"],
  ]);
  await addRole(main, "helper", "Helper", [["kept", "a"]]);
  await addRole(main, "left", "Left", [["kept", "a"]]);
  await copyToTenant(service, child);

  const data = service.scope(child);
  await addRole(data, "own", "Own");
  const [gone] = await data.resource_servers.find({ where: { identifier: "urn:gone" }, limit: 1 });
  const [left] = await data.roles.find({ where: { name: "Left" }, limit: 1 });
  if (gone === undefined || left === undefined) throw new Error("no copies");
  await data.role_permissions.insert([{ role_id: "own", resource_server_id: gone.id, permission_name: "b", created_at: 0 }]);
  await data.user_permissions.insert([{ user_id: "auth0|1", resource_server_id: gone.id, permission_name: "b", created_at: 0 }]);
  await data.user_roles.insert([{ user_id: "auth0|1", organization_id: "", role_id: left.id, created_at: 0 }]);

  await main.resource_servers.delete({ id: "gone" });
  await main.role_permissions.delete({ resource_server_id: "gone" });
  await addApi(main, "next", "urn:gone", { settings: { scopes: [{ value: "c" }] } });
  await main.resource_servers.update({ id: "kept" }, { set: { name: "Kept on", settings: { token_lifetime: 5 } } });
  await main.roles.delete({ id: "left" });
  await main.role_permissions.delete({ role_id: "left" });
  // Roles exchange their names, and one name is released.
  await main.roles.update({ id: "clerk" }, { set: { name: "aside", name_folded: "aside" } });
  await main.roles.update({ id: "helper" }, { set: { name: "Clerk", name_folded: "clerk", description: "now" } });
  await main.roles.update({ id: "clerk" }, { set: { name: "Helper", name_folded: "helper" } });
  await addRole(main, "new", "Left", [["next", "c"]]);
  await main.role_permissions.insert([{ role_id: "clerk", resource_server_id: "next", permission_name: "c", created_at: 0 }]);
  return service;
}

/** Returns the expected rows of the child tenant: those of the control plane, and the tenant's own role. */
async function expected(service: CopyingService): Promise<unknown> {
  const main = await holdings(service.scope("main"));
  return { ...main, roles: [...(main["roles"] ?? []), "Own own "].toSorted() };
}

async function leftovers({ collections }: CopyingService): Promise<number> {
  const { user_roles: roles, user_permissions: permissions } = collections;
  return (await roles.count({ tenant_id: child })) + (await permissions.count({ tenant_id: child }));
}

describe("copyToTenant", () => {
  test("copies every kind of change in one call, and then finds nothing to write", async () => {
    const service = await outdated();
    expect(await copyToTenant(service, child)).toEqual([]);
    expect(await holdings(service.scope(child))).toEqual(await expected(service));
    expect(await leftovers(service)).toBe(0);

    service.around = async ({ name }) => {
      throw new Error(`wrote ${name}`);
    };
    expect(await copyToTenant(service, child)).toEqual([]);
  });

  test.each(["before", "after"] as const)(
    "is completed by the next call after a crash %s any of its writes",
    { timeout: 30_000 },
    async (side) => {
      let died = true;
      let deaths = 0;
      for (let write = 0; died; write++) {
        const service = await outdated();
        let count = 0;
        died = false;
        service.around = async (_, run) => {
          const last = count++ === write;
          if (died) throw new Error("dead");
          if (last && side === "before") died = true;
          else await run();
          if (last && side === "after") died = true;
          if (died) throw new Error("dead");
        };
        await copyToTenant(service, child).catch(() => {});
        if (died) deaths++;
        service.around = async (_, run) => run();
        expect(await copyToTenant(service, child)).toEqual([]);
        expect(await holdings(service.scope(child)), `${side} write ${write}`).toEqual(await expected(service));
        expect(await leftovers(service)).toBe(0);
      }
      expect(deaths).toBeGreaterThan(15);
    },
  );

  test("copies the final state of the control plane without duplicates if 32 processes call it while the control plane changes", async () => {
    const service = await outdated();
    const main = service.scope("main");
    // Writes take different times, so that data of the control plane becomes outdated in between.
    service.around = async (_, run) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
      await run();
    };
    const changes = async (): Promise<void> => {
      for (let i = 0; i < 8; i++) {
        await main.roles.update({ id: "clerk" }, { set: { description: `change ${i}` }, add: { revision: 1 } });
        await main.role_permissions.delete({ role_id: "helper" });
        await main.role_permissions.insert([{ role_id: "helper", resource_server_id: "kept", permission_name: `p${i}`, created_at: 0 }]);
      }
      await copyToTenant(service.beside(), child);
    };
    await Promise.all([changes(), ...Array.from({ length: 31 }, () => copyToTenant(service.beside(), child))]);
    expect(await holdings(service.scope(child))).toEqual(await expected(service));
  });

  const single: { readonly [write: string]: (main: TenantData) => Promise<unknown> } = {
    "roles.insert": (main) => addRole(main, "more", "More"),
    "roles.update": (main) => main.roles.update({ id: "clerk" }, { set: { description: "changed" } }),
    "roles.delete": (main) => main.roles.delete({ id: "helper" }),
    "resource_servers.insert": (main) => addApi(main, "more", "urn:more"),
    "resource_servers.update": (main) => main.resource_servers.update({ id: "kept" }, { set: { name: "changed" } }),
    "resource_servers.delete": (main) => main.resource_servers.delete({ id: "next" }),
    "role_permissions.insert": (main) =>
      main.role_permissions.insert([{ role_id: "new", resource_server_id: "kept", permission_name: "more", created_at: 0 }]),
    "role_permissions.delete": (main) => main.role_permissions.delete({ role_id: "clerk", resource_server_id: "next" }),
  };

  test.each(Object.entries(single))("detects changes on the control plane during its writes (%s)", async (name, change) => {
    const service = await outdated();
    await copyToTenant(service, child);
    const main = service.scope("main");
    await change(main);
    if (name === "resource_servers.delete") await main.role_permissions.delete({ resource_server_id: "next" });
    if (name === "roles.delete") await main.role_permissions.delete({ role_id: "helper" });
    let changed = false;
    service.around = async (write, run) => {
      if (write.name === name && write.tenantId === child && !changed) {
        changed = true;
        await main.roles.update({ id: "new" }, { set: { description: "now" } });
      }
      await run();
    };
    await copyToTenant(service, child);
    expect(changed).toBe(true);
    expect(await holdings(service.scope(child))).toEqual(await expected(service));
  });

  test("never reverts a copy to an older state of the control plane", async () => {
    const service = await copyingService([child]);
    const main = service.scope("main");
    await addRole(main, "clerk", "Clerk");
    await copyToTenant(service, child);
    await main.roles.update({ id: "clerk" }, { set: { description: "older" } });
    const seen: unknown[] = [];
    service.around = async ({ name, tenantId }, run) => {
      if (name !== "roles.update" || tenantId !== child) return run();
      service.around = async (_, rest) => rest();
      await main.roles.update({ id: "clerk" }, { set: { description: "newer" } });
      await copyToTenant(service.beside(), child);
      const result = await run();
      seen.push(...(await service.scope(child).roles.find({ where: { name: "Clerk" }, limit: 1 })));
      return result;
    };
    await copyToTenant(service, child);
    expect(seen).toMatchObject([{ description: "newer" }]);
  });

  test("leaves a tenant's own resources unchanged if they take the names of copies during the call", async () => {
    const service = await copyingService([child]);
    const main = service.scope("main");
    await addRole(main, "clerk", "Clerk");
    await addApi(main, "other", "urn:other");
    await copyToTenant(service, child);
    await main.roles.update({ id: "clerk" }, { set: { name: "Seller", name_folded: "seller" } });
    await addApi(main, "stock", "urn:stock");
    service.around = async ({ name, tenantId }, run) => {
      const data = service.scope(child);
      if (tenantId === child && (name === "roles.update" || name === "resource_servers.insert")) {
        service.around = async (_, rest) => rest();
        await addRole(data, "own", "Seller");
        await addApi(data, "own-stock", "urn:stock");
      }
      return run();
    };
    expect(await copyToTenant(service, child)).toEqual([
      { kind: "api", name: "urn:stock" },
      { kind: "role", name: "Seller" },
    ]);
    expect((await service.scope(child).roles.find({ where: { id: "own" }, limit: 1 }))[0]).toMatchObject({ name: "Seller", origin: null });
    expect(await service.scope(child).roles.count({ name: "Clerk" })).toBe(1);
  });

  test("leaves no copies if the tenant is deleted at the same time", async () => {
    const service = await outdated();
    let removed = false;
    service.around = async ({ name }, run) => {
      await run();
      // The deletion clears the collections after the first copies were inserted.
      if (name !== "roles.insert" || removed) return;
      removed = true;
      await service.collections.tenants.update({ id: child }, { set: { deleting_at: 1 } });
      const data = service.scope(child);
      for (const { id } of await data.roles.find({ where: {}, limit: 100 })) await data.roles.delete({ id });
    };
    expect(await copyToTenant(service, child)).toEqual([]);
    expect(removed).toBe(true);
    expect(await holdings(service.scope(child))).toMatchObject({ apis: [expect.stringMatching(/^api\/v2\//)], roles: [] });
  });

  test("leaves copies unchanged if the control plane does not exist", async () => {
    const service = await outdated();
    await copyToTenant(service, child);
    const before = await holdings(service.scope(child));
    await service.collections.tenants.update({ id: "main" }, { set: { ready_at: null } });
    await service.scope("main").roles.delete({ id: "clerk" });
    expect(await copyToTenant(service.beside(), child)).toEqual([]);
    expect(await holdings(service.scope(child))).toEqual(before);
  });

  test("writes nothing for the control plane itself, or if nothing is shared", async () => {
    const service = await outdated();
    service.around = async ({ name }) => {
      throw new Error(`wrote ${name}`);
    };
    expect(await copyToTenant(service, "main")).toEqual([]);
    expect(await copyToTenant({ ...service, sync: { resourceServers: false, roles: false } }, child)).toEqual([]);
    expect(await copyToTenant({ ...service, controlPlaneTenantId: undefined }, child)).toEqual([]);
  });

  test("skips a copy whose name belongs to a resource of the tenant whose deletion is in progress", async () => {
    const service = await outdated();
    const data = service.scope(child);
    await addApi(data, "own-api", "urn:new");
    await data.resource_servers.update({ id: "own-api" }, { set: { deleting_at: 1 } });
    await addApi(service.scope("main"), "new-api", "urn:new");
    expect(await copyToTenant(service, child)).toEqual([{ kind: "api", name: "urn:new" }]);
    await data.resource_servers.delete({ id: "own-api" });
    expect(await copyToTenant(service, child)).toEqual([]);
  });
});
