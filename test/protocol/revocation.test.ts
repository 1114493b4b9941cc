import { beforeAll, expect, test } from "vitest";
import { auditEvents, expectError, jsonBody } from "../support/api.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import { obtainTokens, offline, openService, refreshGrant, tokens, randomString, type App, type LoginService } from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const post = (path: string, token: string, { clientId, secret }: App = service.web, more = {}): Promise<ApiResponse> =>
  service.call("POST", path, { body: { client_id: clientId, ...(secret !== undefined && { client_secret: secret }), token, ...more } });
const revoke = (token: string, app?: App): Promise<ApiResponse> => post("/oauth/revoke", token, app);
const introspect = (token: string, app?: App): Promise<ApiResponse> => post("/oauth/introspect", token, app);

test("revoking a refresh token revokes its family and access tokens, and is idempotent", async () => {
  const first = await obtainTokens(service, service.spa, service.ada, offline);
  const second = tokens(await service.exchange(refreshGrant(service.spa, first.refresh)));
  for (let i = 0; i < 2; i++) expect(await revoke(second.refresh, service.spa)).toMatchObject({ status: 200, body: undefined });
  for (const { refresh, access } of [first, second]) {
    expectError(await service.exchange(refreshGrant(service.spa, refresh)), 400, "invalid_grant");
    expect((await service.userinfo(access)).status).toBe(401);
  }
  service.clock.advance("5s");
  expect((await auditEvents(service.manage, "srrt")).filter(({ client_id: id }) => id === service.spa.clientId)).toHaveLength(1);
});

test("revoking an access token revokes its grant with the refresh token, and is idempotent", async () => {
  const browser = service.browser();
  const first = await obtainTokens(service, service.web, service.ada, offline, browser);
  const other = await obtainTokens(service, service.web, service.ada, offline, browser);
  for (let i = 0; i < 2; i++) expect(await revoke(first.access)).toMatchObject({ status: 200, body: undefined });
  expect((await service.userinfo(first.access)).status).toBe(401);
  expectError(await service.exchange(refreshGrant(service.web, first.refresh)), 400, "invalid_grant");
  expect((await service.userinfo(other.access)).status, "another grant of the same session").toBe(200);
  tokens(await service.exchange(refreshGrant(service.web, other.refresh)));
  service.clock.advance("5s");
  expect((await auditEvents(service.manage, "srrt"))[0]).toMatchObject({ user_id: service.ada.userId, client_id: service.web.clientId });
});

test("responds with 200 to a token that the tenant did not issue, and revokes nothing", async () => {
  const { access, id } = await obtainTokens(service, service.web, service.ada);
  for (const [token, app] of [
    [randomString(), service.web],
    [id, service.web],
    [id, service.spa],
    [`${access.slice(0, -8)}AAAAAAAA`, service.web],
    [access.slice(0, -8), service.web],
  ] as const) {
    expect(await revoke(token, app)).toMatchObject({ status: 200, body: undefined });
  }
  expect((await service.userinfo(access)).status).toBe(200);
  service.clock.advance("24h");
  expect(await revoke(access)).toMatchObject({ status: 200, body: undefined });
});

test("rejects the revocation of a client credentials token with unsupported_token_type (RFC 7009 section 2.2.1)", async () => {
  const manager = { clientId: "main-manager", secret: clientSecret, redirectUri: "" };
  expectError(await revoke(await service.token(), manager), 400, "unsupported_token_type");
});

test("rejects the revocation of another client's tokens with invalid_grant, and revokes nothing (RFC 7009 section 2.1)", async () => {
  const { access, refresh } = await obtainTokens(service, service.web, service.ada, offline);
  for (const token of [access, refresh, await service.token()]) {
    expectError(await revoke(token, service.spa), 400, "invalid_grant", "another client");
  }
  expect((await service.userinfo(access)).status).toBe(200);
  tokens(await service.exchange(refreshGrant(service.web, refresh)));
});

test("requires a token and the client's secret, in the body or the header, as form or JSON", async () => {
  const { refresh } = await obtainTokens(service, service.web, service.ada, offline);
  const { clientId } = service.web;
  const basic = { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` };
  expectError(await service.call("POST", "/oauth/revoke", { body: { client_id: clientId, token: refresh } }), 401, "invalid_client");
  expectError(await service.call("POST", "/oauth/revoke", { headers: basic, body: {} }), 400, "invalid_request", "token");
  const form = { ...basic, "content-type": "application/x-www-form-urlencoded" };
  expect(
    (await service.call("POST", "/oauth/revoke", { headers: form, body: `token=${refresh}&token_type_hint=refresh_token` })).status,
  ).toBe(200);
  expectError(await service.exchange(refreshGrant(service.web, refresh)), 400, "invalid_grant");
});

test("introspection returns a client's own active tokens, and reveals nothing of other tokens", async () => {
  const { access, refresh, id } = await obtainTokens(service, service.web, service.ada, offline);
  expect(jsonBody(await introspect(access))).toMatchObject({
    active: true,
    sub: service.ada.userId,
    client_id: service.web.clientId,
    iss: service.postern.issuer,
    scope: offline.scope,
  });
  expect(jsonBody(await introspect(refresh))).toMatchObject({ active: true, sub: service.ada.userId, token_type: "refresh_token" });
  const other = await service.register({ secret: true });
  for (const token of [randomString(), id, `${access}x`]) expect((await introspect(token)).body).toEqual({ active: false });
  for (const token of [access, refresh]) expect((await introspect(token, other)).body).toEqual({ active: false });
  expectError(await introspect(access, service.spa), 400, "unauthorized_client");
});

test("an expired, revoked or rotated token and a blocked user's token are inactive in introspection", async () => {
  const rotating = await service.register({ secret: true, refresh_token: { rotation_type: "rotating", expiration_type: "expiring" } });
  const carol = await service.addUser("carol@example.test");
  const live = await obtainTokens(service, rotating, carol, offline);
  const next = tokens(await service.exchange(refreshGrant(rotating, live.refresh)));
  const active = async (token: string): Promise<unknown> => jsonBody(await introspect(token, rotating))["active"];
  expect([await active(live.refresh), await active(next.refresh), await active(next.access)]).toEqual([false, true, true]);
  const path = `/api/v2/users/${encodeURIComponent(carol.userId)}`;
  await service.manage("PATCH", path, { blocked: true });
  expect([await active(next.refresh), await active(next.access)]).toEqual([false, false]);
  await service.manage("PATCH", path, { blocked: false });
  await revoke(next.refresh, rotating);
  expect([await active(next.refresh), await active(next.access)]).toEqual([false, false]);
  const late = await obtainTokens(service, rotating, carol, offline);
  service.clock.advance("24h");
  expect([await active(late.access), await active(late.refresh)]).toEqual([false, true]);
  service.clock.advance("30d");
  expect(await active(late.refresh)).toBe(false);
});
