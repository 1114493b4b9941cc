import { beforeEach, describe, expect, test } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { obtainTokens, openService, type App, type LoginService } from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import { clientSecret, managementAudience, type ApiResponse } from "../support/postern.ts";

/** Each call re-evaluates the authority of a Management API token, so that removed permissions take effect at once. */

let service: LoginService;
let app: App;
const request = { audience: managementAudience, scope: "openid read:users update:users delete:sessions" };

beforeEach(async () => {
  service = await openService();
  app = await service.register({ secret: true, organization_usage: "allow" });
});

describe("a user's Management API token", () => {
  let role: string;
  let ada: string;

  beforeEach(async () => {
    role = await organizationsBy(service.manage).createRole("Admin", managementAudience, "read:users", "update:users");
    ada = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
    expect(await service.manage("POST", `${ada}/roles`, { roles: [role] })).toMatchObject({ status: 204 });
  });

  const list = (token: string): Promise<ApiResponse> => service.call("GET", "/api/v2/users", { token });

  test.each<readonly [string, (token: string) => Promise<unknown>]>([
    ["of a blocked user", () => service.manage("PATCH", ada, { blocked: true })],
    ["of a deleted user", () => service.manage("DELETE", ada)],
    ["of a revoked session", () => service.manage("DELETE", `${ada}/sessions`)],
    ["of a revoked grant", (token) => revoke(token)],
    ["of a deleted client", () => service.manage("DELETE", `/api/v2/clients/${app.clientId}`)],
  ])("%s is rejected", async (_, end) => {
    const { access } = await obtainTokens(service, app, service.ada, request);
    expect(await list(access)).toMatchObject({ status: 200 });
    await end(access);
    expectError(await list(access), 401, "invalid_token");
    expectError(await service.userinfo(access), 401, "invalid_token");
    // The token cannot be used to undo the change either.
    expectError(await service.call("PATCH", ada, { token: access, body: { blocked: false } }), 401, "invalid_token");
  });

  const revoke = async (token: string): Promise<void> => {
    const body = new URLSearchParams({ token, client_id: app.clientId, client_secret: clientSecret }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect(await service.call("POST", "/oauth/revoke", { body, headers })).toMatchObject({ status: 200 });
  };

  test("has only the scopes that the user's roles still grant", async () => {
    const { access } = await obtainTokens(service, app, service.ada, request);
    const permissions = [{ resource_server_identifier: managementAudience, permission_name: "update:users" }];
    await service.manage("DELETE", `/api/v2/roles/${role}/permissions`, { permissions });
    expect(await list(access)).toMatchObject({ status: 200 });
    expectError(await service.call("PATCH", ada, { token: access, body: { name: "Ada" } }), 403, "insufficient_scope");
    await service.manage("DELETE", `${ada}/roles`, { roles: [role] });
    expectError(await list(access), 403, "insufficient_scope");
    // Permissions that are granted later are not added to the token.
    await service.manage("POST", `${ada}/permissions`, {
      permissions: [{ resource_server_identifier: managementAudience, permission_name: "read:clients" }],
    });
    expectError(await service.call("GET", "/api/v2/clients", { token: access }), 403, "insufficient_scope");
  });

  test("for an organization has no access to the control plane", async () => {
    const organizations = organizationsBy(service.manage);
    const acme = await organizations.create("acme");
    await organizations.addMembers(acme, service.ada);
    const { access } = await obtainTokens(service, app, service.ada, { ...request, organization: acme });
    expectError(await list(access), 403, "forbidden", "organization");
    expect(await list((await obtainTokens(service, app, service.ada, request)).access)).toMatchObject({ status: 200 });
  });
});

describe("a client's Management API token", () => {
  let clientId: string;
  let secret: string;
  let token: string;
  let grant: string;

  beforeEach(async () => {
    const client = await service.manage.create("/api/v2/clients", { name: "Robot", app_type: "non_interactive" });
    clientId = stringMember(client, "client_id");
    secret = stringMember(client, "client_secret");
    const scope = ["read:users", "read:clients"];
    grant = stringMember(
      await service.manage.create("/api/v2/client-grants", { client_id: clientId, audience: managementAudience, scope }),
      "id",
    );
    const body = {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: stringMember(client, "client_secret"),
      audience: managementAudience,
    };
    token = stringMember(jsonBody(await service.call("POST", "/oauth/token", { body })), "access_token");
    expect(await service.call("GET", "/api/v2/users", { token })).toMatchObject({ status: 200 });
  });

  test("is rejected after the client was deleted", async () => {
    await service.manage("DELETE", `/api/v2/clients/${clientId}`);
    expectError(await service.call("GET", "/api/v2/users", { token }), 401, "invalid_token");
  });

  test("is rejected and inactive in introspection after the client grant was deleted", async () => {
    const introspect = async () =>
      jsonBody(await service.call("POST", "/oauth/introspect", { body: { token, client_id: clientId, client_secret: secret } }));
    expect(await introspect()).toMatchObject({ active: true, scope: "read:users read:clients" });
    await service.manage("PATCH", `/api/v2/client-grants/${grant}`, { scope: ["read:clients"] });
    expect(await introspect()).toMatchObject({ active: true, scope: "read:clients" });
    await service.manage("DELETE", `/api/v2/client-grants/${grant}`);
    expect(await introspect()).toEqual({ active: false });
    expectError(await service.call("GET", "/api/v2/users", { token }), 401, "invalid_token");
  });

  test("has only the scopes that the client grant still contains", async () => {
    await service.manage("PATCH", `/api/v2/client-grants/${grant}`, { scope: ["read:clients"] });
    expectError(await service.call("GET", "/api/v2/users", { token }), 403, "insufficient_scope");
    expect(await service.call("GET", "/api/v2/clients", { token })).toMatchObject({ status: 200 });
  });
});
