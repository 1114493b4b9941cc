import { createTokenCheck } from "@postern/app";
import { beforeEach, describe, expect, test } from "vitest";
import { formFields } from "../support/browser.ts";
import { auditEvents, expectError, jsonBody, list, managerOf, stringMember } from "../support/api.ts";
import {
  claimsOf,
  errorParameters,
  followRedirects,
  getFlow,
  login,
  loginState,
  obtainTokens,
  openService,
  redirectOf,
  screenName,
  sendAuthorization,
  submitStep,
  successParameters,
  tokens,
  type App,
  type LoginService,
  type TestAccount,
} from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";

const grantType = "urn:ietf:params:oauth:grant-type:token-exchange";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";
const shop = "https://shop.example.test/";
const stock = "https://stock.example.test/";
const requested = { scope: "openid email read:orders write:orders", audience: shop };
const acting = { secret: true, grant_types: ["authorization_code", "refresh_token", grantType], token_exchange: { may_act: true } };

let service: LoginService;
let agent: App;

beforeEach(async () => {
  service = await openService();
  const scopes = [{ value: "read:orders" }, { value: "write:orders" }];
  await service.manage.create("/api/v2/resource-servers", { name: "Shop", identifier: shop, scopes, token_lifetime: 3600 });
  await service.manage.create("/api/v2/resource-servers", { name: "Stock", identifier: stock, scopes });
  agent = await service.register({ ...acting, name: "Helper" });
});

/** The user's token for an app. */
const tokenOfApp = async (parameters: object = {}, account = service.ada): Promise<string> =>
  (await obtainTokens(service, service.web, account, { ...requested, ...parameters })).access;

/** Signs the user in to a client that acts, and accepts the consent. */
async function consentTo(client: App, audience = shop, account: TestAccount = service.ada, scope = "openid"): Promise<void> {
  await login(service.browser(), client, account, { scope, audience });
}

const credentials = ({ clientId, secret }: App) => ({ client_id: clientId, ...(secret !== undefined && { client_secret: secret }) });

const exchange = (subject: string, more: { readonly [name: string]: string } = {}, client = agent): Promise<ApiResponse> =>
  service.exchange({
    grant_type: grantType,
    ...credentials(client),
    subject_token: subject,
    subject_token_type: accessTokenType,
    ...more,
  });

const introspect = async (token: string, client = agent): Promise<unknown> =>
  (await service.call("POST", "/oauth/introspect", { body: { ...credentials(client), token } })).body;

const grantsOf = async ({ userId }: TestAccount) =>
  list(await service.manage("GET", `/api/v2/grants?user_id=${encodeURIComponent(userId)}`));

describe("the consent page", () => {
  test("asks whether a client may act for the user at the API that its request names, once for each API", async () => {
    const browser = service.browser();
    const result = await sendAuthorization(browser, agent, { scope: "openid", audience: shop });
    const state = loginState(result);
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    expect(screenName(await submitStep(browser, state, { action: "sign-in", password: service.ada.password }))).toBe("consent");
    expect(await getFlow(browser, state)).toMatchObject({ screen: { client: { name: "Helper" }, audience: "Shop", actsForUser: true } });
    const html = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(html.replaceAll(/<[^>]*>/g, "")).toContain("Helper may act for you at Shop, also when other apps ask it to.");
    const silent = { scope: "openid", prompt: "none" };
    expect(errorParameters(await sendAuthorization(browser, agent, { ...silent, audience: shop }))).toMatchObject({
      error: "consent_required",
    });
    const accepted = await browser.post("/u/login", { form: { ...formFields(html), action: "accept" } });
    successParameters(await followRedirects(browser, accepted));
    successParameters(await sendAuthorization(browser, agent, { ...silent, audience: shop, scope: "openid read:orders" }));
    expect(errorParameters(await sendAuthorization(browser, agent, { ...silent, audience: stock }))).toMatchObject({
      error: "consent_required",
    });
    successParameters(await sendAuthorization(browser, agent, silent));
  });

  test("does not ask for a client without the setting, and for a public client", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const open = await service.register({ ...acting, secret: false });
    for (const client of [service.web, open]) successParameters(await sendAuthorization(browser, client, { ...requested, prompt: "none" }));
  });

  test("does not record the right to act if the page did not show it", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, agent, { scope: "openid", audience: shop }));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
    successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
    const [consent] = await grantsOf(service.ada);
    expect(consent).toMatchObject({ audience: shop, scope: ["openid"] });
    expect(consent).not.toHaveProperty("may_act");
    expectError(await exchange(await tokenOfApp()), 400, "interaction_required");
    const next = { scope: "openid", audience: shop, prompt: "none" };
    expect(errorParameters(await sendAuthorization(browser, agent, next))).toMatchObject({ error: "consent_required" });
  });

  test("does not record the right to act that a form of a client without the setting sends", async () => {
    const partner = await service.register({ ...acting, is_first_party: false, token_exchange: {} });
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, partner, { scope: "openid", audience: shop }));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
    successParameters(redirectOf(await submitStep(browser, state, { action: "accept", may_act: "true" })));
    expect((await grantsOf(service.ada))[0]).not.toHaveProperty("may_act");
  });

  test("a user who declines gives no consent", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, agent, { scope: "openid", audience: shop }));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
    await submitStep(browser, state, { action: "deny" });
    expect(await grantsOf(service.ada)).toEqual([]);
    expectError(await exchange(await tokenOfApp()), 400, "interaction_required");
  });

  test("a third-party client that may act keeps its consent when it asks for further scopes", async () => {
    const partner = await service.register({ ...acting, name: "Partner", is_first_party: false });
    await consentTo(partner, shop, service.ada, "openid read:orders");
    await consentTo(partner, shop, service.ada, "openid write:orders");
    expect(await grantsOf(service.ada)).toMatchObject([
      { audience: shop, scope: ["openid", "read:orders", "write:orders"], may_act: true },
    ]);
  });
});

test("exchanges a token of another client for a token that names the acting client", async () => {
  await consentTo(agent);
  const subject = await tokenOfApp();
  service.clock.advance("10m");
  const response = await exchange(subject, { scope: "read:orders" });
  const { access } = tokens(response);
  const [before, after] = [claimsOf(subject), claimsOf(access)];
  expect(response.body).toEqual({
    access_token: access,
    issued_token_type: accessTokenType,
    token_type: "Bearer",
    expires_in: 3000,
    scope: "read:orders",
  });
  const { sub, sid, grant_id, exp, auth_time } = before;
  expect(after).toMatchObject({ sub, sid, grant_id, exp, auth_time, aud: shop, scope: "read:orders", azp: agent.clientId });
  expect(after["act"]).toEqual({ sub: agent.clientId });
  expect(before).not.toHaveProperty("act");
  service.clock.advance("5s");
  expect((await auditEvents(service.manage, "secte"))[0]).toMatchObject({
    user_id: service.ada.userId,
    client_id: agent.clientId,
    details: { act: { sub: agent.clientId } },
  });
  expect(await introspect(access)).toMatchObject({ active: true, client_id: agent.clientId, act: { sub: agent.clientId } });
  expect(await introspect(access, service.web)).toEqual({ active: false });
  const check = createTokenCheck({ postern: service.postern, tenantId: "main", audience: shop, now: () => service.clock.now() });
  const request = { headers: new Headers({ authorization: `Bearer ${access}` }) };
  expect(await check.requireToken(request, ["read:orders"])).toMatchObject({ sub: service.ada.userId, act: { sub: agent.clientId } });
});

test("issues no ID token and no refresh token to a client that acts", async () => {
  await consentTo(agent);
  const { body } = await exchange(await tokenOfApp({ scope: "openid email offline_access read:orders" }));
  expect(body).toMatchObject({ scope: "openid email read:orders" });
  expect(body).not.toHaveProperty("id_token");
  expect(body).not.toHaveProperty("refresh_token");
});

test("keeps the chain of clients that acted, and rejects the sixth", async () => {
  const agents = [agent, ...(await Promise.all([1, 2, 3, 4, 5].map((at) => service.register({ ...acting, name: `Helper ${at}` }))))];
  for (const each of agents) await consentTo(each);
  let token = await tokenOfApp();
  let act: object | undefined;
  for (const each of agents.slice(0, 5)) {
    token = tokens(await exchange(token, {}, each)).access;
    act = { sub: each.clientId, ...(act && { act }) };
    expect(claimsOf(token)["act"]).toEqual(act);
  }
  expectError(await exchange(token, {}, agents[5]), 400, "invalid_request", "at most 5 clients");
  const check = createTokenCheck({ postern: service.postern, tenantId: "main", audience: shop, now: () => service.clock.now() });
  expect(await check.verify(`Bearer ${token}`)).toMatchObject({ act });
});

test("a client cannot exchange a token again that it got by acting", async () => {
  await consentTo(agent);
  const token = tokens(await exchange(await tokenOfApp())).access;
  expectError(await exchange(token), 400, "invalid_request", "itself issued by a token exchange");
});

test("a token that its own client exchanged cannot be exchanged by a client that acts", async () => {
  await consentTo(agent);
  const gateway = await service.register({ secret: true, grant_types: ["authorization_code", grantType] });
  const { access } = await obtainTokens(service, gateway, service.ada, requested);
  const own = tokens(await exchange(access, {}, gateway)).access;
  expectError(await exchange(own), 400, "invalid_request", "itself issued by a token exchange");
});

describe("rejects a client", () => {
  test("without the setting, and a public client with it", async () => {
    const subject = await tokenOfApp();
    const gateway = await service.register({ secret: true, grant_types: ["authorization_code", grantType] });
    expectError(await exchange(subject, {}, gateway), 400, "invalid_request", "issued to another client");
    await consentTo(agent);
    const body = { token_endpoint_auth_method: "none" };
    jsonBody(await service.manage("PATCH", `/api/v2/clients/${agent.clientId}`, body));
    const { secret: _, ...open } = agent;
    expectError(await exchange(subject, {}, open), 400, "invalid_request", "issued to another client");
  });

  test("whose setting was removed", async () => {
    await consentTo(agent);
    const subject = await tokenOfApp();
    tokens(await exchange(subject));
    jsonBody(await service.manage("PATCH", `/api/v2/clients/${agent.clientId}`, { token_exchange: { may_act: false } }));
    expectError(await exchange(subject), 400, "invalid_request", "issued to another client");
  });

  test("without the user's consent, with the consent of another user, and with the consent for another API", async () => {
    await consentTo(agent, shop, service.bob);
    await consentTo(agent, stock);
    const subject = await tokenOfApp();
    expectError(await exchange(subject), 400, "interaction_required", "consent");
    expectError(await exchange(subject, { audience: `${service.postern.issuer}userinfo`, scope: "openid" }), 400, "interaction_required");
    expect(claimsOf(tokens(await exchange(subject, { audience: stock, scope: "read:orders" })).access).aud).toBe(stock);
    await consentTo(agent);
    tokens(await exchange(subject));
  });

  test("whose consent covers only scopes, because it was given before the setting", async () => {
    const partner = await service.register({ ...acting, is_first_party: false, token_exchange: {} });
    await consentTo(partner, shop, service.ada, "openid read:orders");
    jsonBody(await service.manage("PATCH", `/api/v2/clients/${partner.clientId}`, { token_exchange: { may_act: true } }));
    expectError(await exchange(await tokenOfApp(), { scope: "read:orders" }, partner), 400, "interaction_required");
  });

  test("with a token of another tenant", async () => {
    await consentTo(agent);
    const other = await managerOf(service, "other");
    // The API is copied from the control plane.
    const user = { connection: "Username-Password-Authentication", email: service.ada.email, password: service.ada.password };
    await other.create("/api/v2/users", { ...user, user_id: service.ada.userId.split("|")[1], email_verified: true });
    const settings = { name: "App", app_type: "regular_web", grant_types: ["password"] } as const;
    await service.postern.seed({ tenantId: "other", clients: [{ clientId: "app-of-other", secret: clientSecret, settings }] });
    const foreign = tokens(
      await service.exchange({
        grant_type: "password",
        client_id: "app-of-other",
        client_secret: clientSecret,
        username: service.ada.email,
        password: service.ada.password,
        scope: "read:orders",
        audience: shop,
      }),
    ).access;
    expect(claimsOf(foreign)).toMatchObject({ sub: service.ada.userId, tenant_id: "other" });
    expectError(await exchange(foreign), 400, "invalid_request", "subject_token");
  });
});

describe("never widens rights", () => {
  test("beyond the scopes of the subject token", async () => {
    await consentTo(agent, shop, service.ada, "openid read:orders write:orders");
    const narrow = await tokenOfApp({ scope: "openid read:orders" });
    expectError(await exchange(narrow, { scope: "read:orders write:orders" }), 400, "invalid_scope", "write:orders");
    expectError(await exchange(narrow, { scope: "email" }), 400, "invalid_scope", "email");
    expect(tokens(await exchange(narrow)).scope).toBe("openid read:orders");
    const next = await service.register(acting);
    await consentTo(next);
    const first = tokens(await exchange(await tokenOfApp(), { scope: "read:orders" })).access;
    expectError(await exchange(first, { scope: "write:orders" }, next), 400, "invalid_scope", "write:orders");
  });

  test("beyond the scopes that the user consented to for a third-party client", async () => {
    const partner = await service.register({ ...acting, is_first_party: false });
    await consentTo(partner, shop, service.ada, "openid read:orders");
    const { access, scope } = tokens(await exchange(await tokenOfApp(), {}, partner));
    expect(scope).toBe("openid read:orders");
    expect(claimsOf(access)["scope"]).toBe("openid read:orders");
  });

  test("beyond what the client may request at the API", async () => {
    const closed = "https://closed.example.test/";
    const scopes = [{ value: "read:orders" }, { value: "write:orders" }];
    const policy = { subject_type_authorization: { user: { policy: "require_client_grant" } } };
    await service.manage.create("/api/v2/resource-servers", { name: "Closed", identifier: closed, scopes, ...policy });
    const grantOf = (client: App, scope: string[]) =>
      service.manage.create("/api/v2/client-grants", { client_id: client.clientId, audience: closed, scope, subject_type: "user" });
    await grantOf(service.web, ["read:orders", "write:orders"]);
    const granted = await grantOf(agent, ["read:orders"]);
    await consentTo(agent, closed);
    const subject = await tokenOfApp({ audience: closed });
    expect(tokens(await exchange(subject, { scope: "read:orders write:orders" })).scope).toBe("read:orders");
    await service.manage("DELETE", `/api/v2/client-grants/${stringMember(granted, "id")}`);
    expectError(await exchange(subject, { scope: "read:orders" }), 400, "invalid_target");
  });

  test("to another organization", async () => {
    const organizations = organizationsBy(service.manage);
    const enabled = { enabled_connections: [{ connection_id: await organizations.connection("Username-Password-Authentication") }] };
    const [acme, umbrella] = [await organizations.create("acme", enabled), await organizations.create("umbrella", enabled)];
    for (const id of [acme, umbrella]) await organizations.addMembers(id, service.ada);
    await consentTo(agent);
    const subject = await tokenOfApp({ organization: acme });
    expect(claimsOf(tokens(await exchange(subject)).access)["org_id"]).toBe(acme);
    expect(claimsOf(tokens(await exchange(subject, { organization: acme })).access)["org_id"]).toBe(acme);
    expectError(await exchange(subject, { organization: umbrella }), 400, "invalid_request", "organization");
    expectError(await exchange(await tokenOfApp(), { organization: acme }), 400, "invalid_request", "organization");
  });
});

describe("a token of an acting client ends", () => {
  const userinfoStatus = async (token: string): Promise<number> => (await service.userinfo(token)).status;
  let subject: string;
  let token: string;
  beforeEach(async () => {
    await consentTo(agent);
    subject = await tokenOfApp();
    token = tokens(await exchange(subject)).access;
    expect(await introspect(token)).toMatchObject({ active: true });
    expect(await userinfoStatus(token)).toBe(200);
  });
  const expectEnded = async (): Promise<void> => {
    expect(await introspect(token)).toEqual({ active: false });
    expect(await userinfoStatus(token)).toBe(401);
  };

  test("with the consent, which the Management API lists and revokes", async () => {
    const next = await service.register(acting);
    await consentTo(next);
    const [consent] = await grantsOf(service.ada);
    expect(consent).toMatchObject({ clientID: agent.clientId, audience: shop, may_act: true });
    expect(await service.manage("DELETE", `/api/v2/grants/${String(consent?.["id"])}`)).toMatchObject({ status: 204 });
    await expectEnded();
    expectError(await exchange(subject), 400, "interaction_required");
    expectError(await exchange(token, {}, next), 400, "invalid_request", "revoked");
    expect(await service.userinfo(subject)).toMatchObject({ status: 200 });
  });

  test("with the session", async () => {
    const { sid } = claimsOf(subject);
    expect(await service.manage("DELETE", `/api/v2/sessions/${String(sid)}`)).toMatchObject({ status: 202 });
    await expectEnded();
    expectError(await exchange(subject), 400, "invalid_request", "revoked");
  });

  test("with the grant of the subject token", async () => {
    const { refresh, access } = await obtainTokens(service, service.spa, service.ada, {
      ...requested,
      scope: "openid offline_access",
      audience: undefined,
    });
    await consentTo(agent, shop);
    token = tokens(await exchange(access, { audience: shop, scope: "openid" })).access;
    await service.call("POST", "/oauth/revoke", { body: { client_id: service.spa.clientId, token: refresh } });
    await expectEnded();
  });

  test("if the user is blocked", async () => {
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`, { blocked: true });
    await expectEnded();
    expectError(await exchange(subject), 400, "invalid_request");
  });

  test("if the client of the subject token is deleted, for further exchanges", async () => {
    expect(await service.manage("DELETE", `/api/v2/clients/${service.web.clientId}`)).toMatchObject({ status: 204 });
    expectError(await exchange(subject), 400, "invalid_request");
  });
});

test("validates the setting when a client is created or changed, and removes it with null", async () => {
  const body = { name: "New", token_exchange: { may_act: true, allow_any_profile_of_type: ["custom_authentication"] } };
  const client = await service.manage.create("/api/v2/clients", body);
  expect(client).toMatchObject({ token_exchange: body.token_exchange });
  const path = `/api/v2/clients/${stringMember(client, "client_id")}`;
  for (const invalid of [{ may_act: "true" }, { may_act: null }, { may_act: true, more: 1 }]) {
    expectError(
      await service.manage("POST", "/api/v2/clients", { name: "Bad", token_exchange: invalid }),
      400,
      "invalid_request",
      "token_exchange",
    );
    expectError(await service.manage("PATCH", path, { token_exchange: invalid }), 400, "invalid_request", "token_exchange");
  }
  expect(jsonBody(await service.manage("PATCH", path, { token_exchange: { may_act: false } }))).toMatchObject({
    token_exchange: { may_act: false },
  });
  expect(jsonBody(await service.manage("PATCH", path, { token_exchange: null }))).not.toHaveProperty("token_exchange");
});
