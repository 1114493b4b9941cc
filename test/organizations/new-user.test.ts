import { beforeAll, beforeEach, expect, test } from "vitest";
import { auditEvents, list, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { organizationsBy, type OrganizationManager } from "../support/organizations.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  getFlow,
  obtainTokens,
  openService,
  redirectOf,
  screenName,
  sendStep,
  submitStep,
  submit,
  tokens,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { rowsContaining } from "../support/rows-containing.ts";

let service: LoginService;
let organizations: OrganizationManager;
let app: App;
let acme: string;
let roleId: string;
let email: string;
let serial = 0;

const password = "correct horse battery";

beforeAll(async () => {
  service = await openService();
  organizations = organizationsBy(service.manage);
  app = await service.register({ organization_usage: "allow" });
  acme = await organizations.create("acme", { display_name: "Acme Inc." });
  roleId = stringMember(await service.manage.create("/api/v2/roles", { name: "Editor" }), "id");
});
beforeEach(() => {
  email = `new-${serial++}@example.test`;
});

const invite = async (more: object = {}): Promise<{ readonly invitation: string; readonly organization: string }> => {
  const body = { inviter: { name: "Ann" }, invitee: { email }, client_id: app.clientId, roles: [roleId], ...more };
  return {
    invitation: stringMember(await service.manage.create(`/api/v2/organizations/${acme}/invitations`, body), "ticket_id"),
    organization: acme,
  };
};
const users = async (): Promise<readonly JsonBody[]> => list(await service.manage("GET", `/api/v2/users-by-email?email=${email}`));

test("an invited user without an account sets a password, and becomes a member with everything that the invitation grants", async () => {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, app, await invite({ user_metadata: { theme: "dark" } })));
  expect(await getFlow(browser, state)).toMatchObject({
    screen: {
      name: "create-account",
      organization: { name: "Acme Inc." },
      inviter: "Ann",
      email,
      rules: [{ code: "lengthAtLeast", format: [8] }],
    },
  });
  const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
  expect(page).toContain("Create your account");
  expect(page).toContain("At least 8 characters");

  const { code } = successParameters(await submit(browser, state, { action: "create-account", password }));
  const { id } = tokens(await service.exchange(codeGrant(app, code ?? "")));
  const [user = {}] = await users();
  expect(claimsOf(id)).toMatchObject({ sub: stringMember(user, "user_id"), email, email_verified: false, org_id: acme });
  expect(user).toMatchObject({ email, email_verified: false, user_metadata: { theme: "dark" }, logins_count: 1 });
  const account: TestAccount = { email, password, userId: stringMember(user, "user_id") };
  expect(await organizations.rolesOf(acme, account)).toEqual([roleId]);
  service.clock.advance("5s");
  expect(await auditEvents(service.manage, "ss")).toMatchObject([
    { user_id: account.userId, connection: "Username-Password-Authentication" },
  ]);
});

test("a password that violates the connection's policy creates no account, and shows why", async () => {
  await service.manage.create("/api/v2/connections", {
    name: "strict",
    strategy: "auth0",
    options: { passwordPolicy: "good", password_dictionary: { enable: true }, password_no_personal_info: { enable: true } },
  });
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, app, { ...(await invite()), connection: "strict" }));
  for (const [typed, expectedText] of [
    ["", "is missing"],
    ["all-lower-case", "too weak"],
    ["Password123", "too common"],
    [`${email.split("@")[0]}-A1`, "name or email address"],
  ] as const) {
    const response = await sendStep(browser, state, { action: "create-account", password: typed });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: "invalid_request", error_description: expect.stringContaining(expectedText) },
    ]);
  }
  expect(await users()).toEqual([]);
  successParameters(await submit(browser, state, { action: "create-account", password: "Drawbridge-9" }));
  expect(await users()).toMatchObject([{ connection: "strict" }]);
});

test("the page shows which rules a rejected password does not meet until the next attempt, and never shows the password", async () => {
  await service.manage.create("/api/v2/connections", { name: "good", strategy: "auth0", options: { passwordPolicy: "good" } });
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, app, { ...(await invite()), connection: "good" }));
  const lines = async (): Promise<readonly (string | undefined)[]> => {
    const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    return [...page.matchAll(/<li(?: class="(\w+)")? data-patterns/g)].map(([, verdict]) => verdict);
  };
  for (const [typed, verdicts, drawn] of [
    ["lily", [false, false], ["lacking", "lacking"]],
    ["water lily", [true, false], ["kept", "lacking"]],
    ["", [undefined, undefined], [undefined, undefined]],
  ] as const) {
    await sendStep(browser, state, { action: "create-account", password: typed });
    const shown = JSON.stringify(await getFlow(browser, state));
    const result = verdicts.map((verified) => expect.objectContaining(verified === undefined ? {} : { verified }));
    expect(JSON.parse(shown)).toMatchObject({ screen: { rules: result } });
    expect([typed, shown.includes('"verified"'), await lines()]).toEqual([typed, verdicts[0] !== undefined, drawn]);
    if (typed !== "") expect(await rowsContaining(service.data, typed)).toEqual([]);
  }
});

test("32 tabs that submit a password in parallel create one account", async () => {
  const requested = await invite();
  const loginSessions = await Promise.all(
    Array.from({ length: 32 }, async () => {
      const browser = service.browser();
      const state = loginState(await sendAuthorization(browser, app, requested));
      await getFlow(browser, state);
      return { browser, state };
    }),
  );
  const replies = await Promise.all(
    loginSessions.map(({ browser, state }) => submitStep(browser, state, { action: "create-account", password })),
  );
  // The other tabs sent the password of the account that the first one created, so they sign in to it.
  for (const reply of replies) successParameters(redirectOf(reply));
  const made = await users();
  expect(made).toHaveLength(1);
  expect((await organizations.members(acme)).filter((member) => member["user_id"] === made[0]?.["user_id"])).toHaveLength(1);
});

test("an invited user can choose to use an existing account, and is prompted for the identifier", async () => {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, app, await invite()));
  expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "create-account" } });
  expect(await submitStep(browser, state, { action: "have-account" })).toMatchObject({ screen: { name: "identifier" } });
});

test("an invited user can create an account in a browser with another user's session", async () => {
  const browser = service.browser();
  await obtainTokens(service, app, service.bob, {}, browser);
  const state = loginState(await sendAuthorization(browser, app, await invite()));
  expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "invitation", invited: false } });
  expect(await submitStep(browser, state, { action: "other-account" })).toMatchObject({ screen: { name: "create-account", email } });
  successParameters(await submit(browser, state, { action: "create-account", password }));
  expect(await users()).toHaveLength(1);
});

test("an account cannot be created without an invitation", async () => {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, app, { login_hint: email }));
  expect(await submitStep(browser, state, { action: "create-account", password })).toMatchObject({ screen: { name: "identifier" } });
  expect(await submit(browser, state, { action: "create-account", identifier: email, password })).toMatchObject({
    kind: "page",
    html: expect.stringContaining('value="continue"'),
  });
  expect(await users()).toEqual([]);
});

test("an invitation that was revoked or expired while the page was open creates no account", async () => {
  const [revoked, late] = [await invite(), await invite({ ttl_sec: 600 })];
  for (const requested of [revoked, late]) {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, app, requested));
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "create-account" } });
    if (requested === revoked) {
      const [row = {}] = list(await service.manage("GET", `/api/v2/organizations/${acme}/invitations?sort=created_at:1`)).filter(
        (one) => one["ticket_id"] === revoked.invitation,
      );
      await service.manage("DELETE", `/api/v2/organizations/${acme}/invitations/${stringMember(row, "id")}`);
    } else service.clock.advance("11m");
    await submitStep(browser, state, { action: "create-account", password });
    expect(await users()).toEqual([]);
  }
});

test("after a crash between the writes of the account and the session, the user signs in with the chosen password", async () => {
  const requested = await invite();
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, app, requested));
  await getFlow(browser, state);
  jsonBody(await service.manage("POST", "/api/v2/users", { connection: "Username-Password-Authentication", email, password }), 201);
  expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "identifier", identifier: email } });
  await submitStep(browser, state, { action: "continue", identifier: email });
  expect(screenName(await submitStep(browser, state, { action: "sign-in", password }))).toBe("invitation");
  successParameters(await submit(browser, state, { action: "accept-invitation" }));
});
