import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, jsonBody, stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  loginState,
  obtainTokens,
  offline,
  openService,
  redirectOf,
  refreshGrant,
  errorParameters,
  screenName,
  signInAtLoginPage,
  submitStep,
  tokens,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy, type OrganizationManager } from "../support/organizations.ts";

const shop = "Username-Password-Authentication";
const silent = { prompt: "none" };

let service: LoginService;
let organizations: OrganizationManager;
let ids: { readonly shop: string; readonly staff: string };
/** A client with both connections enabled. */
let both: App;
let staffOnly: App;
let shopOnly: App;
/** An account of Ada at the other connection, with its own password. */
let adaAtWork: TestAccount;

beforeEach(async () => {
  service = await openService();
  organizations = organizationsBy(service.manage);
  const staff = stringMember(await service.manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" }), "id");
  ids = { shop: await organizations.connection(shop), staff };
  both = await offering(ids.shop, ids.staff);
  staffOnly = await offering(ids.staff);
  shopOnly = await offering(ids.shop);
  const body = { connection: "staff", email: "ada@work.example.test", password: "Another-horse-1", email_verified: true };
  adaAtWork = { ...body, userId: stringMember(await service.manage.create("/api/v2/users", body), "user_id") };
});

async function offering(...connections: readonly string[]): Promise<App> {
  const app = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token"] });
  await offer(app, ...connections);
  return app;
}

async function offer({ clientId }: App, ...connections: readonly string[]): Promise<void> {
  expect(await service.manage("PATCH", `/api/v2/clients/${clientId}/connections`, connections)).toMatchObject({ status: 200 });
  service.clock.advance("6s");
}

async function link(): Promise<void> {
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/identities`;
  expect(await service.manage("POST", path, { provider: "auth0", user_id: adaAtWork.userId })).toMatchObject({ status: 201 });
}

async function unlink(): Promise<void> {
  const id = encodeURIComponent(adaAtWork.userId);
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/identities/auth0/${id}`;
  expect(await service.manage("DELETE", path)).toMatchObject({ status: 200 });
}

/** Signs in with the staff connection, which must be named at an app that offers both. */
const atWork = { connection: "staff", ...offline };

async function hasSession(browser: Browser, app: App, requested = {}): Promise<boolean> {
  const result = await sendAuthorization(browser, app, { ...silent, ...requested });
  if (result.kind === "response" && "code" in result.parameters) return true;
  expect(errorParameters(result)).toMatchObject({ error: "login_required" });
  return false;
}

const refresh = (app: App, token: string, more = {}) => service.exchange(refreshGrant(app, token, more));
const introspect = async ({ clientId, secret = "" }: App, token: string): Promise<unknown> =>
  jsonBody(await service.call("POST", "/oauth/introspect", { body: { client_id: clientId, client_secret: secret, token } }))["active"];

describe("a session that was started with one connection", () => {
  test("does not suffice for an app that offers only another connection, or for a request that names another one", async () => {
    const browser = service.browser();
    await login(browser, shopOnly, service.ada);
    expect(await hasSession(browser, shopOnly)).toBe(true);
    expect(await hasSession(browser, both)).toBe(true);
    expect(await hasSession(browser, staffOnly)).toBe(false);
    expect(await hasSession(browser, both, { connection: "staff" })).toBe(false);
    expect(await hasSession(browser, both, { connection: shop })).toBe(true);
    // The page prompts for the identifier, and accepts only users of the staff connection.
    const state = loginState(await sendAuthorization(browser, staffOnly));
    await submitStep(browser, state, { action: "continue", identifier: adaAtWork.email });
    successParameters(redirectOf(await submitStep(browser, state, { action: "sign-in", password: adaAtWork.password })));
    expect(await hasSession(browser, staffOnly)).toBe(true);
  });

  test("does not suffice for an organization that enables only another connection, or for an invitation to that organization", async () => {
    const strong = await organizations.create("strong", { enabled_connections: [{ connection_id: ids.staff }] });
    await organizations.addMembers(strong, service.ada);
    const browser = service.browser();
    await login(browser, both, service.ada);
    expect(await hasSession(browser, both)).toBe(true);
    expect(await hasSession(browser, both, { organization: strong })).toBe(false);

    const other = await organizations.create("stronger", { enabled_connections: [{ connection_id: ids.staff }] });
    const invitation = { inviter: { name: "Ed" }, invitee: { email: service.ada.email }, client_id: both.clientId };
    const made = jsonBody(await service.manage("POST", `/api/v2/organizations/${other}/invitations`, invitation), 201);
    const ticket = new URL(stringMember(made, "invitation_url")).searchParams.get("invitation") ?? "";
    const state = loginState(await sendAuthorization(browser, both, { invitation: ticket, organization: other }));
    await submitStep(browser, state, { action: "accept-invitation" });
    expect(await organizations.members(other)).toEqual([]);
  });

  test("does not suffice after the connection was deleted", async () => {
    const browser = service.browser();
    const issued = await obtainTokens(service, both, adaAtWork, atWork, browser);
    await link();
    expect(await hasSession(browser, both)).toBe(false);
    const repeated = await obtainTokens(service, both, adaAtWork, atWork, browser);
    expect(claimsOf(repeated.access).sub).toBe(service.ada.userId);
    expect(await service.manage("DELETE", `/api/v2/connections/${ids.staff}`)).toMatchObject({ status: 204 });
    service.clock.advance("6s");
    for (const { refresh: token, access } of [issued, repeated]) {
      expectError(await refresh(both, token), 400, "invalid_grant");
      expectError(await service.userinfo(access), 401, "invalid_token");
    }
    expect(await hasSession(browser, both)).toBe(false);
  });
});

test("disabling a connection for an app makes sessions from that connection invalid at the app, for silent requests, refresh tokens and codes", async () => {
  const browser = service.browser();
  const issued = await obtainTokens(service, both, service.ada, { connection: shop, ...offline }, browser);
  const { code = "" } = successParameters(await sendAuthorization(browser, both, silent));
  expect(await introspect(both, issued.refresh)).toBe(true);
  await offer(both, ids.staff);

  expect(await hasSession(browser, both)).toBe(false);
  expect(await hasSession(browser, shopOnly), "another app offers it still").toBe(true);
  expectError(await refresh(both, issued.refresh), 400, "invalid_grant");
  expectError(await service.exchange(codeGrant(both, code)), 400, "invalid_grant");
  expect(await introspect(both, issued.refresh)).toBe(false);
  await offer(both, ids.shop, ids.staff);
  tokens(await refresh(both, issued.refresh));
});

test("disabling a connection for an organization makes sessions from that connection invalid for that organization only", async () => {
  const acme = await organizations.create("acme", {
    enabled_connections: [{ connection_id: ids.shop }, { connection_id: ids.staff }],
  });
  await organizations.addMembers(acme, service.ada);
  const browser = service.browser();
  const member = await obtainTokens(service, both, service.ada, { connection: shop, organization: acme, ...offline }, browser);
  const { code = "" } = successParameters(await sendAuthorization(browser, both, { ...silent, organization: acme }));
  const plain = await obtainTokens(service, both, service.ada, offline, browser);
  expect(claimsOf(tokens(await refresh(both, plain.refresh, { organization: acme })).access)["org_id"]).toBe(acme);

  expect(await service.manage("DELETE", `/api/v2/organizations/${acme}/enabled_connections/${ids.shop}`)).toMatchObject({ status: 204 });
  service.clock.advance("6s");
  expect(await hasSession(browser, both, { organization: acme })).toBe(false);
  expectError(await refresh(both, member.refresh), 400, "invalid_grant");
  expectError(await service.exchange(codeGrant(both, code)), 400, "invalid_grant");
  expect((await refresh(both, plain.refresh, { organization: acme })).body).toMatchObject({ error: "access_denied" });
  expect(await introspect(both, member.refresh)).toBe(false);
  tokens(await refresh(both, plain.refresh));
  expect(await hasSession(browser, both)).toBe(true);
});

test("unlinking an account invalidates the user's sessions that were started with that account, and no others", async () => {
  await link();
  const linked = service.browser();
  const byLinked = await obtainTokens(service, both, adaAtWork, atWork, linked);
  const { code = "" } = successParameters(await sendAuthorization(linked, both, silent));
  const own = service.browser();
  const byOwn = await obtainTokens(service, both, service.ada, { connection: shop, ...offline }, own);
  expect(claimsOf(byLinked.access).sub).toBe(service.ada.userId);
  await unlink();

  expect(await hasSession(linked, both)).toBe(false);
  expectError(await refresh(both, byLinked.refresh), 400, "invalid_grant");
  expectError(await service.exchange(codeGrant(both, code)), 400, "invalid_grant");
  expectError(await service.userinfo(byLinked.access), 401, "invalid_token");
  expect(list(await service.manage("GET", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/sessions`), "sessions")).toHaveLength(1);

  expect(await hasSession(own, both)).toBe(true);
  tokens(await refresh(both, byOwn.refresh));
  // Linking it again does not restore the session.
  await link();
  expect(await hasSession(linked, both)).toBe(false);
  expect(claimsOf((await obtainTokens(service, both, adaAtWork, atWork, linked)).access).sub).toBe(service.ada.userId);
});

test("signing in with another connection starts another session, and apps keep the tokens of the first one", async () => {
  await link();
  const browser = service.browser();
  const first = await obtainTokens(service, both, service.ada, { connection: shop, ...offline }, browser);
  const result = await sendAuthorization(browser, staffOnly, offline);
  const { code = "" } = successParameters(await signInAtLoginPage(browser, result, adaAtWork));
  const second = tokens(await service.exchange(codeGrant(staffOnly, code)));
  expect(claimsOf(second.access).sub).toBe(service.ada.userId);
  expect(claimsOf(second.id)["sid"]).not.toBe(claimsOf(first.id)["sid"]);
  // Signing in the same way again continues the same session.
  const repeated = await obtainTokens(service, staffOnly, adaAtWork, { prompt: "login" }, browser);
  expect(claimsOf(repeated.id)["sid"]).toBe(claimsOf(second.id)["sid"]);

  await offer(both, ids.shop);
  tokens(await refresh(both, first.refresh));
  expect(await hasSession(browser, both)).toBe(false);
});

test("a session that was started with an account before it was linked is invalid, even if linking crashed before the session was revoked", async () => {
  const browser = service.browser();
  const issued = await obtainTokens(service, both, adaAtWork, atWork, browser);
  const where = { tenant_id: "main", user_id: adaAtWork.userId };
  await service.data.collections.users.update(where, { set: { linked_to: service.ada.userId } });
  expect(await hasSession(browser, both)).toBe(false);
  expectError(await refresh(both, issued.refresh), 400, "invalid_grant");
  expectError(await service.userinfo(issued.access), 401, "invalid_token");
});

test("an open page prompts for sign-in again if another tab signed in with another connection", async () => {
  await link();
  const browser = service.browser();
  await login(browser, shopOnly, service.ada);
  const state = loginState(await sendAuthorization(browser, shopOnly, { prompt: "login" }));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  await signInAtLoginPage(browser, await sendAuthorization(browser, staffOnly), adaAtWork);
  expect(screenName(await submitStep(browser, state, { action: "continue", identifier: service.ada.email }))).toBe("password");
  successParameters(redirectOf(await submitStep(browser, state, { action: "sign-in", password: service.ada.password })));
});

test("a user whose only organization requires another connection signs in with that, and continues as its member", async () => {
  await link();
  const settings = { organization_usage: "require", organization_require_behavior: "post_login_prompt" };
  expect(await service.manage("PATCH", `/api/v2/clients/${both.clientId}`, settings)).toMatchObject({ status: 200 });
  const acme = await organizations.create("acme", { enabled_connections: [{ connection_id: ids.staff }] });
  await organizations.addMembers(acme, service.ada);
  service.clock.advance("6s");
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, both));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
  const { code = "" } = successParameters(
    redirectOf(await submitStep(browser, state, { action: "sign-in", identifier: adaAtWork.email, password: adaAtWork.password })),
  );
  expect(claimsOf(tokens(await service.exchange(codeGrant(both, code))).id)).toMatchObject({ sub: service.ada.userId, org_id: acme });
});
