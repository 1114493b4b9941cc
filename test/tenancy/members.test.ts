import type { CreateClient } from "@postern/core/api";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { organizationOf, childTenantToken } from "../support/child-tenants.ts";
import {
  claimsOf,
  obtainTokens,
  openService,
  refreshGrant,
  tokens,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy, type OrganizationManager } from "../support/organizations.ts";
import { clientSecret, managementAudience, type ApiResponse } from "../support/postern.ts";

/**
 * Members of a tenant's organization on the control plane can access that tenant, but only with the scopes that they
 * are granted there.
 */

let service: LoginService;
let main: Manager;
let organizations: OrganizationManager;
let app: App;
let acme: string;

const memberScopes = [
  "read:clients",
  "read:current_user",
  "update:current_user_metadata",
  "create:client_grants",
  "create:roles",
  "update:roles",
];
const requested = [...memberScopes, "read:users", "update:users", "delete:users", "read:tenants", "delete:tenants", "create:clients"].join(
  " ",
);
const encoded = encodeURIComponent;

beforeEach(async () => {
  service = await openService({ sync: false, defaultPermissions: memberScopes, accessControl: { defaultRoles: ["Member"] } });
  main = service.manage;
  organizations = organizationsBy(main);
  app = await service.register({ secret: true, organization_usage: "allow", grant_types: ["authorization_code", "refresh_token"] });
  await organizations.createRole("Member", managementAudience, "read:users");
  await main.create("/tenants", { id: "acme", name: "Acme" });
  acme = await organizationOf(main, "acme");
  await organizations.addMembers(acme, service.ada, service.bob);
});

const get = (account: TestAccount, organization: string | undefined, scope = requested) =>
  obtainTokens(service, app, account, {
    audience: managementAudience,
    scope: `openid offline_access ${scope}`,
    ...(organization !== undefined && { organization }),
  });
const call = (token: string, method: string, path: string, body?: unknown, headers = {}): Promise<ApiResponse> =>
  service.call(method, path, { token, headers, ...(body !== undefined && { body }) });
const scopesOf = (token: string): readonly string[] =>
  String(claimsOf(token)["scope"])
    .split(" ")
    .filter((scope) => !["openid", "offline_access"].includes(scope))
    .toSorted();

describe("a member of a tenant's organization", () => {
  test("has the scopes of the member role and of their organization roles in that tenant, and in no other", async () => {
    const { access } = await get(service.ada, acme);
    expect(claimsOf(access)).toMatchObject({ tenant_id: "main", org_id: acme });
    expect(scopesOf(access)).toEqual([...memberScopes, "read:users"].toSorted());
    await childTenantToken(service, "acme");
    const clients = list(await call(access, "GET", "/api/v2/clients"));
    expect(clients.map((client) => client["client_id"])).toEqual(["acme-manager"]);
    expect(await call(access, "GET", "/api/v2/users", undefined, { "tenant-id": "acme" })).toMatchObject({ status: 200, body: [] });
    expectError(await call(access, "DELETE", "/api/v2/clients/acme-manager"), 403, "insufficient_scope");
    for (const named of ["main", "other", "unknown"])
      expectError(await call(access, "GET", "/api/v2/clients", undefined, { "tenant-id": named }), 403, "forbidden");

    await organizations.assignRole(acme, service.ada, await organizations.createRole("Editor", managementAudience, "update:users"));
    expect(scopesOf((await get(service.ada, acme)).access)).toEqual([...memberScopes, "read:users", "update:users"].toSorted());
    // A token keeps the scopes that it was issued with.
    expectError(await call(access, "PATCH", "/api/v2/users/auth0%7Cnobody", { name: "x" }), 403, "forbidden");
  });

  test("has no additional scopes in that tenant because of roles on the control plane", async () => {
    const admin = await organizations.createRole("Administrator", managementAudience, ...requested.split(" "));
    expect(await main("POST", `/api/v2/users/${encoded(service.bob.userId)}/roles`, { roles: [admin] })).toMatchObject({ status: 204 });
    expect(scopesOf((await get(service.bob, undefined)).access)).toContain("delete:users");
    const { access } = await get(service.bob, acme);
    expect(scopesOf(access)).toEqual([...memberScopes, "read:users"].toSorted());
    expectError(await call(access, "DELETE", "/api/v2/clients/acme-manager"), 403, "insufficient_scope");
    expectError(await call(access, "GET", "/tenants"), 403, "insufficient_scope");
  });

  test("appears in that tenant's log as a user of the control plane, not as the tenant's user with the same id", async () => {
    const { access } = await get(service.ada, acme);
    jsonBody(await call(access, "POST", "/api/v2/roles", { name: "Theirs" }), 201);
    const logs = list(await service.call("GET", "/api/v2/logs?sort=date:-1", { token: await childTenantToken(service, "acme") }));
    const [event = {}] = logs.filter(({ type, description }) => type === "sapi" && description === "Create a role");
    expect(event).toMatchObject({ details: { caller: { tenant_id: "main", subject: service.ada.userId } } });
    expect(event["user_id"] ?? "").toBe("");
  });

  test("has no access from the next request after their removal, and cannot get new tokens", async () => {
    const { access, refresh } = await get(service.ada, acme);
    expect(await call(access, "GET", "/api/v2/clients")).toMatchObject({ status: 200 });
    await organizations.removeMember(acme, service.ada);
    expect([401, 403]).toContain((await call(access, "GET", "/api/v2/clients")).status);
    const repeated = await service.exchange(refreshGrant(app, refresh, { organization: acme }));
    expect(repeated.status).toBeGreaterThanOrEqual(400);
    // A member who is added again has the scopes of the member role, and not the earlier roles.
    await organizations.addMembers(acme, service.ada);
    expect(scopesOf((await get(service.ada, acme)).access)).toEqual([...memberScopes, "read:users"].toSorted());
  });

  test("lacks a scope from the next request after the scope is removed from the member role", async () => {
    const { access } = await get(service.ada, acme);
    const [member] = list(await main("GET", "/api/v2/roles")).filter(({ name }: JsonBody) => name === "Member");
    const permissions = [{ resource_server_identifier: managementAudience, permission_name: "read:users" }];
    await main("DELETE", `/api/v2/roles/${stringMember(member ?? {}, "id")}/permissions`, { permissions });
    expectError(await call(access, "GET", "/api/v2/users"), 403, "insufficient_scope");
    expect(await call(access, "GET", "/api/v2/clients")).toMatchObject({ status: 200 });
  });

  test("is not a user of the tenant, even if a user of the tenant has the same id", async () => {
    const token = await childTenantToken(service, "acme");
    const duplicate = { connection: "Username-Password-Authentication", email: "twin@example.test", password: "correct horse battery" };
    const created = await call(token, "POST", "/api/v2/users", { ...duplicate, user_id: service.ada.userId.split("|")[1] });
    expect(jsonBody(created, 201)["user_id"]).toBe(service.ada.userId);
    const own = "read:current_user update:current_user_metadata";
    const { access } = await get(service.ada, acme, own);
    const path = `/api/v2/users/${encoded(service.ada.userId)}`;
    expectError(await call(access, "GET", path), 403, "forbidden");
    expectError(await call(access, "PATCH", path, { user_metadata: { mine: true } }), 403, "forbidden");
    // Only the control plane responds with the user's own profile.
    expect(jsonBody(await call(access, "GET", "/userinfo"))["email"] ?? service.ada.email).toBe(service.ada.email);
    expectError(await call(access, "GET", "/userinfo", undefined, { "tenant-id": "acme" }), 403, "forbidden");
    expect(jsonBody(await call(token, "GET", path))["user_metadata"]).not.toEqual({ mine: true });
  });

  test("cannot grant scopes in the tenant that they lack there", async () => {
    await childTenantToken(service, "acme");
    const { access } = await get(service.ada, acme);
    const grant = { client_id: "acme-manager", audience: managementAudience, subject_type: "user" };
    expectError(
      await call(access, "POST", "/api/v2/client-grants", { ...grant, scope: ["delete:users"] }),
      403,
      "insufficient_scope",
      "delete:users",
    );
    const { id } = jsonBody(await call(access, "POST", "/api/v2/roles", { name: "Mine" }), 201);
    const permissions = [{ resource_server_identifier: managementAudience, permission_name: "delete:users" }];
    expectError(
      await call(access, "POST", `/api/v2/roles/${String(id)}/permissions`, { permissions }),
      403,
      "insufficient_scope",
      "delete:users",
    );
    expect(await call(access, "POST", "/api/v2/client-grants", { ...grant, scope: ["read:clients"] })).toMatchObject({ status: 201 });
  });

  test("gets no access to a tenant from another tenant's organization with the same name", async () => {
    const other = await childTenantToken(service, "other");
    const organization = jsonBody(await call(other, "POST", "/api/v2/organizations", { name: "acme" }), 201);
    const grants = { name: "Backend", app_type: "non_interactive" };
    const client = jsonBody(await call(other, "POST", "/api/v2/clients", grants), 201);
    const body = { client_id: client["client_id"], audience: managementAudience };
    jsonBody(
      await call(other, "POST", "/api/v2/client-grants", {
        ...body,
        scope: ["read:clients"],
        organization_usage: "allow",
        allow_any_organization: true,
      }),
      201,
    );
    const credentials = { ...body, client_secret: client["client_secret"], grant_type: "client_credentials" };
    const token = stringMember(
      jsonBody(await service.call("POST", "/oauth/token", { body: { ...credentials, organization: organization["id"] } })),
      "access_token",
    );
    expectError(await call(token, "GET", "/api/v2/clients", undefined, { "tenant-id": "acme" }), 403, "forbidden");
    const result = list(await call(token, "GET", "/api/v2/clients"));
    expect(result.map(({ client_id: id }) => id)).not.toContain("acme-manager");
  });
});

test("a user of a child tenant signs in, switches the organization and refreshes, and each token is issued by the child tenant", async () => {
  const token = await childTenantToken(service, "acme");
  const redirectUri = "https://app.acme.test/callback";
  const settings = {
    name: "App",
    app_type: "regular_web",
    callbacks: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    organization_usage: "allow",
  } satisfies CreateClient;
  await service.postern.seed({ tenantId: "acme", clients: [{ clientId: "acme-app", secret: clientSecret, settings }] });
  const own: App = { clientId: "acme-app", secret: clientSecret, redirectUri };
  const password = "correct horse battery";
  const user = { connection: "Username-Password-Authentication", email: "eve@acme.test", password, email_verified: true };
  const userId = stringMember(jsonBody(await call(token, "POST", "/api/v2/users", user), 201), "user_id");
  const eve: TestAccount = { email: user.email, password, userId };
  const [sales, support] = await Promise.all(
    ["sales", "support"].map(async (name) => {
      const id = stringMember(jsonBody(await call(token, "POST", "/api/v2/organizations", { name }), 201), "id");
      expect(await call(token, "POST", `/api/v2/organizations/${id}/members`, { members: [userId] })).toMatchObject({ status: 204 });
      return id;
    }),
  );
  const browser = service.browser();
  const scope = "openid offline_access";
  const first = await obtainTokens(service, own, eve, { scope, organization: sales }, browser);
  expect(claimsOf(first.access)).toMatchObject({ tenant_id: "acme", org_id: sales, sub: userId });
  // The same session with another organization, without a new login.
  const second = await obtainTokens(service, own, eve, { scope, organization: support, prompt: "none" }, browser);
  expect(claimsOf(second.access)).toMatchObject({ tenant_id: "acme", org_id: support, sub: userId });
  const refreshed = tokens(await service.exchange(refreshGrant(own, first.refresh)));
  expect(claimsOf(refreshed.access)).toMatchObject({ tenant_id: "acme", org_id: sales, sub: userId });
  // The control plane rejects the tokens of the child tenant.
  expectError(await call(refreshed.access, "GET", "/userinfo", undefined, { "tenant-id": "main" }), 403, "forbidden");
  expectError(await call(refreshed.access, "GET", "/tenants"), 401, "invalid_token");
});
