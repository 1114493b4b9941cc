import { decodeProtectedHeader } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { clientSecret } from "../support/postern.ts";
import {
  sendAuthorization,
  claimsOf,
  successParameters,
  login,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  errorParameters,
  tokens,
  type App,
  type LoginService,
} from "../support/flow.ts";

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

let service: LoginService;
let app: App;
let userinfo: string;
beforeAll(async () => {
  service = await openService();
  app = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token", "implicit", "password"] });
  userinfo = `${service.postern.issuer}userinfo`;
});

let number = 0;
/** Creates an API with these settings. */
const api = async (settings: object = {}): Promise<string> => {
  const identifier = `https://api-${++number}.example.test/`;
  const scopes = [{ value: "read:x" }, { value: "write:x" }];
  await service.manage.create("/api/v2/resource-servers", {
    name: `API ${number}`,
    identifier,
    scopes,
    allow_offline_access: true,
    ...settings,
  });
  return identifier;
};
const claims = async (requested: { readonly [name: string]: string | undefined } = {}): Promise<{ readonly [name: string]: unknown }> =>
  claimsOf((await obtainTokens(service, app, service.ada, requested)).access);

describe("claims of a user's access token", () => {
  test("writes access tokens in Auth0's dialect by default", async () => {
    const audience = await api();
    const { access } = await obtainTokens(service, app, service.ada, { audience, scope: "openid read:x" });
    expect(decodeProtectedHeader(access)).toEqual({ alg: "ES256", typ: "JWT", kid: expect.any(String) });
    const { iat = 0, exp = 0, ...values } = claimsOf(access);
    expect(values).toEqual({
      iss: service.postern.issuer,
      sub: service.ada.userId,
      aud: [audience, userinfo],
      azp: app.clientId,
      scope: "openid read:x",
      auth_time: expect.any(Number),
      sid: expect.stringMatching(/^sess_/),
      grant_id: expect.stringMatching(/^grt_/),
      tenant_id: "main",
    });
    expect(exp - iat).toBe(86_400);
  });

  test("writes access tokens in the dialect of RFC 9068 if the API selects it", async () => {
    const audience = await api({ token_dialect: "rfc9068_profile", token_lifetime: 600 });
    const { access } = await obtainTokens(service, app, service.ada, { audience, scope: "read:x" });
    expect(decodeProtectedHeader(access)["typ"]).toBe("at+jwt");
    const { iat = 0, exp = 0, ...values } = claimsOf(access);
    expect(values).toMatchObject({
      sub: service.ada.userId,
      aud: audience,
      client_id: app.clientId,
      jti: expect.any(String),
      scope: "read:x",
    });
    for (const name of ["azp", "gty", "permissions"]) expect(values).not.toHaveProperty(name);
    expect(exp - iat).toBe(600);
  });

  test("lists all permissions of the user at the API, requested or not, and no OpenID scope, in a permissions dialect", async () => {
    const audience = await api({ enforce_policies: true, token_dialect: "access_token_authz" });
    expect(await claims({ audience, scope: "openid read:x" })).toMatchObject({ scope: "openid", permissions: [] });
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/permissions`;
    const permissions = ["read:x", "write:x"].map((permission_name) => ({ resource_server_identifier: audience, permission_name }));
    expect((await service.manage("POST", path, { permissions })).status).toBe(201);

    const plain = { audience, scope: "openid offline_access read:x" };
    const all = { scope: plain.scope, permissions: ["read:x", "write:x"] };
    const result = await obtainTokens(service, app, service.ada, plain);
    expect(claimsOf(result.access)).toMatchObject(all);
    expect(claimsOf(tokens(await service.exchange(refreshGrant(app, result.refresh))).access)).toMatchObject(all);
    const user = { username: service.ada.email, password: service.ada.password, audience, scope: "openid read:x" };
    const grant = { grant_type: "password", client_id: app.clientId, client_secret: clientSecret, ...user };
    expect(claimsOf(tokens(await service.exchange(grant)).access)).toMatchObject({
      permissions: ["read:x", "write:x"],
      scope: "openid read:x",
    });
    const browser = service.browser();
    await login(browser, app, service.ada);
    const bare = { code_challenge: undefined, code_challenge_method: undefined };
    const loginResult = successParameters(
      await sendAuthorization(browser, app, { response_type: "token", audience, scope: "openid", ...bare }),
    );
    expect(claimsOf(loginResult["access_token"] ?? "")).toMatchObject({ permissions: ["read:x", "write:x"], scope: "openid" });

    // A permission that was removed is missing from the next token.
    expect((await service.manage("DELETE", path, { permissions: permissions.slice(1) })).status).toBe(204);
    expect(claimsOf(tokens(await service.exchange(refreshGrant(app, result.refresh))).access)["permissions"]).toEqual(["read:x"]);
  });

  test("limits permissions to the granted scopes for a third-party client and after a token exchange", async () => {
    const audience = await api({ enforce_policies: true, token_dialect: "access_token_authz" });
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/permissions`;
    const permissions = ["read:x", "write:x"].map((permission_name) => ({ resource_server_identifier: audience, permission_name }));
    expect((await service.manage("POST", path, { permissions })).status).toBe(201);
    const partner = await service.register({ secret: true, name: "Partner", is_first_party: false });
    const requested = { audience, scope: "openid offline_access read:x" };
    const result = await obtainTokens(service, partner, service.ada, requested);
    expect(claimsOf(result.access)["permissions"]).toEqual(["read:x"]);
    expect(claimsOf(tokens(await service.exchange(refreshGrant(partner, result.refresh))).access)["permissions"]).toEqual(["read:x"]);

    const gateway = await service.register({ secret: true, grant_types: ["authorization_code", exchangeGrant] });
    const subject = await obtainTokens(service, gateway, service.ada, { audience, scope: "openid read:x write:x" });
    const exchange = {
      grant_type: exchangeGrant,
      client_id: gateway.clientId,
      client_secret: clientSecret,
      subject_token: subject.access,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      scope: "read:x",
    };
    expect(claimsOf(tokens(await service.exchange(exchange)).access)).toMatchObject({ scope: "read:x", permissions: ["read:x"] });
  });

  test("omits the permissions claim unless RBAC and a permissions dialect are enabled", async () => {
    for (const settings of [
      { token_dialect: "access_token_authz" },
      { enforce_policies: true },
      { enforce_policies: true, token_dialect: "rfc9068_profile" },
    ]) {
      expect(await claims({ audience: await api(settings), scope: "read:x" })).not.toHaveProperty("permissions");
    }
  });

  test("sets gty as Auth0 does: for the password grant and the refresh token grant only", async () => {
    const first = await obtainTokens(service, app, service.ada, offline);
    expect(claimsOf(first.access)).not.toHaveProperty("gty");
    expect(claimsOf(tokens(await service.exchange(refreshGrant(app, first.refresh))).access)["gty"]).toBe("refresh_token");
    const user = { username: service.ada.email, password: service.ada.password };
    const grant = { grant_type: "password", client_id: app.clientId, client_secret: clientSecret, ...user };
    expect(claimsOf(tokens(await service.exchange(grant)).access)["gty"]).toBe("password");
    expect(claimsOf(await service.token())["gty"]).toBe("client-credentials");
  });
});

describe("audience of a user's access token", () => {
  test("issues a JWT for userinfo if no API is requested", async () => {
    expect(await claims()).toMatchObject({ aud: userinfo, scope: "openid profile email" });
    expect(await claims({ audience: userinfo })).toMatchObject({ aud: userinfo });
  });

  test("is the requested API, plus userinfo if the openid scope is requested", async () => {
    const audience = await api();
    expect(await claims({ audience, scope: "read:x" })).toMatchObject({ aud: audience });
    expect(await claims({ audience, scope: "openid read:x" })).toMatchObject({ aud: [audience, userinfo] });
  });

  test("treats resource (RFC 8707) like audience, and rejects a request in which the two differ", async () => {
    const [audience, other] = [await api(), await api()];
    expect(await claims({ resource: audience, scope: "read:x" })).toMatchObject({ aud: audience });
    expect(await claims({ resource: audience, audience, scope: "read:x" })).toMatchObject({ aud: audience });
    expect(errorParameters(await sendAuthorization(service.browser(), app, { resource: audience, audience: other }))["error"]).toBe(
      "invalid_target",
    );
    const unknown = "https://nowhere.example.test/";
    expect(errorParameters(await sendAuthorization(service.browser(), app, { resource: unknown }))["error"]).toBe("invalid_target");
    expect(errorParameters(await sendAuthorization(service.browser(), app, { audience: unknown }))["error"]).toBe("access_denied");
  });

  test("falls back to the tenant's default audience, also at the password grant", async () => {
    const audience = await api();
    jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { default_audience: audience }));
    service.clock.advance("6s");
    expect(await claims({ scope: "openid read:x" })).toMatchObject({ aud: [audience, userinfo], scope: "openid read:x" });
    expect(await claims({ audience: userinfo })).toMatchObject({ aud: userinfo });
    jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { default_audience: "" }));
    service.clock.advance("6s");
    expect(await claims()).toMatchObject({ aud: userinfo });
  });

  test("limits a token for the Management API to the scopes of the user's roles", async () => {
    const audience = `${service.postern.issuer}api/v2/`;
    const result = await obtainTokens(service, app, service.ada, { audience, scope: "openid read:users delete:users" });
    expect(result.scope).toBe("openid");
    expect((await service.call("GET", "/api/v2/users", { token: result.access })).status).toBe(403);
  });
});

test("issues the same token through the front channel as through the back channel", async () => {
  const audience = await api({ token_lifetime: 7200, token_lifetime_for_web: 3600 });
  const browser = service.browser();
  await login(browser, app, service.ada);
  const bare = { code_challenge: undefined, code_challenge_method: undefined };
  const result = successParameters(
    await sendAuthorization(browser, app, { response_type: "token", audience, scope: "openid read:x", ...bare }),
  );
  expect(result).toMatchObject({ token_type: "Bearer", scope: "openid read:x" });
  expect(claimsOf(result["access_token"] ?? "")).toMatchObject({ aud: [audience, userinfo], azp: app.clientId });
});
