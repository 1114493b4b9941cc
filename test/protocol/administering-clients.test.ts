import { beforeEach, describe, expect, test } from "vitest";
import { managementScopes } from "../../packages/core/src/model/scopes.ts";
import { tokenWith } from "../management/token-with.ts";
import { expectError, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  claimsOf,
  login,
  loginState,
  obtainTokens,
  openService,
  type App,
  type AuthorizationParameters,
  type LoginService,
  type ObtainedTokens,
} from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import { scopesForOwnUser } from "../support/scopes-for-own-user.ts";
import { managementAudience, type ApiResponse } from "../support/postern.ts";

/**
 * Which clients administrators can use for the Management API. A caller who may only register or change a client gains
 * nothing from an administrator who signs in to it.
 */

const everything = managementScopes.map(({ value }) => value);
const requested = { audience: managementAudience, scope: ["openid", ...everything].join(" ") };
const evil = "https://evil.example.test/callback";

type Call = (method: string, path: string, body?: unknown) => Promise<ApiResponse>;

let service: LoginService;
/** The browser in which the administrator has a session, at an app that the host seeded. */
let browser: Browser;

beforeEach(async () => {
  service = await openService();
  const role = await organizationsBy(service.manage).createRole("Admin", managementAudience, ...everything);
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`;
  expect(await service.manage("POST", path, { roles: [role] })).toMatchObject({ status: 204 });
  browser = service.browser();
  await login(browser, service.web, service.ada);
});

async function callerWith(...scope: readonly string[]): Promise<Call> {
  const token = await tokenWith(service, service.manage, scope);
  return (method, path, body) => service.call(method, path, { token, ...(body !== undefined && { body }) });
}

/** Registers a client through the API. */
async function registerBy(call: Call, settings: object = {}): Promise<App> {
  const body = { name: "Tool", app_type: "regular_web", callbacks: [evil], ...settings };
  const client = jsonBody(await call("POST", "/api/v2/clients", body), 201);
  return { clientId: stringMember(client, "client_id"), secret: stringMember(client, "client_secret"), redirectUri: evil };
}

/** The Management API scopes of a token. */
const scopesOfToken = (token: string): readonly string[] => {
  const scopes = String(claimsOf(token)["scope"]).split(" ");
  return everything.filter((value) => scopes.includes(value)).toSorted();
};

const administer = (app: App, more: AuthorizationParameters = {}): Promise<ObtainedTokens> =>
  obtainTokens(service, app, service.ada, { ...requested, ...more }, browser);
const users = (token: string): Promise<ApiResponse> => service.call("GET", "/api/v2/users", { token });
const pathOf = ({ clientId }: App): string => `/api/v2/clients/${clientId}`;

/** Expects that an administrator who signs in to an app gives it only the scopes for their own user. */
async function expectNoScopes(app: App): Promise<void> {
  const { access } = await administer(app);
  expect(scopesOfToken(access)).toEqual(scopesForOwnUser);
  expectError(await users(access), 403, "insufficient_scope");
}

/** Expects that an app gets all Management API scopes of an administrator. */
async function expectAllScopes(app: App): Promise<void> {
  const { access } = await administer(app);
  expect(scopesOfToken(access)).toEqual(everything.toSorted());
  expect(await users(access)).toMatchObject({ status: 200 });
}

describe("a client that is created through the API", () => {
  test("gets no administrator scopes if its creator holds only create:clients", async () => {
    const call = await callerWith("create:clients");
    const app = await registerBy(call, { grant_types: ["authorization_code", "refresh_token", "implicit"] });
    await expectNoScopes(app);
    const implicit = await login(browser, app, service.ada, { ...requested, response_type: "token" });
    expect(scopesOfToken(implicit["access_token"] ?? "")).toEqual(scopesForOwnUser);
    // Linking another user's account to their own would take that account over.
    const { access } = await administer(app);
    const bobs = await obtainTokens(service, app, service.bob);
    const identities = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/identities`;
    expectError(await service.call("POST", identities, { token: access, body: { link_with: bobs.id } }), 403, "insufficient_scope");
  });

  test("gets no administrator scopes if its creator lacks a single scope", async () => {
    await expectNoScopes(await registerBy(await callerWith(...everything.filter((scope) => scope !== "read:logs"))));
  });

  test("gets administrator scopes if its creator, a machine client or a user, holds every scope", async () => {
    await expectAllScopes(await registerBy(service.manage));
    const { access: token } = await administer(service.web);
    await expectAllScopes(await registerBy((method, path, body) => service.call(method, path, { token, body })));
  });

  test("has no may_administer member in requests and responses", async () => {
    const made = jsonBody(await service.manage("POST", "/api/v2/clients", { name: "Tool" }), 201);
    expect(made).not.toHaveProperty("may_administer");
    const body = { name: "Tool", may_administer: true };
    expectError(await service.manage("POST", "/api/v2/clients", body), 400, "invalid_request", "may_administer");
    const path = `/api/v2/clients/${stringMember(made, "client_id")}`;
    expectError(await service.manage("PATCH", path, { may_administer: true }), 400, "invalid_request", "may_administer");
    expect(jsonBody(await service.manage("GET", path))).not.toHaveProperty("may_administer");
  });
});

describe("a client that the host seeds", () => {
  test("gets administrator scopes, as a public and as a confidential client", async () => {
    for (const app of [service.web, service.spa]) await expectAllScopes(app);
  });

  /**
   * The permission that the client receives, its settings in addition to the defaults of `register`, and the change to
   * them that a caller with `update:clients` makes.
   */
  const further: readonly (readonly [string, JsonBody, JsonBody])[] = [
    ["a callback", {}, { callbacks: ["https://app.example.test/callback", evil] }],
    ["a web origin", {}, { web_origins: ["https://evil.example.test"] }],
    ["an origin", {}, { allowed_origins: ["https://evil.example.test"] }],
    ["an initiate_login_uri", { initiate_login_uri: "https://app.example.test/" }, { initiate_login_uri: "https://evil.example.test/" }],
    ["first-party status", { is_first_party: false }, { is_first_party: true }],
    ["every port of a loopback address", {}, { app_type: "native" }],
    [
      "implicit tokens",
      { grant_types: ["authorization_code", "refresh_token"] },
      { grant_types: ["authorization_code", "refresh_token", "implicit"] },
    ],
    ["codes", { grant_types: ["refresh_token", "client_credentials"] }, { grant_types: ["authorization_code", "refresh_token"] }],
  ];

  test.each(further)("loses administrator scopes if it is given %s, unless the caller holds every scope", async (_, before, change) => {
    for (const scope of [["update:client_keys"], everything]) {
      const app = await service.register({ secret: true, ...before });
      expect(await (await callerWith("update:clients", ...scope))("PATCH", pathOf(app), change)).toMatchObject({ status: 200 });
      await expectAllScopes(app);
    }
    const app = await service.register({ secret: true, ...before });
    expect(jsonBody(await (await callerWith("update:clients"))("PATCH", pathOf(app), change))).toMatchObject(change);
    await expectNoScopes(app);
  });

  test("revokes the administrator scopes of issued tokens if another caller adds a redirect URI", async () => {
    const { access } = await administer(service.web);
    expect(await users(access)).toMatchObject({ status: 200 });
    const call = await callerWith("update:clients");
    expect(await call("PATCH", pathOf(service.web), { callbacks: [service.web.redirectUri, evil] })).toMatchObject({ status: 200 });
    expectError(await users(access), 403, "insufficient_scope");
    await expectNoScopes({ ...service.web, redirectUri: evil });
  });

  test("keeps administrator scopes after changes that add no new redirect target", async () => {
    const path = pathOf(service.spa);
    const call = await callerWith("update:clients", "read:clients");
    const { callbacks, web_origins, app_type, is_first_party, grant_types } = jsonBody(await call("GET", path));
    for (const body of [
      { name: "Renamed", callbacks, web_origins, app_type, is_first_party, grant_types, initiate_login_uri: "" },
      { web_origins: [], grant_types: ["refresh_token", "authorization_code"] },
    ])
      expect(await call("PATCH", path, body)).toMatchObject({ status: 200 });
    await expectAllScopes(service.spa);
  });

  test("gets its administrator scopes back at a restart, and rejects redirect URIs that the host did not configure", async () => {
    const settings = { name: "Console", app_type: "spa", callbacks: ["https://app.example.test/callback"] } as const;
    const start = () => service.postern.seed({ tenantId: "main", clients: [{ clientId: "console", settings }] });
    await start();
    const app = { clientId: "console", redirectUri: "https://app.example.test/callback" };
    const call = await callerWith("update:clients");
    expect(await call("PATCH", pathOf(app), { callbacks: [evil, app.redirectUri] })).toMatchObject({ status: 200 });
    await start();
    for (const redirectUri of [app.redirectUri, evil]) await expectNoScopes({ ...app, redirectUri });
    const waiting = loginState(await sendAuthorization(browser, { ...app, redirectUri: evil }, { ...requested, prompt: "login" }));

    expect(await call("PATCH", pathOf(app), { callbacks: [app.redirectUri] })).toMatchObject({ status: 200 });
    await expectNoScopes(app);
    await start();
    await expectAllScopes(app);
    // A redirect URI that was registered when a login session began, and removed since, is rejected as well.
    expect((await browser.get(`/u/login?${new URLSearchParams({ state: waiting })}`)).status).toBe(400);
  });
});

describe("a client grant for users", () => {
  const grantTo = (app: App, more: object): Promise<JsonBody> =>
    service.manage.create("/api/v2/client-grants", {
      client_id: app.clientId,
      audience: managementAudience,
      subject_type: "user",
      ...more,
    });

  test("lets administrators use their scopes through the client, limited to the scopes of the grant and only while the grant exists", async () => {
    const app = await registerBy(await callerWith("create:clients"));
    const grant = `/api/v2/client-grants/${stringMember(await grantTo(app, { scope: ["read:users", "read:clients"] }), "id")}`;
    const { access } = await administer(app);
    expect(scopesOfToken(access)).toEqual(["read:clients", "read:users"]);
    expect(await users(access)).toMatchObject({ status: 200 });
    expect(await service.manage("PATCH", grant, { scope: [], allow_all_scopes: true })).toMatchObject({ status: 200 });
    await expectAllScopes(app);
    expect(await service.manage("DELETE", grant)).toMatchObject({ status: 204 });
    await expectNoScopes(app);
    expectError(await users(access), 403, "insufficient_scope");
  });

  test("cannot grant scopes that its creator lacks", async () => {
    const app = await registerBy(await callerWith("create:clients"));
    const body = { client_id: app.clientId, audience: managementAudience, subject_type: "user" };
    const call = await callerWith("create:client_grants", "update:client_grants", "read:users");
    for (const more of [{ scope: ["read:users", "read:clients"] }, { scope: [], allow_all_scopes: true }])
      expectError(await call("POST", "/api/v2/client-grants", { ...body, ...more }), 403, "insufficient_scope", "read:clients");
    const grant = jsonBody(await call("POST", "/api/v2/client-grants", { ...body, scope: ["read:users"] }), 201);
    const path = `/api/v2/client-grants/${stringMember(grant, "id")}`;
    expectError(await call("PATCH", path, { scope: ["read:users", "read:clients"] }), 403, "insufficient_scope", "read:clients");
    expect(scopesOfToken((await administer(app)).access)).toEqual(["read:users"]);
  });

  test("grants no scopes to a user without roles", async () => {
    const app = await registerBy(await callerWith("create:clients"));
    await grantTo(app, { scope: [], allow_all_scopes: true });
    expect(scopesOfToken((await obtainTokens(service, app, service.bob, requested)).access)).toEqual([]);
  });

  test("prevents callers without update:client_keys from changing the redirect URIs of its client", async () => {
    const seeded = service.web;
    const registered = await registerBy(await callerWith("create:clients"));
    for (const app of [seeded, registered]) {
      await grantTo(app, { scope: ["read:users"] });
      const before = jsonBody(await service.manage("GET", pathOf(app)));
      const change = { callbacks: ["https://other.example.test/"] };
      const call = await callerWith("update:clients", "update:client_grants");
      expectError(await call("PATCH", pathOf(app), change), 403, "insufficient_scope", "update:client_keys");
      expect(jsonBody(await service.manage("GET", pathOf(app)))).toEqual(before);
      expect(await call("PATCH", pathOf(app), { name: "Renamed", callbacks: before["callbacks"] })).toMatchObject({ status: 200 });
      expect(await (await callerWith("update:clients", "update:client_keys"))("PATCH", pathOf(app), change)).toMatchObject({ status: 200 });
    }
    // A grant for the client itself, or for another API, has no effect on administrators.
    const machine = await registerBy(service.manage);
    await service.manage.create("/api/v2/client-grants", { client_id: machine.clientId, audience: managementAudience, scope: [] });
    await organizationsBy(service.manage).createApi("https://shop.example.test/", "read:things");
    await service.manage.create("/api/v2/client-grants", {
      client_id: machine.clientId,
      audience: "https://shop.example.test/",
      subject_type: "user",
      scope: ["read:things"],
    });
    const change = { callbacks: [evil, "https://other.example.test/"] };
    expect(await (await callerWith("update:clients"))("PATCH", pathOf(machine), change)).toMatchObject({ status: 200 });
    await expectNoScopes(machine);
  });
});
