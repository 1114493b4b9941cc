import { beforeEach, describe, expect, test } from "vitest";
import { expectError, managerOf, stringMember } from "../support/api.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  loginState,
  login,
  getFlow,
  obtainTokens,
  offline,
  openService,
  redirectOf,
  refreshGrant,
  errorParameters,
  screenName,
  sendStep,
  signInAtLoginPage,
  submitStep,
  submit,
  tokens,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy, type OrganizationManager } from "../support/organizations.ts";
import { managementAudience } from "../support/postern.ts";

const api = "https://api.example.test";

let service: LoginService;
let organizations: OrganizationManager;
let app: App;
let acme: string;

beforeEach(async () => {
  service = await openService();
  organizations = organizationsBy(service.manage);
  app = await service.register({
    organization_usage: "allow",
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:token-exchange"],
  });
  acme = await organizations.create("acme", { display_name: "Acme Inc." });
  await organizations.addMembers(acme, service.ada);
});

const inAcme = (): { readonly organization: string } => ({ organization: acme });

describe("signing in as a member", () => {
  test("adds org_id to both tokens, without the name, for an organization that is requested by id", async () => {
    const { access, id } = await obtainTokens(service, app, service.ada, inAcme());
    for (const token of [access, id]) {
      expect(claimsOf(token)).toMatchObject({ org_id: acme });
      expect(claimsOf(token)).not.toHaveProperty("org_name");
    }
  });

  test.each(["acme", "ACME"])(
    "adds org_id and the stored spelling of the name to both tokens for an organization that is requested by the name %s",
    async (organization) => {
      const { access, id } = await obtainTokens(service, app, service.ada, { organization });
      for (const token of [access, id]) expect(claimsOf(token)).toMatchObject({ org_id: acme, org_name: "acme" });
    },
  );

  test("adds the name to every token if the tenant enables it", async () => {
    await service.manage("PATCH", "/api/v2/tenants/settings", { allow_organization_name_in_authentication_api: true });
    service.clock.advance("6s");
    const { id, refresh } = await obtainTokens(service, app, service.ada, { ...inAcme(), ...offline });
    expect(claimsOf(id)).toMatchObject({ org_name: "acme" });
    expect(claimsOf(tokens(await service.exchange(refreshGrant(app, refresh))).id)).toMatchObject({ org_id: acme, org_name: "acme" });
  });

  test("adds org_id to an ID token from the authorization endpoint", async () => {
    const implicit = await service.register({ organization_usage: "allow", grant_types: ["implicit"] });
    const { id_token: idToken = "" } = await login(service.browser(), implicit, service.ada, { ...inAcme(), response_type: "id_token" });
    expect(claimsOf(idToken)).toMatchObject({ org_id: acme });
  });

  test("applies the organization to one request: in other tabs, the same session has no organization or another one", async () => {
    const beta = await organizations.create("beta");
    await organizations.addMembers(beta, service.ada);
    const browser = service.browser();
    for (const [requested, orgId] of [
      [inAcme(), acme],
      [{}, undefined],
      [{ organization: beta }, beta],
    ] as const) {
      expect(claimsOf((await obtainTokens(service, app, service.ada, requested, browser)).id)["org_id"]).toBe(orgId);
    }
  });

  test("rejects a user who is not a member, also silently", async () => {
    const browser = service.browser();
    expect(errorParameters(await signInAtLoginPage(browser, await sendAuthorization(browser, app, inAcme()), service.bob))).toMatchObject({
      error: "access_denied",
      state: "st-1",
    });
    expect(errorParameters(await sendAuthorization(browser, app, inAcme()))).toMatchObject({ error: "access_denied" });
    expect(errorParameters(await sendAuthorization(browser, app, { ...inAcme(), prompt: "none" }))).toMatchObject({
      error: "access_denied",
    });
  });

  test("rejects an unknown organization, and one of another tenant, before the login", async () => {
    const foreign = stringMember(await (await managerOf(service, "other")).create("/api/v2/organizations", { name: "foreign" }), "id");
    for (const organization of ["org_none", "unknown", foreign, "foreign", "x".repeat(300)]) {
      expect(errorParameters(await sendAuthorization(service.browser(), app, { organization }))).toMatchObject({
        error: "invalid_request",
      });
    }
  });

  test("rejects a code if the user's membership was removed after it was issued", async () => {
    const { code = "" } = await login(service.browser(), app, service.ada, { ...inAcme(), ...offline });
    await organizations.removeMember(acme, service.ada);
    expectError(await service.exchange(codeGrant(app, code)), 400, "invalid_grant");
    await organizations.addMembers(acme, service.ada);
    expectError(await service.exchange(codeGrant(app, code)), 400, "invalid_grant");
  });
});

describe("organization settings of a client", () => {
  test("`organization_usage: deny` rejects organizations until it is changed", async () => {
    const closed = await service.register({ organization_usage: "deny" });
    expect(errorParameters(await sendAuthorization(service.browser(), closed, inAcme()))).toMatchObject({ error: "invalid_request" });
    await service.manage("PATCH", `/api/v2/clients/${closed.clientId}`, { organization_usage: null });
    expect(claimsOf((await obtainTokens(service, closed, service.ada, inAcme())).id)).toMatchObject({ org_id: acme });
  });

  test("an unset `organization_usage` allows an organization at login and refresh, and requires none", async () => {
    const { clientId } = service.spa;
    expect(await service.manage("GET", `/api/v2/clients/${clientId}`)).not.toHaveProperty("body.organization_usage");
    expect(claimsOf((await obtainTokens(service, service.spa, service.ada, inAcme())).id)).toMatchObject({ org_id: acme });
    const { refresh, access } = await obtainTokens(service, service.spa, service.ada, offline);
    expect(claimsOf(access)).not.toHaveProperty("org_id");
    const switched = tokens(await service.exchange({ ...refreshGrant(service.spa, refresh), organization: "acme" }));
    expect(claimsOf(switched.access)).toMatchObject({ org_id: acme });
  });

  test("`organization_usage: require` without an organization prompt rejects requests without an organization", async () => {
    const strict = await service.register({ organization_usage: "require" });
    expect(errorParameters(await sendAuthorization(service.browser(), strict))).toMatchObject({ error: "invalid_request" });
    expect(claimsOf((await obtainTokens(service, strict, service.ada, inAcme())).id)).toMatchObject({ org_id: acme });
  });

  test("`organization_usage: require` rejects the password grant without an organization", async () => {
    const strict = await service.register({ organization_usage: "require", grant_types: ["password"] });
    const body = { grant_type: "password", client_id: strict.clientId, username: service.ada.email, password: service.ada.password };
    expectError(await service.exchange(body), 400, "invalid_request", "organization");
  });
});

describe("the organization picker", () => {
  let picking: App;
  let beta: string;

  beforeEach(async () => {
    picking = await service.register({
      organization_usage: "require",
      organization_require_behavior: "post_login_prompt",
      grant_types: ["authorization_code", "refresh_token"],
    });
    beta = await organizations.create("beta");
  });

  test("offers the user's organizations, and accepts no other organization", async () => {
    await organizations.addMembers(beta, service.ada);
    const foreign = await organizations.create("gamma");
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, picking));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    const requested = await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
    expect(requested).toMatchObject({
      screen: {
        name: "select-organization",
        account: service.ada.email,
        organizations: [
          { id: acme, name: "Acme Inc." },
          { id: beta, name: "beta" },
        ],
      },
    });
    for (const organization of [foreign, "org_none", ""]) {
      expect(screenName(await submitStep(browser, state, { action: "select-organization", organization }))).toBe("select-organization");
    }
    const { code = "" } = successParameters(
      redirectOf(await submitStep(browser, state, { action: "select-organization", organization: beta })),
    );
    expect(claimsOf(tokens(await service.exchange(codeGrant(picking, code))).id)).toMatchObject({ org_id: beta });
  });

  test("distinguishes organizations with one display name by their unique names", async () => {
    await organizations.addMembers(beta, service.ada);
    const duplicate = await organizations.create("acme-europe", { display_name: "Acme Inc." });
    await organizations.addMembers(duplicate, service.ada);
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, picking));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    expect(await submitStep(browser, state, { action: "sign-in", password: service.ada.password })).toMatchObject({
      screen: {
        organizations: [
          { id: acme, name: "Acme Inc.", uniqueName: "acme" },
          { id: duplicate, name: "Acme Inc.", uniqueName: "acme-europe" },
          { id: beta, name: "beta" },
        ],
      },
    });
    const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(page.match(/<bdi class="row-detail clamped">([^<]*)/g)).toHaveLength(2);
    expect(page).toContain('<bdi class="row-detail clamped">acme-europe</bdi>');
  });

  test("works without scripts, and lets another user sign in", async () => {
    await organizations.addMembers(beta, service.ada);
    const browser = service.browser();
    await obtainTokens(service, app, service.ada, {}, browser);
    const state = loginState(await sendAuthorization(browser, picking));
    const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(page).toContain("Choose an organization");
    expect(page).toContain(`value="${acme}"`);
    expect(page).toContain('value="other-account"');
    const { code = "" } = successParameters(await submit(browser, state, { action: "select-organization", organization: acme }));
    expect(claimsOf(tokens(await service.exchange(codeGrant(picking, code))).id)).toMatchObject({ org_id: acme });
    expect(await submit(browser, loginState(await sendAuthorization(browser, picking)), { action: "other-account" })).toMatchObject({
      kind: "page",
      html: expect.stringContaining('value="continue"'),
    });
  });

  test("is skipped for a user with one organization, and rejects a user without any", async () => {
    expect(claimsOf((await obtainTokens(service, picking, service.ada)).id)).toMatchObject({ org_id: acme });
    const browser = service.browser();
    expect(errorParameters(await signInAtLoginPage(browser, await sendAuthorization(browser, picking), service.bob))).toMatchObject({
      error: "access_denied",
    });
  });

  test("responds with interaction_required to prompt=none", async () => {
    await organizations.addMembers(beta, service.ada);
    const browser = service.browser();
    await obtainTokens(service, app, service.ada, {}, browser);
    expect(errorParameters(await sendAuthorization(browser, picking, { prompt: "none" }))).toMatchObject({ error: "interaction_required" });
  });
});

describe("connections of an organization", () => {
  test("are the only connections with which its members can sign in", async () => {
    const second = stringMember(await service.manage.create("/api/v2/connections", { name: "second", strategy: "auth0" }), "id");
    const browser = service.browser();
    await obtainTokens(service, app, service.ada, inAcme(), browser);
    await service.manage.create(`/api/v2/organizations/${acme}/enabled_connections`, { connection_id: second });

    const state = loginState(await sendAuthorization(browser, app, inAcme()));
    expect(screenName(await getFlow(browser, state))).toBe("identifier");
    expect(errorParameters(await sendAuthorization(browser, app, { ...inAcme(), prompt: "none" }))).toMatchObject({
      error: "login_required",
    });
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    const tried = await sendStep(browser, state, { action: "sign-in", password: service.ada.password });
    expect(await tried.json()).toMatchObject({ error: "INVALID_CREDENTIALS" });
  });

  test("can add every user who signs in with them as a member", async () => {
    const connectionId = await organizations.connection("Username-Password-Authentication");
    const body = { connection_id: connectionId, assign_membership_on_login: true };
    await service.manage.create(`/api/v2/organizations/${acme}/enabled_connections`, body);
    expect(claimsOf((await obtainTokens(service, app, service.bob, inAcme())).id)).toMatchObject({ org_id: acme });
    expect(await organizations.members(acme)).toHaveLength(2);
  });
});

describe("organization roles", () => {
  let reader: string;
  let writer: string;

  beforeEach(async () => {
    await organizations.createApi(api, "read:things", "write:things");
    reader = await organizations.createRole("Reader", api, "read:things");
    writer = await organizations.createRole("Writer", api, "write:things");
    await service.manage("POST", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`, { roles: [reader] });
    await organizations.assignRole(acme, service.ada, writer);
  });

  const requested = { audience: api, scope: "openid offline_access read:things write:things" };
  const permissions = (token: string): unknown => claimsOf(token)["permissions"];

  test("apply in their organization only", async () => {
    const beta = await organizations.create("beta");
    await organizations.addMembers(beta, service.ada);
    expect(claimsOf((await obtainTokens(service, app, service.ada, { ...requested, ...inAcme() })).access)["scope"]).toBe(
      "openid offline_access read:things write:things",
    );
    for (const organization of [undefined, beta]) {
      const { access } = await obtainTokens(service, app, service.ada, { ...requested, organization });
      expect(claimsOf(access)["scope"]).toBe("openid offline_access read:things");
      expect(permissions(access)).not.toContain("write:things");
    }
  });

  test("that were removed are missing from the next token", async () => {
    const { refresh } = await obtainTokens(service, app, service.ada, { ...requested, ...inAcme() });
    const path = `/api/v2/organizations/${acme}/members/${encodeURIComponent(service.ada.userId)}/roles`;
    await service.manage("DELETE", path, { roles: [writer] });
    expect(tokens(await service.exchange(refreshGrant(app, refresh))).scope).toBe("openid offline_access read:things");
  });

  test("never grant scopes for the whole tenant", async () => {
    const admin = await organizations.createRole("Admin", managementAudience, "read:users", "update:users");
    await organizations.assignRole(acme, service.ada, admin);
    const { access, scope } = await obtainTokens(service, app, service.ada, {
      audience: managementAudience,
      scope: "openid read:users update:users",
      ...inAcme(),
    });
    expect(scope).toBe("openid");
    expect((await service.call("GET", "/api/v2/users", { token: access })).status).toBe(403);
  });
});

describe("refreshing", () => {
  test("keeps the organization, and fails once the membership is removed", async () => {
    const { refresh } = await obtainTokens(service, app, service.ada, { ...offline, ...inAcme() });
    const next = tokens(await service.exchange(refreshGrant(app, refresh)));
    for (const token of [next.access, next.id]) expect(claimsOf(token)).toMatchObject({ org_id: acme });
    await organizations.removeMember(acme, service.ada);
    expectError(await service.exchange(refreshGrant(app, next.refresh)), 400, "invalid_grant", "invalid refresh token");
    await organizations.addMembers(acme, service.ada);
    expect(claimsOf(tokens(await service.exchange(refreshGrant(app, next.refresh))).id)).toMatchObject({ org_id: acme });
  });

  test("into another organization affects only the response to that request", async () => {
    const beta = await organizations.create("beta");
    await organizations.addMembers(beta, service.ada);
    const first = await obtainTokens(service, app, service.ada, { ...offline, ...inAcme() });
    const switched = tokens(await service.exchange(refreshGrant(app, first.refresh, { organization: "Beta" })));
    expect(claimsOf(switched.id)).toMatchObject({ org_id: beta, org_name: "beta" });
    expect(claimsOf(tokens(await service.exchange(refreshGrant(app, switched.refresh))).id)).toMatchObject({ org_id: acme });
  });

  test("into an organization that the user is not a member of is rejected like an unknown one, and keeps the token valid", async () => {
    const beta = await organizations.create("beta");
    const { refresh } = await obtainTokens(service, app, service.ada, { ...offline, ...inAcme() });
    for (const organization of [beta, "beta", "org_none", "x".repeat(255)]) {
      expectError(await service.exchange(refreshGrant(app, refresh, { organization })), 400, "access_denied", "not a member");
    }
    expect(claimsOf(tokens(await service.exchange(refreshGrant(app, refresh))).id)).toMatchObject({ org_id: acme });
  });

  test("fails once the organization is deleted", async () => {
    const { refresh } = await obtainTokens(service, app, service.ada, { ...offline, ...inAcme() });
    await service.manage("DELETE", `/api/v2/organizations/${acme}`);
    expectError(await service.exchange(refreshGrant(app, refresh)), 400, "invalid_grant");
  });
});

describe("token exchange", () => {
  const exchange = (token: string, more: { readonly [name: string]: string } = {}) =>
    service.exchange({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      client_id: app.clientId,
      subject_token: token,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      ...more,
    });

  test("switches the organization, or keeps it", async () => {
    const beta = await organizations.create("beta");
    await organizations.addMembers(beta, service.ada);
    const { access } = await obtainTokens(service, app, service.ada, inAcme());
    expect(claimsOf(tokens(await exchange(access)).access)).toMatchObject({ org_id: acme });
    const switched = tokens(await exchange(access, { organization: beta }));
    for (const token of [switched.access, switched.id]) expect(claimsOf(token)).toMatchObject({ org_id: beta });
  });

  test("rejects a user who is not a member of either organization", async () => {
    const beta = await organizations.create("beta");
    const { access } = await obtainTokens(service, app, service.ada, inAcme());
    expectError(await exchange(access, { organization: beta }), 400, "access_denied");
    await organizations.removeMember(acme, service.ada);
    expectError(await exchange(access), 400, "invalid_request");
  });
});

describe("a client credentials request", () => {
  const secret = "a-secret-that-is-long-enough-for-tests";
  const identifier = "https://machines.example.test";

  const tokenFor = async (grant: object, more: { readonly [name: string]: string } = {}) => {
    const machine = await service.register({ secret: true, app_type: "non_interactive", grant_types: ["client_credentials"] });
    await service.manage("POST", "/api/v2/resource-servers", { identifier, name: "Machines", scopes: [{ value: "run" }] });
    await service.manage.create("/api/v2/client-grants", { client_id: machine.clientId, audience: identifier, scope: ["run"], ...grant });
    const body = { grant_type: "client_credentials", client_id: machine.clientId, client_secret: secret, audience: identifier, ...more };
    return service.exchange(body);
  };
  const any = { organization_usage: "allow", allow_any_organization: true };

  test("gets a token for an organization if its grant allows any", async () => {
    expect(claimsOf(tokens(await tokenFor(any, { organization: acme })).access)).toMatchObject({ org_id: acme });
    expect(claimsOf(tokens(await tokenFor(any, { organization: "acme" })).access)).toMatchObject({ org_id: acme, org_name: "acme" });
    expect(claimsOf(tokens(await tokenFor(any)).access)).not.toHaveProperty("org_id");
  });

  test("is rejected if its grant denies organizations or has none, and for an unknown organization", async () => {
    expectError(await tokenFor({}, { organization: acme }), 400, "invalid_request", "organization");
    expectError(await tokenFor({ organization_usage: "deny" }, { organization: acme }), 400, "invalid_request", "organization");
    expectError(await tokenFor({ organization_usage: "allow" }, { organization: acme }), 400, "access_denied");
    expectError(await tokenFor({ ...any, organization_usage: "require" }), 400, "invalid_request", "organization");
    expectError(await tokenFor(any, { organization: "org_none" }), 400, "access_denied");
  });
});
