import { beforeEach, describe, expect, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import type { DataAdapter } from "@postern/core/adapter";
import { list, object, text, type Json } from "../support/api.ts";
import {
  authorize,
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
  signIn,
  step,
  submit,
  readResult,
  tokens,
  type Account,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy, type OrganizationManager } from "../support/organizations.ts";

let service: LoginService;
let organizations: OrganizationManager;
let app: App;
let acme: string;
let roleId: string;
/** Called before each write of a membership. */
let beforeMembership: () => void;

beforeEach(async () => {
  beforeMembership = () => {};
  service = await openService({ data: watched(createMemoryAdapter({ strict: true })) });
  organizations = organizationsBy(service.manage);
  app = await service.register({ organization_usage: "allow" });
  acme = await organizations.create("acme", { display_name: "Acme Inc." });
  roleId = text(await service.manage.create("/api/v2/roles", { name: "Editor" }), "id");
});

function watched(data: DataAdapter): DataAdapter {
  const members = data.collections.organization_members;
  const insert: typeof members.insert = async (rows) => {
    beforeMembership();
    return members.insert(rows);
  };
  return { ...data, collections: { ...data.collections, organization_members: { ...members, insert } } };
}

const invite = (account: Pick<Account, "email">, more: object = {}): Promise<Json> =>
  service.manage.create(`/api/v2/organizations/${acme}/invitations`, {
    inviter: { name: "Ann" },
    invitee: { email: account.email },
    client_id: app.clientId,
    roles: [roleId],
    ...more,
  });
const withTicket = (invitation: Json): { readonly invitation: string; readonly organization: string } => ({
  invitation: text(invitation, "ticket_id"),
  organization: acme,
});
const acceptances = async (): Promise<readonly Json[]> =>
  list(await service.manage("GET", "/api/v2/logs?per_page=100")).filter(({ type }) => type === "si");

describe("who has an account", () => {
  test("signs in and is a member, with the roles of the invitation, and of its metadata what they do not have", async () => {
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
    const { app_metadata: given, user_metadata: own } = object(await service.manage("GET", user));
    expect([given, own]).toEqual([
      { kept: 1, plan: "free", flags: { a: 1 }, seats: 3 },
      { theme: "light", font: "big" },
    ]);
    expect(await acceptances()).toMatchObject([{ user_id: userId, organization_id: acme }]);
  });

  test("is asked first where they were signed in already, and never joins silently", async () => {
    const browser = service.browser();
    await obtainTokens(service, app, service.ada, {}, browser);
    const invitation = await invite(service.ada);
    expect(errorParameters(await authorize(browser, app, { ...withTicket(invitation), prompt: "none" }))).toMatchObject({
      error: "interaction_required",
    });
    const state = loginState(await authorize(browser, app, withTicket(invitation)));
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

  test("finds the address of the invitation filled in", async () => {
    const browser = service.browser();
    const state = loginState(await authorize(browser, app, withTicket(await invite(service.ada))));
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "identifier", identifier: service.ada.email } });
  });

  test("may follow the link again, and is no member by it once they were removed", async () => {
    const asked = withTicket(await invite(service.ada));
    const browser = service.browser();
    await obtainTokens(service, app, service.ada, asked, browser);
    expect(claimsOf((await obtainTokens(service, app, service.ada, asked, browser)).id)).toMatchObject({ org_id: acme });
    await organizations.removeMember(acme, service.ada);
    expect(errorParameters(await authorize(browser, app, asked))).toMatchObject({ error: "access_denied" });
    expect(await organizations.members(acme)).toEqual([]);
    expect(await acceptances()).toHaveLength(1);
  });

  test("joins by a client that takes no organizations otherwise", async () => {
    const { spa } = service;
    const invitation = await invite(service.ada, { client_id: spa.clientId });
    expect(claimsOf((await obtainTokens(service, spa, service.ada, withTicket(invitation))).id)).toMatchObject({ org_id: acme });
  });
});

describe("who is somebody else", () => {
  test("is told so, and can go on as the one who is invited", async () => {
    const browser = service.browser();
    await obtainTokens(service, app, service.bob, {}, browser);
    const state = loginState(await authorize(browser, app, withTicket(await invite(service.ada))));
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "invitation", account: service.bob.email, invited: false } });
    const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(page).toContain("This invitation is for");
    expect(page).not.toContain("accept-invitation");
    expect(screenName(await step(browser, state, { action: "accept-invitation" }))).toBe("invitation");
    expect(await organizations.members(acme)).toEqual([]);

    expect(screenName(await step(browser, state, { action: "other-account" }))).toBe("identifier");
    await step(browser, state, { action: "continue", identifier: service.ada.email });
    expect(await step(browser, state, { action: "sign-in", password: service.ada.password })).toMatchObject({ screen: { invited: true } });
    const { code = "" } = successParameters(redirectOf(await step(browser, state, { action: "accept-invitation" })));
    expect(claimsOf(tokens(await service.exchange(codeGrant(app, code))).id)).toMatchObject({ sub: service.ada.userId, org_id: acme });
    expect(await organizations.members(acme)).toMatchObject([{ user_id: service.ada.userId }]);
  });

  test("does not join by signing in as themselves", async () => {
    const browser = service.browser();
    const state = loginState(await authorize(browser, app, withTicket(await invite(service.ada))));
    await step(browser, state, { action: "continue", identifier: service.bob.email });
    expect(await step(browser, state, { action: "sign-in", password: service.bob.password })).toMatchObject({ screen: { invited: false } });
    expect(await organizations.members(acme)).toEqual([]);
  });
});

describe("an invitation that is not to be had", () => {
  test("because it has expired, is refused before anybody signs in, and in the middle of it", async () => {
    const asked = withTicket(await invite(service.ada, { ttl_sec: 60 }));
    const browser = service.browser();
    const given = await authorize(browser, app, asked);
    service.clock.advance("60s");
    expect(errorParameters(await authorize(service.browser(), app, asked))).toMatchObject({ error: "access_denied" });
    expect(errorParameters(await signIn(browser, given, service.ada))).toMatchObject({ error: "access_denied" });
    expect(await organizations.members(acme)).toEqual([]);
  });

  test("because it was withdrawn meanwhile, gives nothing", async () => {
    const invitation = await invite(service.ada);
    const browser = service.browser();
    const given = await authorize(browser, app, withTicket(invitation));
    await service.manage("DELETE", `/api/v2/organizations/${acme}/invitations/${text(invitation, "id")}`);
    expect(errorParameters(await signIn(browser, given, service.ada))).toMatchObject({ error: "access_denied" });
    expect(await organizations.members(acme)).toEqual([]);
  });

  test("because it is unknown, another client's or another organization's, is refused", async () => {
    const asked = withTicket(await invite(service.ada));
    const beta = await organizations.create("beta");
    const elsewhere = await service.register({ organization_usage: "allow" });
    for (const [client, parameters] of [
      [app, { ...asked, invitation: "x".repeat(32) }],
      [app, { ...asked, organization: beta }],
      [elsewhere, asked],
    ] as const) {
      expect(errorParameters(await authorize(service.browser(), client, parameters))).toMatchObject({ error: "invalid_request" });
    }
  });
});

describe("races and crashes", () => {
  test("of 32 parallel acceptances one wins, and everything is given once", async () => {
    const invitation = await invite(service.ada, { app_metadata: { plan: "gold" } });
    const visits = await Promise.all(
      Array.from({ length: 32 }, async () => {
        const browser = service.browser();
        return { browser, given: await authorize(browser, app, withTicket(invitation)) };
      }),
    );
    for (const { browser, given } of visits) await step(browser, loginState(given), { action: "continue", identifier: service.ada.email });
    const { password } = service.ada;
    const proved = await Promise.all(visits.map(({ browser, given }) => step(browser, loginState(given), { action: "sign-in", password })));
    for (const reply of proved) expect(screenName(reply)).toBe("invitation");
    expect(await organizations.members(acme)).toEqual([]);
    const ends = await Promise.all(visits.map(({ browser, given }) => step(browser, loginState(given), { action: "accept-invitation" })));
    for (const end of ends) successParameters(redirectOf(end));
    expect(await organizations.members(acme)).toHaveLength(1);
    expect(await organizations.rolesOf(acme, service.ada)).toEqual([roleId]);
    expect(await acceptances()).toHaveLength(1);
  });

  test("of two accounts with the address one gets it, and the other nothing", async () => {
    const second = text(
      await service.manage.create("/api/v2/connections", { name: "second", strategy: "auth0", options: { passwordPolicy: "none" } }),
      "id",
    );
    const { email, password } = service.ada;
    const twin = text(await service.manage.create("/api/v2/users", { connection: "second", email, password }), "user_id");
    const asked = withTicket(await invite(service.ada));
    const visits = await Promise.all(
      Array.from({ length: 32 }, async (_, i) => {
        const browser = service.browser();
        const connection = i % 2 === 0 ? "second" : "Username-Password-Authentication";
        const state = loginState(await authorize(browser, app, { ...asked, connection }));
        await step(browser, state, { action: "continue", identifier: email });
        return { browser, state };
      }),
    );
    const proved = await Promise.all(visits.map(({ browser, state }) => step(browser, state, { action: "sign-in", password })));
    for (const reply of proved) expect(reply).toMatchObject({ screen: { name: "invitation", invited: true } });
    const ends = await Promise.all(visits.map(({ browser, state }) => step(browser, state, { action: "accept-invitation" })));
    const answers = ends.map(redirectOf).map((end) => (end.kind === "answer" ? end.parameters : {}));
    const members = await organizations.members(acme);
    expect(members).toHaveLength(1);
    const [{ user_id: winner } = {}] = members;
    expect([service.ada.userId, twin]).toContain(winner);
    expect(answers.filter((answer) => "code" in answer)).toHaveLength(16);
    for (const answer of answers) if (!("code" in answer)) expect(answer).toMatchObject({ error: "access_denied" });
    expect(await acceptances()).toHaveLength(1);
    expect(second).toMatch(/^con_/);
  });

  test("a process that is lost after it decided loses nothing: the next visit gives the rest", async () => {
    const asked = withTicket(await invite(service.ada));
    beforeMembership = () => {
      throw new Error("lost");
    };
    const browser = service.browser();
    await expect(login(browser, app, service.ada, asked)).rejects.toThrow();
    expect(await organizations.members(acme)).toEqual([]);
    beforeMembership = () => {};
    service.clock.advance("31d");
    const { id } = await obtainTokens(service, app, service.ada, asked);
    expect(claimsOf(id)).toMatchObject({ org_id: acme });
    expect(await organizations.rolesOf(acme, service.ada)).toEqual([roleId]);
  });
});

test("a role that was deleted since is not given, and the rest is", async () => {
  const asked = withTicket(await invite(service.ada));
  await service.manage("DELETE", `/api/v2/roles/${roleId}`);
  expect(claimsOf((await obtainTokens(service, app, service.ada, asked)).id)).toMatchObject({ org_id: acme });
  expect(await organizations.rolesOf(acme, service.ada)).toEqual([]);
});

test("the page of an invitation without a login address of its own leads in, and on to the app", async () => {
  const url = text(await invite(service.ada), "invitation_url");
  const browser = service.browser();
  const given = await readResult(await browser.get(url));
  expect(await organizations.members(acme)).toEqual([]);
  expect(await signIn(browser, given, service.ada)).toMatchObject({ kind: "answer", to: "https://app.example.test/", parameters: {} });
  expect(await organizations.members(acme)).toMatchObject([{ user_id: service.ada.userId }]);
  expect((await service.browser().get("/u/invitation?invitation=none")).status).toBe(400);
});
