import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody, managerOf, stringMember, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

const connection = "Username-Password-Authentication";
const api = "https://shop.example.test";
const permission = (name: string) => ({ resource_server_identifier: api, permission_name: name });

let service: TestPostern;
let manage: Manager;
let user: string;
let ids: readonly string[];
beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  const scopes = ["a", "b", "c"].map((value) => ({ value }));
  await manage.create("/api/v2/resource-servers", { identifier: api, name: "Shop", scopes });
  await manage.create("/api/v2/resource-servers", { identifier: "https://other.example.test", name: "Other", scopes });
  const { user_id: userId } = await service.postern.tenant("main").users.create({ connection, email: "ann@example.test" });
  user = `/api/v2/users/${encodeURIComponent(userId)}`;
  const role = async (name: string, permissions: readonly string[]): Promise<string> => {
    const id = stringMember(await manage.create("/api/v2/roles", { name }), "id");
    await manage("POST", `/api/v2/roles/${id}/permissions`, { permissions: permissions.map(permission) });
    return id;
  };
  ids = [await role("Clerk", ["a", "b"]), await role("Manager", ["b"]), await role("Elsewhere", ["c"])];
  await manage("POST", `${user}/roles`, { roles: ids.slice(0, 2) });
  const other = { resource_server_identifier: "https://other.example.test", permission_name: "a" };
  await manage("POST", `${user}/permissions`, { permissions: [permission("a"), other] });
  // A role inside an organization gives nothing outside of it.
  const organization = stringMember(await manage.create("/api/v2/organizations", { name: "acme" }), "id");
  await manage("POST", `/api/v2/organizations/${organization}/members`, { members: [userId] });
  await manage("POST", `/api/v2/organizations/${organization}/members/${encodeURIComponent(userId)}/roles`, { roles: ids.slice(2) });
});

const get = async (path: string) => jsonBody(await manage("GET", `${user}/${path}`));
const ofApi = `resource_server_identifier=${encodeURIComponent(api)}`;

describe("effective access", () => {
  test("lists the permissions for one API, each once with its kinds of sources", async () => {
    const { permissions } = await get(`effective-permissions?${ofApi}`);
    expect(permissions).toEqual([
      { ...permission("a"), resource_server_name: "Shop", description: "", sources: ["direct", "roles"] },
      { ...permission("b"), resource_server_name: "Shop", description: "", sources: ["roles"] },
    ]);
    const first = await get(`effective-permissions?${ofApi}&take=1`);
    const second = await get(`effective-permissions?${ofApi}&take=1&from=${String(first["next"])}`);
    expect([first["permissions"], second["permissions"]].flat()).toEqual(permissions);
    expect(second["next"]).toBe(undefined);
  });

  test("lists the roles, and those that give a permission", async () => {
    const roleOf = (index: number, name: string) => ({ id: ids[index], name, description: "", sources: ["direct"] });
    const roles = async (path: string) => (await get(path))["roles"];
    const [clerk, manager] = [roleOf(0, "Clerk"), roleOf(1, "Manager")];
    expect(await roles("effective-roles")).toEqual(expect.arrayContaining([clerk, manager]));
    expect(await roles("effective-roles")).toHaveLength(2);
    const granting = (name: string) => roles(`effective-permissions/sources/effective-roles?${ofApi}&permission_name=${name}`);
    expect([await granting("a"), await granting("c"), await granting("unknown")]).toEqual([[clerk], [], []]);
    expect(await granting("b")).toHaveLength(2);
  });

  test.each([
    "effective-permissions",
    `effective-permissions?${ofApi}&permission_name=a`,
    `effective-permissions?${ofApi}&from=invalid`,
    `effective-permissions/sources/effective-roles?${ofApi}`,
    "effective-roles?take=0",
    "effective-roles?unknown=1",
  ])("rejects %s", async (path) => {
    expectError(await manage("GET", `${user}/${path}`), 400, "invalid_request");
  });

  test("requires its own scopes, and is not visible from another tenant", async () => {
    const other = await managerOf(service, "other");
    for (const path of [`effective-permissions?${ofApi}`, "effective-roles"]) {
      expect((await other("GET", `${user}/${path}`)).status).toBe(404);
      expect((await service.call("GET", `${user}/${path}`)).status).toBe(401);
    }
    expect((await manage("GET", `/api/v2/users/unknown/effective-roles`)).status).toBe(404);
  });
});
