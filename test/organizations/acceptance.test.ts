import { beforeEach, describe, expect, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import type { DataAdapter } from "@postern/core/adapter";
import { list, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  loginState,
  getFlow,
  obtainTokens,
  openService,
  redirectOf,
  errorParameters,
  screenName,
  signInAtLoginPage,
  submitStep,
  submit,
  readResult,
  tokens,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy, type OrganizationManager } from "../support/organizations.ts";

let service: LoginService;
let organizations: OrganizationManager;
let app: App;
let acme: string;
let roleId: string;
/** The service calls this function before each write of a membership. */
let beforeMembership: () => void;

beforeEach(async () => {
  beforeMembership = () => {};
  service = await openService({ data: watched(createMemoryAdapter({ strict: true })) });
  organizations = organizationsBy(service.manage);
  app = await service.register({ organization_usage: "allow" });
  acme = await organizations.create("acme", { display_name: "Acme Inc." });
  roleId = stringMember(await service.manage.create("/api/v2/roles", { name: "Editor" }), "id");
});

function watched(data: DataAdapter): DataAdapter {
  const members = data.collections.organization_members;
  const insert: typeof members.insert = async (rows) => {
    beforeMembership();
    return members.insert(rows);
  };
  return { ...data, collections: { ...data.collections, organization_members: { ...members, insert } } };
}

const invite = (account: Pick<TestAccount, "email">, more: object = {}): Promise<JsonBody> =>
  service.manage.create(`/api/v2/organizations/${acme}/invitations`, {
    inviter: { name: "Ann" },
    invitee: { email: account.email },
    client_id: app.clientId,
    roles: [roleId],
    ...more,
  });
const withTicket = (invitation: JsonBody): { readonly invitation: string; readonly organization: string } => ({
  invitation: stringMember(invitation, "ticket_id"),
  organization: acme,
});
const acceptances = async (): Promise<readonly JsonBody[]> =>
  list(await service.manage("GET", "/api/v2/logs?per_page=100")).filter(({ type }) => type === "si");

describe("an invited user with an account", () => {
  test("becomes a member by signing in, with the roles of the invitation and the metadata that they do not have yet", async () => {
    const { userId } = service.ada;
    const user = `/api/v2/users/${encodeURIComponent(userId)}`;
    await service.manage("PATCH", user, { app_metadata: { kept: 1, plan: "free", flags: { a: 1 } }, user_metadata: { theme: "light" } });
    const invitation = await invite(service.ada, {
      app_metadata: { plan: "gold", kept: null, flags: { b: 2 }, seats: 3, nothing: null },
      user_metadata: { theme: "dark", font: "big" },
    });
    const { id } = await obtainTokens(service, app, service.ada, withTicket(invitation));
    expect(claimsOf(id)).toMatchObject({ sub: userId, org_id: acme });
    expect(await organizations.members(acme)).toMatchObject([{ user_id: userId }]);
    expect(await organizations.rolesOf(acme, service.ada)).toEqual([roleId]);
    expect((await service.manage("GET", `${user}/roles`)).body).toEqual([]);
    const { app_metadata: result, user_metadata: own } = jsonBody(await service.manage("GET", user));
    expect([result, own]).toEqual([
      { kept: 1, plan: "free", flags: { a: 1 }, seats: 3 },
      { theme: "light", font: "big" },
    ]);
    expect(await acceptances()).toMatchObject([{ user_id: userId, organization_id: acme }]);
  });

  test("is prompted to accept if they already have a session, and never joins silently", async () => {
    const browser = service.browser();
    await obtainTokens(service, app, service.ada, {}, browser);
    const invitation = await invite(service.ada);
    expect(errorParameters(await sendAuthorization(browser, app, { ...withTicket(invitation), prompt: "none" }))).toMatchObject({
      error: "interaction_required",
    });
    const state = loginState(await sendAuthorization(browser, app, withTicket(invitation)));
    expect(await getFlow(browser, state)).toMatchObject({
      screen: {
        name: "invitation",
        organization: { name: "Acme Inc." },
        inviter: "Ann",
        email: service.ada.email,
        account: service.ada.email,
        invited: true,
      },
    });
    const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(page).toContain("Join Acme Inc.?");
    expect(await organizations.members(acme)).toEqual([]);
    successParameters(await submit(browser, state, { action: "accept-invitation" }));
    expect(await organizations.members(acme)).toMatchObject([{ user_id: service.ada.userId }]);
  });

  test("sees the invited email address filled in in the form", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, app, withTicket(await invite(service.ada))));
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "identifier", identifier: service.ada.email } });
  });

  test("can open the link again, which does not restore a removed membership", async () => {
    const requested = withTicket(await invite(service.ada));
    const browser = service.browser();
    await obtainTokens(service, app, service.ada, requested, browser);
    expect(claimsOf((await obtainTokens(service, app, service.ada, requested, browser)).id)).toMatchObject({ org_id: acme });
    await organizations.removeMember(acme, service.ada);
    expect(errorParameters(await sendAuthorization(browser, app, requested))).toMatchObject({ error: "access_denied" });
    expect(await organizations.members(acme)).toEqual([]);
    expect(await acceptances()).toHaveLength(1);
  });

  test("joins through a client that does not use organizations for other logins", async () => {
    const { spa } = service;
    const invitation = await invite(service.ada, { client_id: spa.clientId });
    expect(claimsOf((await obtainTokens(service, spa, service.ada, withTicket(invitation))).id)).toMatchObject({ org_id: acme });
  });
});

describe("a user other than the invited user", () => {
  test("sees the invited email address, and can continue as the invited user", async () => {
    const browser = service.browser();
    await obtainTokens(service, app, service.bob, {}, browser);
    const state = loginState(await sendAuthorization(browser, app, withTicket(await invite(service.ada))));
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "invitation", account: service.bob.email, invited: false } });
    const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(page).toContain("This invitation is for");
    expect(page).not.toContain("accept-invitation");
    expect(screenName(await submitStep(browser, state, { action: "accept-invitation" }))).toBe("invitation");
    expect(await organizations.members(acme)).toEqual([]);

    expect(screenName(await submitStep(browser, state, { action: "other-account" }))).toBe("identifier");
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    expect(await submitStep(browser, state, { action: "sign-in", password: service.ada.password })).toMatchObject({
      screen: { invited: true },
    });
    const { code = "" } = successParameters(redirectOf(await submitStep(browser, state, { action: "accept-invitation" })));
    expect(claimsOf(tokens(await service.exchange(codeGrant(app, code))).id)).toMatchObject({ sub: service.ada.userId, org_id: acme });
    expect(await organizations.members(acme)).toMatchObject([{ user_id: service.ada.userId }]);
  });

  test("does not join by signing in as themselves", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, app, withTicket(await invite(service.ada))));
    await submitStep(browser, state, { action: "continue", identifier: service.bob.email });
    expect(await submitStep(browser, state, { action: "sign-in", password: service.bob.password })).toMatchObject({
      screen: { invited: false },
    });
    expect(await organizations.members(acme)).toEqual([]);
  });
});

describe("an invalid invitation", () => {
  test("is rejected before and during the login if it expired", async () => {
    const requested = withTicket(await invite(service.ada, { ttl_sec: 60 }));
    const browser = service.browser();
    const result = await sendAuthorization(browser, app, requested);
    service.clock.advance("60s");
    expect(errorParameters(await sendAuthorization(service.browser(), app, requested))).toMatchObject({ error: "access_denied" });
    expect(errorParameters(await signInAtLoginPage(browser, result, service.ada))).toMatchObject({ error: "access_denied" });
    expect(await organizations.members(acme)).toEqual([]);
  });

  test("adds no member if it was revoked during the login", async () => {
    const invitation = await invite(service.ada);
    const browser = service.browser();
    const result = await sendAuthorization(browser, app, withTicket(invitation));
    await service.manage("DELETE", `/api/v2/organizations/${acme}/invitations/${stringMember(invitation, "id")}`);
    expect(errorParameters(await signInAtLoginPage(browser, result, service.ada))).toMatchObject({ error: "access_denied" });
    expect(await organizations.members(acme)).toEqual([]);
  });

  test("is rejected if it is unknown, or for another client or organization", async () => {
    const requested = withTicket(await invite(service.ada));
    const beta = await organizations.create("beta");
    const elsewhere = await service.register({ organization_usage: "allow" });
    for (const [client, parameters] of [
      [app, { ...requested, invitation: "x".repeat(32) }],
      [app, { ...requested, organization: beta }],
      [elsewhere, requested],
    ] as const) {
      expect(errorParameters(await sendAuthorization(service.browser(), client, parameters))).toMatchObject({ error: "invalid_request" });
    }
  });
});

describe("races and crashes", () => {
  test("accepts an invitation once for 32 parallel acceptances, and assigns each role once", async () => {
    const invitation = await invite(service.ada, { app_metadata: { plan: "gold" } });
    const loginSessions = await Promise.all(
      Array.from({ length: 32 }, async () => {
        const browser = service.browser();
        return { browser, given: await sendAuthorization(browser, app, withTicket(invitation)) };
      }),
    );
    for (const { browser, given: result } of loginSessions)
      await submitStep(browser, loginState(result), { action: "continue", identifier: service.ada.email });
    const { password } = service.ada;
    const verified = await Promise.all(
      loginSessions.map(({ browser, given: result }) => submitStep(browser, loginState(result), { action: "sign-in", password })),
    );
    for (const reply of verified) expect(screenName(reply)).toBe("invitation");
    expect(await organizations.members(acme)).toEqual([]);
    const results = await Promise.all(
      loginSessions.map(({ browser, given: result }) => submitStep(browser, loginState(result), { action: "accept-invitation" })),
    );
    for (const end of results) successParameters(redirectOf(end));
    expect(await organizations.members(acme)).toHaveLength(1);
    expect(await organizations.rolesOf(acme, service.ada)).toEqual([roleId]);
    expect(await acceptances()).toHaveLength(1);
  });

  test("adds one of two accounts with the invited email address, and not the other", async () => {
    const second = stringMember(
      await service.manage.create("/api/v2/connections", { name: "second", strategy: "auth0", options: { passwordPolicy: "none" } }),
      "id",
    );
    const { email, password } = service.ada;
    const duplicate = stringMember(await service.manage.create("/api/v2/users", { connection: "second", email, password }), "user_id");
    const requested = withTicket(await invite(service.ada));
    const loginSessions = await Promise.all(
      Array.from({ length: 32 }, async (_, i) => {
        const browser = service.browser();
        const connection = i % 2 === 0 ? "second" : "Username-Password-Authentication";
        const state = loginState(await sendAuthorization(browser, app, { ...requested, connection }));
        await submitStep(browser, state, { action: "continue", identifier: email });
        return { browser, state };
      }),
    );
    const verified = await Promise.all(
      loginSessions.map(({ browser, state }) => submitStep(browser, state, { action: "sign-in", password })),
    );
    for (const reply of verified) expect(reply).toMatchObject({ screen: { name: "invitation", invited: true } });
    const results = await Promise.all(
      loginSessions.map(({ browser, state }) => submitStep(browser, state, { action: "accept-invitation" })),
    );
    const responses = results.map(redirectOf).map((end) => (end.kind === "response" ? end.parameters : {}));
    const members = await organizations.members(acme);
    expect(members).toHaveLength(1);
    const [{ user_id: winner } = {}] = members;
    expect([service.ada.userId, duplicate]).toContain(winner);
    expect(responses.filter((response) => "code" in response)).toHaveLength(16);
    for (const response of responses) if (!("code" in response)) expect(response).toMatchObject({ error: "access_denied" });
    expect(await acceptances()).toHaveLength(1);
    expect(second).toMatch(/^con_/);
  });

  test("completes an acceptance at the next login after a crash", async () => {
    const requested = withTicket(await invite(service.ada));
    beforeMembership = () => {
      throw new Error("lost");
    };
    const browser = service.browser();
    await expect(login(browser, app, service.ada, requested)).rejects.toThrow();
    expect(await organizations.members(acme)).toEqual([]);
    beforeMembership = () => {};
    service.clock.advance("31d");
    const { id } = await obtainTokens(service, app, service.ada, requested);
    expect(claimsOf(id)).toMatchObject({ org_id: acme });
    expect(await organizations.rolesOf(acme, service.ada)).toEqual([roleId]);
  });
});

test("assigns everything else if a role was deleted since", async () => {
  const requested = withTicket(await invite(service.ada));
  await service.manage("DELETE", `/api/v2/roles/${roleId}`);
  expect(claimsOf((await obtainTokens(service, app, service.ada, requested)).id)).toMatchObject({ org_id: acme });
  expect(await organizations.rolesOf(acme, service.ada)).toEqual([]);
});

test("the page of an invitation without initiate_login_uri starts the login and redirects to the app", async () => {
  const url = stringMember(await invite(service.ada), "invitation_url");
  const browser = service.browser();
  const result = await readResult(await browser.get(url));
  expect(await organizations.members(acme)).toEqual([]);
  expect(await signInAtLoginPage(browser, result, service.ada)).toMatchObject({
    kind: "response",
    to: "https://app.example.test/",
    parameters: {},
  });
  expect(await organizations.members(acme)).toMatchObject([{ user_id: service.ada.userId }]);
  expect((await service.browser().get("/u/invitation?invitation=none")).status).toBe(400);
});
