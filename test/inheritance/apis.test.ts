import { beforeEach, describe, expect, test } from "vitest";
import { decodeJwt } from "jose";
import { expectError, list, jsonBody, stringMember } from "../support/api.ts";
import { openInheritance, type InheritanceSetup } from "../support/inheritance.ts";
import { organizationsBy } from "../support/organizations.ts";
import { managementAudience, type ApiResponse } from "../support/postern.ts";

const identifier = "https://api.example.test";
const path = "/api/v2/resource-servers";
const api = { identifier, name: "Orders", scopes: [{ value: "read:orders" }, { value: "write:orders" }], token_lifetime: 1234 };

let inheritance: InheritanceSetup;
beforeEach(async () => {
  inheritance = await openInheritance();
  await inheritance.main.create(path, api);
});

/**
 * Returns a function that requests a token for the inherited API, for a machine client of the tenant that has a client
 * grant.
 */
async function machine(scope: readonly string[] = ["read:orders"]): Promise<() => Promise<ApiResponse>> {
  const client = await inheritance.other.create("/api/v2/clients", { name: "Machine", app_type: "non_interactive" });
  const { client_id, client_secret } = client;
  await inheritance.other.create("/api/v2/client-grants", { client_id, audience: identifier, scope });
  const body = { grant_type: "client_credentials", client_id, client_secret, audience: identifier };
  return () => inheritance.service.call("POST", "/oauth/token", { body });
}

test("issues tokens for an inherited API with the control plane's current settings", async () => {
  const request = await machine();
  const { access_token: token, expires_in: lifetime } = jsonBody(await request());
  expect(decodeJwt(String(token))).toMatchObject({ aud: identifier, scope: "read:orders", tenant_id: "other" });
  expect(lifetime).toBe(1234);
  const at = `${path}/${encodeURIComponent(identifier)}`;
  jsonBody(await inheritance.main("PATCH", at, { token_lifetime: 99 }));
  expect(jsonBody(await request())).toMatchObject({ expires_in: 99 });
  jsonBody(await inheritance.main("PATCH", at, { scopes: [{ value: "write:orders" }] }));
  expect(decodeJwt(String(jsonBody(await request())["access_token"]))["scope"]).not.toBe("read:orders");
  expect(await inheritance.main("DELETE", at)).toMatchObject({ status: 204 });
  expectError(await request(), 400, "access_denied");
});

test("lets only the control plane read, change and delete the inherited API: the tenant's own routes respond with 404", async () => {
  const [mine] = list(await inheritance.main("GET", `${path}?identifiers=${encodeURIComponent(identifier)}`));
  for (const at of [identifier, String(mine?.["id"])].map((id) => `${path}/${encodeURIComponent(id)}`)) {
    // A deletion is idempotent, so it responds with 204.
    for (const [method, status, body] of [
      ["GET", 404],
      ["PATCH", 404, { name: "Mine" }],
      ["DELETE", 204],
    ] as const) {
      expect(await inheritance.other(method, at, body), `${method} ${at}`).toMatchObject({ status });
    }
  }
  expect(list(await inheritance.other("GET", `${path}?per_page=100`)).map((row) => row["identifier"])).toEqual([managementAudience]);
  expect(jsonBody(await inheritance.main("GET", `${path}/${encodeURIComponent(identifier)}`))).toMatchObject({
    name: "Orders",
    token_lifetime: 1234,
  });
});

describe("API identifiers of the control plane", () => {
  test("rejects an identifier of the control plane with 409, in tenants that inherit and in tenants that do not", async () => {
    expectError(await inheritance.other("POST", path, { identifier }), 409, "conflict", "control plane");
    const alone = await openInheritance({
      data: inheritance.service.data,
      testing: { clock: inheritance.service.clock },
      resolveControlPlane: () => undefined,
    });
    expectError(await alone.other("POST", path, { identifier }), 409, "conflict", "control plane");
  });

  test("rejects an existing identifier on the control plane itself with the usual 409", async () => {
    expectError(await inheritance.main("POST", path, { identifier }), 409, "conflict", /^((?!control plane).)*$/);
  });

  test("prefers the tenant's own API over an API that the control plane creates later", async () => {
    await inheritance.other.create(path, { identifier: "https://late.example.test", scopes: [{ value: "own" }] });
    await inheritance.main.create(path, { identifier: "https://late.example.test", scopes: [{ value: "theirs" }] });
    const client = stringMember(await inheritance.other.create("/api/v2/clients", { name: "M", app_type: "non_interactive" }), "client_id");
    const grant = { client_id: client, audience: "https://late.example.test" };
    expectError(
      await inheritance.other("POST", "/api/v2/client-grants", { ...grant, scope: ["theirs"] }),
      400,
      "invalid_request",
      "theirs",
    );
    await inheritance.other.create("/api/v2/client-grants", { ...grant, scope: ["own"] });
  });

  test("rejects client grants for an unknown audience or an unknown scope", async () => {
    const client = stringMember(await inheritance.other.create("/api/v2/clients", { name: "M", app_type: "non_interactive" }), "client_id");
    const createGrant = (audience: string, scope: readonly string[]) =>
      inheritance.other("POST", "/api/v2/client-grants", { client_id: client, audience, scope });
    expectError(await createGrant("https://unknown.example.test", []), 404, "not_found");
    expectError(await createGrant(identifier, ["delete:orders"]), 400, "invalid_request", "delete:orders");
  });
});

test("issues users the scopes of an inherited API that the tenant's roles grant", async () => {
  jsonBody(await inheritance.main("PATCH", `${path}/${encodeURIComponent(identifier)}`, { enforce_policies: true }));
  const { other, service } = inheritance;
  const role = await organizationsBy(other).createRole("Clerk", identifier, "read:orders");
  expect(list(await other("GET", `/api/v2/roles/${role}/permissions`))).toMatchObject([
    { resource_server_identifier: identifier, resource_server_name: "Orders", permission_name: "read:orders" },
  ]);
  const [connection, password] = ["Username-Password-Authentication", "correct horse battery"];
  const user = await other.create("/api/v2/users", { connection, email: "clerk@example.test", password, email_verified: true });
  expect(await other("POST", `/api/v2/users/${encodeURIComponent(stringMember(user, "user_id"))}/roles`, { roles: [role] })).toMatchObject({
    status: 204,
  });
  const client = await other.create("/api/v2/clients", { name: "Till", app_type: "regular_web", grant_types: ["password"] });
  const { client_id, client_secret } = client;
  const scope = "read:orders write:orders";
  const body = { grant_type: "password", client_id, client_secret, username: "clerk@example.test", password, audience: identifier, scope };
  expect(jsonBody(await service.call("POST", "/oauth/token", { body }))).toMatchObject({ scope: "read:orders" });
  // The role exists in the tenant only, not on the control plane.
  expect(list(await inheritance.main("GET", "/api/v2/roles"))).toEqual([]);
});

test("uses only copies of APIs, and inherits none, if copies of APIs are enabled", async () => {
  const { data, clock } = inheritance.service;
  const copying = await openInheritance({ data, testing: { clock }, sync: { resourceServers: true } });
  const copies = async () => list(await copying.other("GET", path)).filter((row) => row["is_system"] === true);
  // Seeding creates the copies.
  expect((await copies()).map((row) => row["identifier"])).toContain(identifier);
  // A process that does not copy APIs creates this API.
  const late = "https://late.example.test";
  await inheritance.main.create(path, { identifier: late });
  const client = await copying.other.create("/api/v2/clients", { name: "Machine", app_type: "non_interactive" });
  const createGrant = () => copying.other("POST", "/api/v2/client-grants", { client_id: client["client_id"], audience: late, scope: [] });
  expectError(await createGrant(), 404, "not_found");
  await copying.main.create(path, { identifier: "https://next.example.test" });
  expect(await createGrant()).toMatchObject({ status: 201 });
  expect((await copies()).map((row) => row["identifier"])).toContain(late);
});

test("inherits APIs from the direct control plane only", async () => {
  // `third` inherits from `other`, and `other` from `main`. The resolver is never called for `main`: inheritance has
  // one level.
  const resolvedTenants: string[] = [];
  const chained = await openInheritance({
    resolveControlPlane: ({ tenant_id }) => {
      resolvedTenants.push(tenant_id);
      return tenant_id === "third" ? { tenantId: "other" } : { tenantId: "main" };
    },
  });
  await chained.service.postern.seed({
    tenantId: "third",
    clients: [
      {
        clientId: "third-app",
        secret: "a-secret-that-is-long-enough",
        settings: { name: "A", app_type: "non_interactive" },
        managesTenant: true,
      },
    ],
  });
  await chained.main.create(path, { identifier: "https://main.example.test" });
  await chained.other.create(path, { identifier: "https://other.example.test" });
  const request = async (audience: string) =>
    jsonBody(
      await chained.service.call("POST", "/oauth/token", {
        body: { grant_type: "client_credentials", client_id: "third-app", client_secret: "a-secret-that-is-long-enough", audience },
      }),
      400,
    )["error_description"];
  expect(await request("https://other.example.test")).toMatch("not authorized");
  expect(await request("https://main.example.test")).toMatch("no API");
  expect(resolvedTenants).not.toContain("main");
});
