import { beforeEach, describe, expect, test } from "vitest";
import { managementScopes } from "../../packages/core/src/model/scopes.ts";
import { expectError, list, jsonBody, stringMember } from "../support/api.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  tokens,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy, type OrganizationManager } from "../support/organizations.ts";
import { clientSecret, managementAudience } from "../support/postern.ts";

/**
 * A user's rights in the Management API come only from their own roles and permissions in the tenant, and never from a
 * parameter of a request.
 */

const everything = managementScopes.map(({ value }) => value);
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";
const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
const requested = { audience: managementAudience, scope: ["openid", "offline_access", ...everything].join(" ") };

let service: LoginService;
let organizations: OrganizationManager;
let app: App;

beforeEach(async () => {
  service = await openService();
  organizations = organizationsBy(service.manage);
  app = await service.register({
    secret: true,
    organization_usage: "allow",
    grant_types: ["authorization_code", "refresh_token", "password", exchangeGrant],
  });
});

/** The Management API scopes of a token, from every claim that can contain them. */
function scopesOfToken(token: string): readonly string[] {
  const { scope, permissions } = claimsOf(token);
  const scopes = [...String(scope ?? "").split(" "), ...[permissions ?? []].flat().map(String)];
  return everything.filter((value) => scopes.includes(value));
}

/** Expects a token without Management API scopes, and that the API rejects it. */
async function opensNothing(token: string): Promise<void> {
  expect(scopesOfToken(token)).toEqual([]);
  for (const path of ["users", "clients", "roles", "logs", "tenants/settings", "keys/signing", "organizations"])
    expect([401, 403], path).toContain((await service.call("GET", `/api/v2/${path}`, { token })).status);
  const body = { roles: ["rol_any"] };
  const own = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`;
  expect([401, 403]).toContain((await service.call("POST", own, { token, body })).status);
}

const exchange = (token: string, more: { readonly [name: string]: string }) =>
  service.exchange({
    grant_type: exchangeGrant,
    client_id: app.clientId,
    client_secret: clientSecret,
    subject_token: token,
    subject_token_type: accessTokenType,
    ...more,
  });

/** Assigns a user a tenant role with Management API scopes. */
async function giveRole(...scopes: readonly string[]): Promise<string> {
  const role = await organizations.createRole("Admin", managementAudience, ...scopes);
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`;
  expect(await service.manage("POST", path, { roles: [role] })).toMatchObject({ status: 204 });
  return role;
}

describe("a user without roles", () => {
  test("gets no Management API scopes at /authorize, for all scopes together and for each one", async () => {
    const browser = service.browser();
    const first = await obtainTokens(service, app, service.ada, requested, browser);
    expect(first.scope.split(" ").filter((value) => everything.includes(value))).toEqual([]);
    await opensNothing(first.access);
    for (const scope of everything) {
      const { code = "" } = successParameters(await sendAuthorization(browser, app, { audience: managementAudience, scope }));
      expect(scopesOfToken(tokens(await service.exchange(codeGrant(app, code))).access), scope).toEqual([]);
    }
  });

  test("gets no Management API scopes through a refresh token, of that API or of another one", async () => {
    for (const parameters of [requested, offline]) {
      const { refresh } = await obtainTokens(service, app, service.ada, parameters);
      expect(refresh).not.toBe("");
      const more = { scope: everything.join(" "), audience: managementAudience };
      expect([400, 403]).toContain((await service.exchange(refreshGrant(app, refresh, more))).status);
      const response = await service.exchange(refreshGrant(app, refresh));
      await opensNothing(tokens(response).access);
    }
  });

  test("gets no Management API scopes through the password grant, with any spelling of the API's identifier", async () => {
    for (const audience of [
      managementAudience,
      managementAudience.replace(/\/$/, ""),
      managementAudience.toUpperCase(),
      `${managementAudience}users`,
    ]) {
      const { email, password } = service.ada;
      const client = { client_id: app.clientId, client_secret: clientSecret };
      const response = await service.exchange({ grant_type: "password", ...client, username: email, password, ...requested, audience });
      if (response.status === 200) await opensNothing(tokens(response).access);
      else expectError(response, 400, "access_denied");
    }
  });

  test("gets no Management API scopes through the tenant's default audience", async () => {
    expect(await service.manage("PATCH", "/api/v2/tenants/settings", { default_audience: managementAudience })).toMatchObject({
      status: 200,
    });
    const { access } = await obtainTokens(service, app, service.ada, { scope: requested.scope });
    expect(claimsOf(access).aud).toContain(managementAudience);
    await opensNothing(access);
  });

  test("gets no Management API scopes from a token of another API with scopes of the same names", async () => {
    const scopes = everything.map((value) => ({ value }));
    const duplicate = "https://twin.example.test/";
    await service.manage.create("/api/v2/resource-servers", { identifier: duplicate, scopes, token_dialect: "access_token" });
    const { access, scope } = await obtainTokens(service, app, service.ada, {
      audience: duplicate,
      scope: ["openid", ...everything].join(" "),
    });
    expect(scope.split(" ")).toEqual(expect.arrayContaining([...everything]));
    expect((await service.call("GET", "/api/v2/users", { token: access })).status).toBe(401);
    const response = await exchange(access, { audience: managementAudience, scope: everything.join(" ") });
    if (response.status === 200) await opensNothing(tokens(response).access);
    else expect([400, 403]).toContain(response.status);
  });

  test("gets no Management API scopes from a client grant of their app", async () => {
    for (const subject_type of ["user", "client"]) {
      const grant = { client_id: app.clientId, audience: managementAudience, scope: everything, subject_type };
      await service.manage.create("/api/v2/client-grants", grant);
    }
    await opensNothing((await obtainTokens(service, app, service.ada, requested)).access);
  });

  test("gets no Management API scopes from another user's roles, even if that user's account is linked to theirs", async () => {
    const role = await organizations.createRole("Admin", managementAudience, "read:users");
    await service.manage("POST", `/api/v2/roles/${role}/users`, { users: [service.bob.userId] });
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/identities`;
    expect(await service.manage("POST", path, { provider: "auth0", user_id: service.bob.userId })).toMatchObject({ status: 201 });
    await opensNothing((await obtainTokens(service, app, service.ada, requested)).access);
    const { access } = await obtainTokens(service, app, service.bob, requested);
    expect(claimsOf(access).sub).toBe(service.ada.userId);
    await opensNothing(access);
  });

  test("gets no Management API scopes by disabling RBAC of that API, which is rejected", async () => {
    const api = `/api/v2/resource-servers/${encodeURIComponent(managementAudience)}`;
    for (const change of [{ enforce_policies: false }, { skip_consent_for_verifiable_first_party_clients: true }, { scopes: [] }])
      expectError(await service.manage("PATCH", api, change), 403, "forbidden");
    await opensNothing((await obtainTokens(service, app, service.ada, requested)).access);
  });
});

describe("an organization role", () => {
  test("grants no Management API scopes of the tenant at /authorize, through a refresh or through an exchange", async () => {
    const acme = await organizations.create("acme");
    await organizations.addMembers(acme, service.ada);
    const role = await organizations.createRole("Admin", managementAudience, ...everything);
    await organizations.assignRole(acme, service.ada, role);
    const inside = await obtainTokens(service, app, service.ada, { ...requested, organization: acme });
    expect(claimsOf(inside.access)).toMatchObject({ org_id: acme });
    await opensNothing(inside.access);
    const outside = await obtainTokens(service, app, service.ada, requested);
    await opensNothing(outside.access);
    const { refresh } = await obtainTokens(service, app, service.ada, offline);
    for (const response of [
      await service.exchange(refreshGrant(app, refresh, { organization: acme, audience: managementAudience, scope: everything.join(" ") })),
      await exchange(outside.access, { audience: managementAudience, organization: acme }),
      await exchange(inside.access, { audience: managementAudience, scope: "openid" }),
    ]) {
      if (response.status === 200) await opensNothing(tokens(response).access);
      else expect([400, 403], JSON.stringify(response.body)).toContain(response.status);
    }
    expect(list(await service.manage("GET", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`))).toEqual([]);
    expect(list(await service.manage("GET", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/permissions`))).toEqual([]);
  });

  test("grants no Management API scopes of the tenant after the same role was removed from the user in the tenant", async () => {
    const acme = await organizations.create("acme");
    await organizations.addMembers(acme, service.ada);
    const role = await giveRole("read:users");
    await organizations.assignRole(acme, service.ada, role);
    expect(scopesOfToken((await obtainTokens(service, app, service.ada, { ...requested, organization: acme })).access)).toEqual([
      "read:users",
    ]);
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`, { roles: [role] });
    await opensNothing((await obtainTokens(service, app, service.ada, { ...requested, organization: acme })).access);
  });
});

describe("the next token", () => {
  const thingsApi = "https://things.example.test/";
  const requestedThings = { audience: thingsApi, scope: "openid offline_access read:things" };
  const userPath = (): string => `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  const permissions = [
    { resource_server_identifier: managementAudience, permission_name: "read:users" },
    { resource_server_identifier: thingsApi, permission_name: "read:things" },
  ];

  test.each<readonly [string, () => Promise<() => Promise<unknown>>]>([
    [
      "a role is removed",
      async () => {
        const role = await giveRole("read:users");
        await service.manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
        return () => service.manage("DELETE", `${userPath()}/roles`, { roles: [role] });
      },
    ],
    [
      "permissions of a role are removed",
      async () => {
        const role = await giveRole("read:users");
        await service.manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
        return () => service.manage("DELETE", `/api/v2/roles/${role}/permissions`, { permissions });
      },
    ],
    [
      "a role is deleted",
      async () => {
        const role = await giveRole("read:users");
        await service.manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
        return () => service.manage("DELETE", `/api/v2/roles/${role}`);
      },
    ],
    [
      "direct permissions are removed",
      async () => {
        await service.manage("POST", `${userPath()}/permissions`, { permissions });
        return () => service.manage("DELETE", `${userPath()}/permissions`, { permissions });
      },
    ],
  ])("lacks the scope after %s", async (_, grantRight) => {
    await organizations.createApi(thingsApi, "read:things");
    const removeRight = await grantRight();
    const browser = service.browser();
    const before = await obtainTokens(service, app, service.ada, requested, browser);
    expect(scopesOfToken(before.access)).toEqual(["read:users"]);
    expect((await service.call("GET", "/api/v2/users", { token: before.access })).status).toBe(200);
    const forThings = await obtainTokens(service, app, service.ada, requestedThings, browser);
    expect(forThings.scope).toBe(requestedThings.scope);
    const { code = "" } = successParameters(await sendAuthorization(browser, app, requested));
    expect(await removeRight()).toMatchObject({ status: 204 });

    // Tries a code that was issued before the removal, and a new request in the same session.
    for (const next of [
      tokens(await service.exchange(codeGrant(app, code))),
      await obtainTokens(service, app, service.ada, requested, browser),
    ])
      await opensNothing(next.access);
    const refreshed = tokens(await service.exchange(refreshGrant(app, forThings.refresh)));
    expect(refreshed.scope).toBe("openid offline_access");
    expect(claimsOf(refreshed.access)["permissions"]).not.toContain("read:things");
    // A token exchange grants the user's current scopes, not those of the subject token.
    for (const [token, scope] of [
      [before.access, "read:users"],
      [forThings.access, "read:things"],
    ] as const) {
      const exchanged = await exchange(token, { scope });
      if (exchanged.status === 200) expect(tokens(exchanged).scope).not.toContain(scope);
    }
  });
});

test("a role grants its own scopes and no others", async () => {
  await giveRole("read:users");
  const { access } = await obtainTokens(service, app, service.ada, requested);
  expect(scopesOfToken(access)).toEqual(["read:users"]);
  expect(list(await service.call("GET", "/api/v2/users", { token: access })).length).toBeGreaterThan(0);
  expectError(await service.call("GET", "/api/v2/roles", { token: access }), 403, "insufficient_scope");
  const raise = { roles: [stringMember(jsonBody(await service.manage("POST", "/api/v2/roles", { name: "More" }), 201), "id")] };
  const own = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`;
  expectError(await service.call("POST", own, { token: access, body: raise }), 403, "insufficient_scope");
});
