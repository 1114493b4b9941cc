import { beforeAll, expect, test } from "vitest";
import { auditEvents, expectError } from "../support/api.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import {
  claimsOf,
  codeGrant,
  login,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  tokens,
  type App,
  type LoginService,
} from "../support/flow.ts";

const grantType = "urn:ietf:params:oauth:grant-type:token-exchange";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";
const shop = "https://shop.example.test/";

let service: LoginService;
let gateway: App;
beforeAll(async () => {
  service = await openService();
  gateway = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token", grantType] });
  const scopes = [{ value: "read:orders" }, { value: "write:orders" }];
  await service.manage.create("/api/v2/resource-servers", {
    name: "Shop",
    identifier: shop,
    scopes,
    token_lifetime: 3600,
    allow_offline_access: true,
  });
  await service.manage.create("/api/v2/resource-servers", { name: "Stock", identifier: "https://stock.example.test/", scopes });
});

const exchange = (subject: string, more: { readonly [name: string]: string } = {}, app = gateway): Promise<ApiResponse> =>
  service.exchange({
    grant_type: grantType,
    client_id: app.clientId,
    client_secret: clientSecret,
    subject_token: subject,
    subject_token_type: accessTokenType,
    ...more,
  });
const requested = { scope: "openid profile offline_access read:orders write:orders", audience: shop };
const subject = async (): Promise<string> => (await obtainTokens(service, gateway, service.ada, requested)).access;

test("exchanges a token for a narrower one of the same user, session and grant", async () => {
  const token = await subject();
  const response = await exchange(token, { scope: "read:orders" });
  const result = tokens(response);
  expect(response.body).toMatchObject({ issued_token_type: accessTokenType, token_type: "Bearer", scope: "read:orders" });
  expect(response.body).not.toHaveProperty("refresh_token");
  const [before, after] = [claimsOf(token), claimsOf(result.access)];
  expect(after).toMatchObject({ sub: before.sub, sid: before["sid"], grant_id: before["grant_id"], aud: shop, scope: "read:orders" });
  service.clock.advance("5s");
  expect((await auditEvents(service.manage, "secte"))[0]).toMatchObject({ user_id: service.ada.userId, client_id: gateway.clientId });
});

test("grants the scopes of the subject token without offline_access if no scope is requested", async () => {
  expect(tokens(await exchange(await subject())).scope).toBe("openid profile read:orders write:orders");
});

test("grants the subject token's scopes at another API", async () => {
  const result = tokens(await exchange(await subject(), { audience: "https://stock.example.test/", scope: "read:orders" }));
  expect(claimsOf(result.access).aud).toBe("https://stock.example.test/");
});

test("never widens the scope", async () => {
  const narrow = (await obtainTokens(service, gateway, service.ada, { ...requested, scope: "openid read:orders" })).access;
  expectError(await exchange(narrow, { scope: "read:orders write:orders" }), 400, "invalid_scope", "write:orders");
  expectError(await exchange(narrow, { scope: "email" }), 400, "invalid_scope", "email");
  expectError(await exchange(narrow, { audience: "https://nowhere.example.test/" }), 400, "invalid_target");
});

test("accepts the resource parameter like audience, and responds to an unknown resource with invalid_target", async () => {
  const token = await subject();
  const stock = "https://stock.example.test/";
  expect(claimsOf(tokens(await exchange(token, { resource: stock, scope: "read:orders" })).access).aud).toBe(stock);
  expect(claimsOf(tokens(await exchange(token, { resource: stock, audience: stock, scope: "read:orders" })).access).aud).toBe(stock);
  expectError(await exchange(token, { resource: "https://nowhere.example.test/" }), 400, "invalid_target");
  expectError(await exchange(token, { resource: stock, audience: shop }), 400, "invalid_target", "different");
  const closed = { identifier: "https://closed.example.test/", scopes: [{ value: "read:orders" }] };
  const policy = { subject_type_authorization: { user: { policy: "deny_all" } } };
  await service.manage.create("/api/v2/resource-servers", { name: "Closed", ...closed, ...policy });
  expectError(await exchange(token, { resource: closed.identifier, scope: "read:orders" }), 400, "invalid_target");
});

test("validates the resource parameter at every grant", async () => {
  const app = await service.register({
    secret: true,
    grant_types: ["authorization_code", "refresh_token", "password", "client_credentials"],
  });
  const client = { client_id: app.clientId, client_secret: clientSecret };
  const unknown = "https://nowhere.example.test/";
  const { email, password } = service.ada;
  const byPassword = { grant_type: "password", ...client, username: email, password, scope: "read:orders" };
  expect(claimsOf(tokens(await service.exchange({ ...byPassword, resource: shop })).access).aud).toBe(shop);
  expectError(await service.exchange({ ...byPassword, resource: unknown }), 400, "invalid_target", "nowhere");
  expectError(await service.exchange({ grant_type: "client_credentials", ...client, resource: unknown }), 400, "invalid_target", "nowhere");

  const codeFor = async (): Promise<string> => (await login(service.browser(), app, service.ada, requested))["code"] ?? "";
  expectError(await service.exchange(codeGrant(app, await codeFor(), { resource: unknown })), 400, "invalid_target");
  const { refresh } = tokens(await service.exchange(codeGrant(app, await codeFor(), { resource: shop })));
  expectError(await service.exchange(refreshGrant(app, refresh, { resource: unknown })), 400, "invalid_target");
  expect(claimsOf(tokens(await service.exchange(refreshGrant(app, refresh, { resource: shop }))).access).aud).toContain(shop);
});

test("a third-party client gets no token for an API without the user's consent", async () => {
  const partner = await service.register({
    secret: true,
    name: "Partner",
    is_first_party: false,
    grant_types: ["authorization_code", "refresh_token", grantType],
  });
  const stock = { audience: "https://stock.example.test/", scope: "read:orders" };
  const { access } = await obtainTokens(service, partner, service.ada, { scope: "openid read:orders", audience: shop });
  expectError(await exchange(access, stock, partner), 400, "invalid_target", "not consented");
  expect(tokens(await exchange(access, { scope: "read:orders" }, partner)).scope).toBe("read:orders");
  expect(tokens(await exchange(access, { scope: "read:orders", audience: shop }, partner)).scope).toBe("read:orders");
  await obtainTokens(service, partner, service.ada, { ...stock, scope: "openid read:orders" });
  expect(claimsOf(tokens(await exchange(access, stock, partner)).access).aud).toBe(stock.audience);
});

test("a token from an exchange expires no later than its subject token, and has the same auth_time", async () => {
  const browser = service.browser();
  const result = await obtainTokens(service, gateway, service.ada, requested, browser);
  service.clock.advance("40m");
  const response = await exchange(result.access);
  expect(response.body).toMatchObject({ expires_in: 20 * 60 });
  expect(claimsOf(tokens(response).access).exp).toBe(claimsOf(result.access).exp);
  expect(claimsOf(tokens(response).id)["auth_time"]).toBe(claimsOf(result.id)["auth_time"]);
});

test("a token from an exchange cannot be exchanged again", async () => {
  const first = tokens(await exchange(await subject())).access;
  expectError(await exchange(first), 400, "invalid_request", "subject_token");
});

test.each([
  ["a client credentials token", async () => service.token()],
  ["an ID token", async () => (await obtainTokens(service, gateway, service.ada, requested)).id],
  ["a refresh token", async () => (await obtainTokens(service, gateway, service.ada, requested)).refresh],
  ["another client's token", async () => (await obtainTokens(service, service.web, service.ada, { scope: "openid" })).access],
  ["a token without its signature", async () => (await subject()).replace(/[^.]*$/, "")],
  ["a token with another payload", async () => tampered(await subject())],
  ["an unsigned token", async () => unsigned(await subject())],
  ["a malformed token", async () => "x"],
])("rejects %s", async (_, make) => {
  expectError(await exchange(await make()), 400, "invalid_request", "subject_token");
});

test("rejects an expired token", async () => {
  const token = await subject();
  service.clock.advance("60m");
  expectError(await exchange(token), 400, "invalid_request", "subject_token");
});

test("accepts and issues only access tokens, and rejects actor tokens", async () => {
  const token = await subject();
  const types = ["urn:ietf:params:oauth:token-type:refresh_token", "urn:ietf:params:oauth:token-type:jwt", "x"];
  for (const type of types) {
    expectError(await exchange(token, { subject_token_type: type }), 400, "invalid_request", "subject_token_type");
    expectError(await exchange(token, { requested_token_type: type }), 400, "invalid_request", "requested_token_type");
  }
  expectError(await exchange(token, { actor_token: token }), 400, "invalid_request", "actor_token");
});

test("requires the grant type and the client's secret", async () => {
  const token = await subject();
  expectError(await exchange(token, {}, service.web), 400, "unauthorized_client");
  expectError(await exchange(token, { client_secret: "wrong-secret-that-is-long" }), 401, "invalid_client");
});

test("rejects a subject token if its grant or session was revoked or its user is blocked", async () => {
  const { code = "" } = await login(service.browser(), gateway, service.ada, requested);
  const replayed = tokens(await service.exchange(codeGrant(gateway, code))).access;
  await service.exchange(codeGrant(gateway, code));
  expectError(await exchange(replayed), 400, "invalid_request", "revoked");

  const revoked = await obtainTokens(service, gateway, service.ada, requested);
  await service.call("POST", "/oauth/revoke", {
    body: { client_id: gateway.clientId, client_secret: clientSecret, token: revoked.refresh },
  });
  expectError(await exchange(revoked.access), 400, "invalid_request", "revoked");
  expectError(await service.exchange(refreshGrant(gateway, revoked.refresh)), 400, "invalid_grant");

  const browser = service.browser();
  const ended = await obtainTokens(service, gateway, service.ada, { ...offline, ...requested }, browser);
  await browser.get("/v2/logout");
  expectError(await exchange(ended.access), 400, "invalid_request", "revoked");

  const token = await subject();
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  await service.manage("PATCH", path, { blocked: true });
  expectError(await exchange(token), 400, "invalid_request", "user is blocked");
  await service.manage("PATCH", path, { blocked: false });
});

function parts(token: string): readonly [string, { readonly [name: string]: unknown }, string] {
  const [header = "", payload = "", signature = ""] = token.split(".");
  return [header, JSON.parse(Buffer.from(payload, "base64url").toString()), signature];
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function tampered(token: string): string {
  const [header, payload, signature] = parts(token);
  return [header, encode({ ...payload, sub: service.bob.userId }), signature].join(".");
}

function unsigned(token: string): string {
  const [header, payload] = parts(token);
  return [encode({ ...JSON.parse(Buffer.from(header, "base64url").toString()), alg: "none" }), encode(payload), ""].join(".");
}
