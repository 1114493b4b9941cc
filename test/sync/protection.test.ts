import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { managementAudience } from "../support/postern.ts";
import { createMemoryAdapter } from "@postern/memory";
import { encoded, addPermissions, findByName, openSyncedTenants, apisAndRolesOf, type SyncedTenants } from "./synced-tenants.ts";

const orders = "https://orders.example.test/";
const read = { resource_server_identifier: orders, permission_name: "read" };

let tenants: SyncedTenants;
/** The original API and role on the control plane, and the ids of their copies. */
let api: JsonBody;
let role: JsonBody;
let apiCopy: string;
let roleCopy: string;

beforeEach(async () => {
  tenants = await openSyncedTenants();
  const { main, other } = tenants;
  api = await main.create("/api/v2/resource-servers", {
    identifier: orders,
    name: "Orders",
    scopes: [{ value: "read" }, { value: "write" }],
  });
  role = await main.create("/api/v2/roles", { name: "Clerk" });
  await addPermissions(main, stringMember(role, "id"), orders, ["read"]);
  apiCopy = stringMember(await findByName(other, "resource-servers", "Orders"), "id");
  roleCopy = stringMember(await findByName(other, "roles", "Clerk"), "id");
});

describe("a copy", () => {
  test("is returned as a system resource with its own id, without the id of the original", async () => {
    const { other } = tenants;
    const shown = [
      jsonBody(await other("GET", `/api/v2/resource-servers/${apiCopy}`)),
      jsonBody(await other("GET", `/api/v2/resource-servers/${encoded(orders)}`)),
      jsonBody(await other("GET", `/api/v2/roles/${roleCopy}`)),
    ];
    for (const record of shown) expect(record).toMatchObject({ is_system: true });
    expect(JSON.stringify(shown)).not.toContain(stringMember(api, "id"));
    expect(JSON.stringify(shown)).not.toContain(stringMember(role, "id"));
    expect(api["is_system"]).toBe(false);
    expect(Object.keys(role).toSorted()).toEqual(["description", "id", "name"]);
  });

  test("cannot be updated or deleted by any route of its tenant, with any scope", async () => {
    const { other } = tenants;
    const before = await apisAndRolesOf(other);
    const attempts: readonly (readonly [method: string, path: string, body?: unknown])[] = [
      ["PATCH", `/api/v2/resource-servers/${apiCopy}`, { scopes: [{ value: "everything" }] }],
      ["PATCH", `/api/v2/resource-servers/${encoded(orders)}`, { name: "Mine" }],
      ["PATCH", `/api/v2/resource-servers/${encoded(orders)}`, { metadata: { sync: false } }],
      ["DELETE", `/api/v2/resource-servers/${apiCopy}`],
      ["DELETE", `/api/v2/resource-servers/${encoded(orders)}`],
      ["PATCH", `/api/v2/roles/${roleCopy}`, { name: "Mine" }],
      ["PATCH", `/api/v2/roles/${roleCopy}`, { metadata: { sync: "false" } }],
      ["DELETE", `/api/v2/roles/${roleCopy}`],
      ["POST", `/api/v2/roles/${roleCopy}/permissions`, { permissions: [{ ...read, permission_name: "write" }] }],
      [
        "POST",
        `/api/v2/roles/${roleCopy}/permissions`,
        { permissions: [{ ...read, resource_server_identifier: managementAudience, permission_name: "read:users" }] },
      ],
      ["DELETE", `/api/v2/roles/${roleCopy}/permissions`, { permissions: [read] }],
    ];
    for (const [method, path, body] of attempts) {
      expectError(await other(method, path, body), 403, "forbidden", /control plane/);
    }
    expect(await apisAndRolesOf(other)).toEqual(before);

    const { paths } = jsonBody(await other("GET", "/api/v2/spec")) as { readonly paths: { readonly [path: string]: object } };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      /\/(resource-servers|roles)\/\{id\}/.test(path) ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`) : [],
    );
    const tried = new Set(attempts.map(([method, path]) => `${method} ${path.replace(/(servers|roles)\/[^/]+/, "$1/{id}")}`));
    expect(tried.size).toBe(6);
    // The remaining routes read the copy or assign the role to users, which the tenant may do.
    expect(routes.filter((route) => !route.startsWith("GET ") && !tried.has(route))).toEqual(["POST /api/v2/roles/{id}/users"]);
  });

  test("is unchanged by an update without new values, because tools send back the values that they read", async () => {
    const { other } = tenants;
    const before = await apisAndRolesOf(other);
    const { id: _, identifier: __, is_system: ___, ...shown } = jsonBody(await other("GET", `/api/v2/resource-servers/${apiCopy}`));
    for (const body of [{}, shown, { token_lifetime: shown["token_lifetime"] }])
      expect(await other("PATCH", `/api/v2/resource-servers/${apiCopy}`, body)).toMatchObject({
        status: 200,
        body: { ...shown, is_system: true },
      });
    for (const body of [{}, { name: "Clerk", description: "" }, { name: "Clerk", description: "", is_system: true }])
      expect(await other("PATCH", `/api/v2/roles/${roleCopy}`, body)).toMatchObject({
        status: 200,
        body: { name: "Clerk", is_system: true },
      });
    expectError(
      await other("PATCH", `/api/v2/roles/${roleCopy}`, { is_system: false }),
      400,
      "invalid_request",
      "'is_system' is true for this role",
    );
    expect(await other("POST", `/api/v2/roles/${roleCopy}/permissions`, { permissions: [read] })).toMatchObject({ status: 201 });
    const lacking = { permissions: [{ ...read, permission_name: "write" }] };
    expect(await other("DELETE", `/api/v2/roles/${roleCopy}/permissions`, lacking)).toMatchObject({ status: 204 });
    expect(await apisAndRolesOf(other)).toEqual(before);
    // An update that also has a new value is rejected as a whole.
    const both = { permissions: [read, { ...read, permission_name: "write" }] };
    for (const method of ["POST", "DELETE"])
      expectError(await other(method, `/api/v2/roles/${roleCopy}/permissions`, both), 403, "forbidden", /control plane/);
    expect(await apisAndRolesOf(other)).toEqual(before);
  });

  test("has read-only fields, and cannot be accessed in the tenant by the id of the original", async () => {
    const { main, other } = tenants;
    for (const field of ["origin", "is_system"]) {
      expectError(await other("POST", "/api/v2/roles", { name: "R", [field]: null }), 400, "invalid_request", field);
      expectError(await main("PATCH", `/api/v2/roles/${stringMember(role, "id")}`, { [field]: true }), 400, "invalid_request", field);
      expectError(await other("POST", "/api/v2/resource-servers", { identifier: "urn:x", [field]: "x" }), 400, "invalid_request", field);
    }
    for (const path of [`/api/v2/resource-servers/${stringMember(api, "id")}`, `/api/v2/roles/${stringMember(role, "id")}`]) {
      expect(await other("GET", path)).toMatchObject({ status: 404 });
      expect(await other("PATCH", path, { name: "X" })).toMatchObject({ status: 404 });
      expect(await other("DELETE", path)).toMatchObject({ status: 204 });
      expect(await main("GET", path)).toMatchObject({ status: 200 });
    }
    expect(await other("GET", `/api/v2/resource-servers/${apiCopy}`)).toMatchObject({ status: 200 });
  });

  test("does not get the scopes of the Management API if it has the same name", async () => {
    const { main, other, call } = tenants;
    await main.create("/api/v2/resource-servers", { identifier: "api/v2", name: "Auth0 Management API", scopes: [{ value: "x" }] });
    const copy = jsonBody(await other("GET", `/api/v2/resource-servers/${encoded("api/v2")}`));
    expect(copy).toMatchObject({ is_system: true, scopes: [{ value: "x" }] });
    const { client_id, client_secret } = await other.create("/api/v2/clients", { name: "App", app_type: "non_interactive" });
    expectError(
      await other("POST", "/api/v2/client-grants", { client_id, audience: "api/v2", scope: ["read:users"] }),
      400,
      "invalid_request",
      "scope",
    );
    await other.create("/api/v2/client-grants", { client_id, audience: "api/v2", allow_all_scopes: true });
    const token = jsonBody(
      await call("POST", "/oauth/token", { body: { grant_type: "client_credentials", client_id, client_secret, audience: "api/v2" } }),
    );
    expect(token["scope"]).toBe("x");
    expect(await call("GET", "/api/v2/users", { token: stringMember(token, "access_token") })).toMatchObject({ status: 401 });
  });
});

describe("a tenant", () => {
  test("cannot create an API with the identifier of an API of the control plane, copied or not", async () => {
    const { main, other } = tenants;
    const stored = "https://kept.example.test/";
    await main.create("/api/v2/resource-servers", { identifier: stored, metadata: { sync: false } });
    for (const identifier of [orders, stored])
      expectError(await other("POST", "/api/v2/resource-servers", { identifier }), 409, "conflict");
    expect(await other("GET", `/api/v2/resource-servers/${encoded(stored)}`)).toMatchObject({ status: 404 });
  });

  test("can grant its clients the scopes of a copied API, and no others", async () => {
    const { main, other, call } = tenants;
    const { client_id, client_secret } = await other.create("/api/v2/clients", { name: "App", app_type: "non_interactive" });
    expectError(
      await other("POST", "/api/v2/client-grants", { client_id, audience: orders, scope: ["admin"] }),
      400,
      "invalid_request",
      "scope",
    );
    await other.create("/api/v2/client-grants", { client_id, audience: orders, scope: ["read", "write"] });
    const request = async () =>
      jsonBody(
        await call("POST", "/oauth/token", { body: { grant_type: "client_credentials", client_id, client_secret, audience: orders } }),
      );
    const token = await request();
    expect(token["scope"]).toBe("read write");
    expect(decodeJwt(stringMember(token, "access_token"))).toMatchObject({ tenant_id: "other", aud: orders });
    await main("PATCH", `/api/v2/resource-servers/${stringMember(api, "id")}`, { scopes: [{ value: "read" }] });
    expect((await request())["scope"]).toBe("read");
  });

  test("can assign copied roles to its users, except those with scopes that the caller lacks", async () => {
    const { main, other, call } = tenants;
    await addPermissions(main, stringMember(role, "id"), managementAudience, ["read:logs"]);
    const user = stringMember(
      await other.create("/api/v2/users", { connection: "Username-Password-Authentication", email: "a@example.test" }),
      "user_id",
    );
    const path = `/api/v2/users/${encoded(user)}/roles`;
    const { client_id, client_secret } = await other.create("/api/v2/clients", { name: "Narrow", app_type: "non_interactive" });
    await other.create("/api/v2/client-grants", { client_id, audience: managementAudience, scope: ["update:users"] });
    const body = { grant_type: "client_credentials", client_id, client_secret, audience: managementAudience };
    const token = stringMember(jsonBody(await call("POST", "/oauth/token", { body })), "access_token");
    expectError(await call("POST", path, { token, body: { roles: [roleCopy] } }), 403, "insufficient_scope", "read:logs");
    expect(await other("POST", path, { roles: [roleCopy] })).toMatchObject({ status: 204 });
    expect(
      list(await other("GET", `/api/v2/users/${encoded(user)}/permissions`))
        .map((permission) => stringMember(permission, "permission_name"))
        .toSorted(),
    ).toEqual(["read", "read:logs"]);
  });

  test("keeps permissions of a copied API in its own roles until the API is deleted", async () => {
    const { main, other } = tenants;
    const own = stringMember(await other.create("/api/v2/roles", { name: "Own" }), "id");
    await addPermissions(other, own, orders, ["write"]);
    const permissions = async () =>
      list(await other("GET", `/api/v2/roles/${own}/permissions`)).map(({ permission_name }) => permission_name);
    await main("PATCH", `/api/v2/roles/${stringMember(role, "id")}`, { description: "changed" });
    expect(await permissions()).toEqual(["write"]);
    await main("DELETE", `/api/v2/resource-servers/${stringMember(api, "id")}`);
    expect(await permissions()).toEqual([]);
    expect(await other("GET", `/api/v2/roles/${own}`)).toMatchObject({ status: 200 });
  });
});

describe("a kind of resources that is no longer copied", () => {
  test.each([
    ["false", false, [false, false]],
    ["APIs disabled", { resourceServers: false }, [false, true]],
    ["roles disabled", { roles: false }, [true, false]],
    ["both disabled", { resourceServers: false, roles: false }, [false, false]],
  ] as const)("(%s) keeps its copies, which cannot be updated, and which the tenant may delete permanently", async (_, sync, shared) => {
    const data = createMemoryAdapter({ strict: true });
    const first = await openSyncedTenants({ data });
    await first.main.create("/api/v2/resource-servers", { identifier: orders, name: "Orders", scopes: [{ value: "read" }] });
    await first.main.create("/api/v2/roles", { name: "Clerk" });

    const { main, other, resync } = await openSyncedTenants({ data, sync });
    const ids = [
      stringMember(await findByName(main, "resource-servers", "Orders"), "id"),
      stringMember(await findByName(main, "roles", "Clerk"), "id"),
    ];
    const paths = ["/api/v2/resource-servers", "/api/v2/roles"];
    const copies = [
      stringMember(await findByName(other, "resource-servers", "Orders"), "id"),
      stringMember(await findByName(other, "roles", "Clerk"), "id"),
    ];
    await main.create("/api/v2/resource-servers", { identifier: "urn:new", name: "New" });
    await main.create("/api/v2/roles", { name: "New" });
    for (const [kind, path] of paths.entries()) {
      await main("PATCH", `${path}/${ids[kind]}`, { name: "Changed" });
      const names = list(await other("GET", path)).map(({ name }) => name);
      expect(names.includes("New")).toBe(shared[kind]);
      expect(names.includes("Changed")).toBe(shared[kind]);
      expectError(await other("PATCH", `${path}/${copies[kind]}`, { name: "Mine" }), 403, "forbidden", /control plane/);
      expect(await other("DELETE", `${path}/${copies[kind]}`)).toMatchObject({ status: shared[kind] ? 403 : 204 });
    }
    await resync();
    for (const [kind, path] of paths.entries())
      expect(await other("GET", `${path}/${copies[kind]}`)).toMatchObject({ status: shared[kind] ? 200 : 404 });
  });
});

test("a copied role grants its permissions for APIs that are inherited and not copied", async () => {
  const { main, other, call, postern } = await openSyncedTenants({ sync: { resourceServers: false } });
  await main.create("/api/v2/resource-servers", {
    identifier: orders,
    scopes: [{ value: "read" }, { value: "write" }],
    enforce_policies: true,
  });
  const clerk = stringMember(await main.create("/api/v2/roles", { name: "Clerk" }), "id");
  await addPermissions(main, clerk, orders, ["read"]);
  const copy = stringMember(await findByName(other, "roles", "Clerk"), "id");
  expect(list(await other("GET", `/api/v2/roles/${copy}/permissions`))).toMatchObject([read]);

  const password = "correct horse battery";
  const user = await other.create("/api/v2/users", { connection: "Username-Password-Authentication", email: "a@example.test", password });
  await other("POST", `/api/v2/roles/${copy}/users`, { users: [user["user_id"]] });
  await postern.seed({
    tenantId: "other",
    clients: [{ clientId: "app", settings: { name: "App", app_type: "native", grant_types: ["password"] } }],
  });
  const body = {
    grant_type: "password",
    client_id: "app",
    username: "a@example.test",
    password,
    audience: orders,
    scope: "openid read write",
  };
  expect(jsonBody(await call("POST", "/oauth/token", { body }))["scope"]).toBe("openid read");

  await main("DELETE", `/api/v2/roles/${clerk}/permissions`, { permissions: [read] });
  expect(list(await other("GET", `/api/v2/roles/${copy}/permissions`))).toEqual([]);
});

test("the control plane can update and delete its own APIs and roles", async () => {
  const { main } = tenants;
  expect(await main("PATCH", `/api/v2/roles/${stringMember(role, "id")}`, { name: "Other" })).toMatchObject({ status: 200 });
  expect(await main("DELETE", `/api/v2/resource-servers/${stringMember(api, "id")}`)).toMatchObject({ status: 204 });
});
