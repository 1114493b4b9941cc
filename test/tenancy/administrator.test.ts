import type { Seed } from "@postern/core";
import type { CreateClient } from "@postern/core/api";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { clientSecret, createTestPostern, managementAudience, type TestPostern } from "../support/postern.ts";

/** Tests the first user of a service, who administers it through a client that the host application seeds. */

const user = { email: "admin@example.test", password: "a-long-Password-1", managesTenant: true } as const;
const settings: CreateClient = { name: "Console", app_type: "regular_web", grant_types: ["password"] };
const seed: Seed = { tenantId: "main", clients: [{ clientId: "console", secret: clientSecret, settings }], user };
const role = "rol_administrator";

let service: TestPostern;
let main: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  main = await managerOf(service, "main");
  await service.postern.seed(seed);
});

async function signIn(password: string = user.password): Promise<string> {
  const body = { grant_type: "password", client_id: "console", client_secret: clientSecret, username: user.email, password };
  const response = await service.call("POST", "/oauth/token", {
    body: {
      ...body,
      audience: managementAudience,
      scope: "read:users read:tenants create:tenants read:tenant_operations read:tenant_settings",
    },
  });
  return stringMember(jsonBody(response), "access_token");
}

test("the first user signs in, creates a tenant, and sees only that tenant and the control plane", async () => {
  const token = await signIn();
  expect(jsonBody(await service.call("POST", "/tenants", { token, body: { id: "mine", name: "Mine" } }), 201)).toMatchObject({
    tenant: { id: "mine" },
  });
  await main("POST", "/tenants", { id: "theirs", name: "Theirs" });
  expect(jsonBody(await service.call("GET", "/tenants", { token }))).toMatchObject({ total: 2, tenants: [{ id: "main" }, { id: "mine" }] });
  expectError(await service.call("GET", "/tenants/theirs", { token }), 404, "not_found");
  expect(await service.call("GET", "/api/v2/users", { token })).toMatchObject({ status: 200 });
});

test("a second start does not assign the administrator role to a new user who has the seeded email address", async () => {
  const [admin = {}] = list(await main("GET", `/api/v2/users-by-email?email=${user.email}`));
  const path = `/api/v2/users/${encodeURIComponent(stringMember(admin, "user_id"))}`;
  await main("PATCH", path, { email: "former@example.test" });
  await main("POST", "/api/v2/users", {
    connection: "Username-Password-Authentication",
    email: user.email,
    password: "another-Password-2",
  });
  await service.postern.seed(seed);
  const token = await signIn("another-Password-2");
  expectError(await service.call("GET", "/api/v2/users", { token }), 403, "insufficient_scope");
});

test("after a tenant was recreated, a user can read only the new tenant's operations, and a client can read all operations", async () => {
  await main("POST", "/tenants", { id: "mine", name: "Mine" });
  const [former] = list(await main("GET", "/tenants/mine/operations"), "operations");
  await main("DELETE", "/tenants/mine");
  service.clock.advance("6s");
  const token = await signIn();
  jsonBody(await service.call("POST", "/tenants", { token, body: { id: "mine", name: "Mine" } }), 201);
  expect(list(await main("GET", "/tenants/mine/operations"), "operations")).toHaveLength(3);
  expect(list(await service.call("GET", "/tenants/mine/operations", { token }), "operations")).toMatchObject([{ kind: "provision" }]);
  const path = `/operations/${String(former?.["id"])}`;
  expectError(await service.call("GET", path, { token }), 404, "not_found");
  expect(await main("GET", path)).toMatchObject({ status: 200 });
});

describe("the administrator role", () => {
  test("grants every scope, and is returned as a system role", async () => {
    expect(jsonBody(await main("GET", `/api/v2/roles/${role}`))).toMatchObject({ name: "Administrator", is_system: true });
    const scopes = list(await main("GET", "/api/v2/resource-servers")).flatMap(({ scopes: all }) => (Array.isArray(all) ? all : []));
    const { total } = jsonBody(await main("GET", `/api/v2/roles/${role}/permissions?include_totals=true`));
    expect(total).toBe(scopes.length);
  });

  test("is unchanged by an update with the values that the API returned", async () => {
    const { id, ...read } = jsonBody(await main("GET", `/api/v2/roles/${role}`));
    expect(jsonBody(await main("PATCH", `/api/v2/roles/${role}`, read))).toEqual({ id, ...read });
    expectError(
      await main("PATCH", `/api/v2/roles/${role}`, { is_system: false }),
      400,
      "invalid_request",
      "'is_system' is true for this role",
    );
    const own = await main.create("/api/v2/roles", { name: "Own" });
    expect(jsonBody(await main("PATCH", `/api/v2/roles/${stringMember(own, "id")}`, { name: "Mine", is_system: false }))).toMatchObject({
      name: "Mine",
    });
    expectError(
      await main("PATCH", `/api/v2/roles/${stringMember(own, "id")}`, { is_system: true }),
      400,
      "invalid_request",
      "'is_system' is false for this role",
    );
  });

  test("is excluded from a list of the roles that the tenant can change", async () => {
    await main.create("/api/v2/roles", { name: "Own" });
    const names = async (query: string) => list(await main("GET", `/api/v2/roles${query}&sort=name:asc`)).map(({ name }) => name);
    expect(await names("?per_page=10")).toEqual(["Administrator", "Own"]);
    expect(await names("?type=tenant")).toEqual(["Own"]);
    expect(jsonBody(await main("GET", "/api/v2/roles?type=tenant&include_totals=true"))).toMatchObject({ total: 1 });
  });

  const permissions = [{ resource_server_identifier: managementAudience, permission_name: "read:users" }];
  // A permission that the role does not have yet, because repeating a permission is not a change.
  const more = [{ resource_server_identifier: "https://orders.example.test/", permission_name: "read" }];
  test.each([
    ["PATCH", "", { name: "Renamed" }],
    ["DELETE", "", undefined],
    ["POST", "/permissions", { permissions: more }],
    ["DELETE", "/permissions", { permissions }],
  ])("rejects a change by %s /api/v2/roles/{id}%s", async (method, rest, body) => {
    await main.create("/api/v2/resource-servers", { identifier: more[0]?.resource_server_identifier, scopes: [{ value: "read" }] });
    expectError(await main(method, `/api/v2/roles/${role}${rest}`, body), 403, "forbidden");
    await service.postern.seed(seed);
    expect(await service.call("GET", "/api/v2/users", { token: await signIn() })).toMatchObject({ status: 200 });
  });

  test("gets missing permissions at the next start, as after an update of Postern", async () => {
    await service.data.collections.role_permissions.delete({ tenant_id: "main", role_id: role, permission_name: "read:users" });
    await service.postern.seed(seed);
    expect(await service.call("GET", "/api/v2/users", { token: await signIn() })).toMatchObject({ status: 200 });
  });

  test("is not copied to other tenants", async () => {
    await main("POST", "/tenants", { id: "mine", name: "Mine" });
    expect(await service.data.collections.roles.count({ tenant_id: "mine" })).toBe(0);
  });

  test("has another name if the tenant already has a role with that name", async () => {
    const other = await createTestPostern();
    const manage = await managerOf(other, "main");
    await manage("POST", "/api/v2/roles", { name: "Administrator" });
    await other.postern.seed(seed);
    expect(jsonBody(await manage("GET", `/api/v2/roles/${role}`))).toMatchObject({ name: "Administrator of the installation" });
  });
});
