import { beforeEach, describe, expect, test } from "vitest";
import { managementScopes } from "../../packages/core/src/model/scopes.ts";
import { list, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { openBrowser } from "../support/browser.ts";
import { sendAuthorization, claimsOf, codeGrant, login, type TestAccount, type App, type FlowResult } from "../support/flow.ts";
import { sharedClientId, sharedSettings, openInheritance, type InheritanceSetup } from "../support/inheritance.ts";
import { organizationsBy } from "../support/organizations.ts";
import { scopesForOwnUser } from "../support/scopes-for-own-user.ts";
import { managementAudience } from "../support/postern.ts";

const [shared = ""] = sharedSettings.callbacks;
const own = "https://own.example.test/callback";
const everything = managementScopes.map(({ value }) => value);

let inheritance: InheritanceSetup;
beforeEach(async () => {
  inheritance = await openInheritance();
});

/** Registers a client of the tenant. @returns the client with the redirect URI for its authorization requests. */
async function register(settings: object = {}, redirectUri = shared): Promise<App> {
  const client = await inheritance.other.create("/api/v2/clients", { name: "App", app_type: "spa", ...settings });
  return { clientId: stringMember(client, "client_id"), redirectUri };
}
const requestAuthorization = async (app: App): Promise<FlowResult> => sendAuthorization(openBrowser(inheritance.service.postern), app);
const isRedirected = async (app: App): Promise<boolean> => (await requestAuthorization(app)).kind === "login";

describe("redirect URIs", () => {
  test("accepts the redirect URIs of the control plane's client for a client without URLs", async () => {
    expect(await isRedirected(await register())).toBe(true);
    expect(await isRedirected(await register({}, own))).toBe(false);
  });

  test.each([
    ["callbacks", { callbacks: [own] }],
    ["web_origins", { web_origins: ["https://own.example.test"] }],
    ["allowed_origins", { allowed_origins: ["https://own.example.test"] }],
    ["initiate_login_uri", { initiate_login_uri: "https://own.example.test/start" }],
  ])("ignores all URLs of the control plane's client if the client sets %s", async (_, settings) => {
    expect(await isRedirected(await register(settings))).toBe(false);
  });

  test("applies changes to the control plane's client and to the client itself at once", async () => {
    const app = await register();
    expect(await isRedirected(app)).toBe(true);
    jsonBody(await inheritance.main("PATCH", `/api/v2/clients/${sharedClientId}`, { callbacks: [own] }));
    expect(await isRedirected(app)).toBe(false);
    expect(await isRedirected({ ...app, redirectUri: own })).toBe(true);
    jsonBody(await inheritance.other("PATCH", `/api/v2/clients/${app.clientId}`, { callbacks: ["https://third.example.test/callback"] }));
    expect(await isRedirected({ ...app, redirectUri: own })).toBe(false);
  });

  test("rejects the shared redirect URI if the control plane's client was deleted, and for non-interactive clients", async () => {
    const app = await register();
    const machine = await register({ app_type: "non_interactive" });
    expect(await isRedirected(machine)).toBe(false);
    expect(await inheritance.main("DELETE", `/api/v2/clients/${sharedClientId}`)).toMatchObject({ status: 204 });
    expect(await isRedirected(app)).toBe(false);
  });

  test("rejects the client_id of the control plane's client in an inheriting tenant", async () => {
    const headers = { "tenant-id": "other" };
    const query = new URLSearchParams({ client_id: sharedClientId, redirect_uri: shared, response_type: "code" });
    expect(await inheritance.service.call("GET", `/authorize?${query}`, { headers })).toMatchObject({ status: 400 });
  });
});

test("rejects a client_id that equals the cache key of the control plane's client", async () => {
  expect(await isRedirected(await register())).toBe(true);
  const query = new URLSearchParams({ client_id: `known:${sharedClientId}`, redirect_uri: shared, response_type: "code" });
  expect(await inheritance.service.call("GET", `/authorize?${query}`, { headers: { "tenant-id": "main" } })).toMatchObject({ status: 400 });
});

test("allows cross-origin requests from the origins of the control plane's client", async () => {
  const { clientId } = await register();
  const read = async (origin: string) =>
    (
      await inheritance.service.call("POST", "/oauth/token", {
        headers: { origin },
        body: { grant_type: "authorization_code", client_id: clientId, code: "none", redirect_uri: shared, code_verifier: "x".repeat(43) },
      })
    ).headers.get("access-control-allow-origin");
  const [origin = ""] = sharedSettings.web_origins;
  expect(await read(origin)).toBe(origin);
  expect(await read("https://evil.example.test")).toBeNull();
});

test("redirects to the logout URLs of the control plane's client unless the client has its own", async () => {
  const [bye = ""] = sharedSettings.allowed_logout_urls;
  const logOut = async ({ clientId }: App) =>
    inheritance.service.call("GET", `/v2/logout?${new URLSearchParams({ client_id: clientId, returnTo: bye })}`);
  expect((await logOut(await register({ callbacks: [own] }))).headers.get("location")).toBe(bye);
  expect((await logOut(await register({ allowed_logout_urls: ["https://own.example.test/bye"] }))).headers.get("location")).not.toBe(bye);
});

test("links to the terms of service of the control plane's client until the tenant's client sets or clears its own", async () => {
  const page = async (app: App): Promise<string> => {
    const browser = openBrowser(inheritance.service.postern);
    const result = await sendAuthorization(browser, app);
    if (result.kind !== "login") throw new Error("no login");
    return (await browser.get(`/u/login?state=${encodeURIComponent(result.state)}`)).text();
  };
  const app = await register();
  expect(await page(app)).toContain(sharedSettings.tos_uri);
  jsonBody(await inheritance.other("PATCH", `/api/v2/clients/${app.clientId}`, { tos_uri: "" }));
  expect(await page(app)).not.toContain(sharedSettings.tos_uri);
});

test("returns only the client's own settings in every response", async () => {
  const { clientId } = await register({ app_type: "regular_web" });
  const path = `/api/v2/clients/${clientId}`;
  const replies: readonly JsonBody[] = [
    jsonBody(await inheritance.other("GET", path)),
    ...list(await inheritance.other("GET", "/api/v2/clients?per_page=100")),
    jsonBody(await inheritance.other("PATCH", path, { name: "Renamed" })),
    jsonBody(await inheritance.other("POST", `${path}/rotate-secret`)),
  ];
  for (const reply of replies) expect(JSON.stringify(reply)).not.toContain("shared.example.test");
  expect(replies.every((reply) => JSON.stringify(reply["callbacks"]) === "[]")).toBe(true);
});

test("inherits URLs only, and no settings that identify or authenticate a client", async () => {
  jsonBody(
    await inheritance.main("PATCH", `/api/v2/clients/${sharedClientId}`, {
      is_first_party: false,
      organization_usage: "require",
      cross_origin_authentication: true,
    }),
  );
  const app = await register();
  // The client is still first-party, so no organization is required.
  expect(await isRedirected(app)).toBe(true);
  expect(jsonBody(await inheritance.other("GET", `/api/v2/clients/${app.clientId}`))).toMatchObject({ is_first_party: true });
  const ticket = {
    client_id: app.clientId,
    username: "a@example.test",
    password: "x",
    credential_type: "http://auth0.com/oauth/grant-type/password-realm",
    realm: "Username-Password-Authentication",
  };
  const [origin = ""] = sharedSettings.web_origins;
  const response = await inheritance.service.call("POST", "/co/authenticate", { body: ticket, headers: { origin } });
  expect(response.status, JSON.stringify(response.body)).toBe(403);
  expect(jsonBody(response, 403)).toMatchObject({ error: expect.not.stringMatching("INVALID_CREDENTIALS") });
});

describe("tenant administrators", () => {
  let administrator: TestAccount;
  beforeEach(async () => {
    const password = "correct horse battery";
    const connection = "Username-Password-Authentication";
    const user = await inheritance.other.create("/api/v2/users", {
      connection,
      email: "admin@example.test",
      password,
      email_verified: true,
    });
    administrator = { email: "admin@example.test", password, userId: stringMember(user, "user_id") };
    const role = await organizationsBy(inheritance.other).createRole("Admin", managementAudience, ...everything);
    const path = `/api/v2/users/${encodeURIComponent(administrator.userId)}/roles`;
    expect(await inheritance.other("POST", path, { roles: [role] })).toMatchObject({ status: 204 });
  });

  /** Returns the Management API scopes that the administrator is granted through a client. */
  const managementScopes = async (app: App): Promise<readonly string[]> => {
    const { service } = inheritance;
    const scope = ["openid", ...everything].join(" ");
    const { code = "" } = await login(openBrowser(service.postern), app, administrator, { audience: managementAudience, scope });
    const { access_token: token } = jsonBody(await service.call("POST", "/oauth/token", { body: codeGrant(app, code) }));
    const scopes = String(claimsOf(String(token))["scope"]).split(" ");
    return everything.filter((value) => scopes.includes(value));
  };

  test("get all Management API scopes through a client with its own callbacks", async () => {
    expect(await managementScopes(await register({ callbacks: [shared] }))).toEqual(everything);
  });

  test("get only the scopes for their own account through a client with inherited callbacks, even with a client grant", async () => {
    const app = await register();
    expect((await managementScopes(app)).toSorted()).toEqual(scopesForOwnUser);
    const grant = { client_id: app.clientId, audience: managementAudience, subject_type: "user", scope: everything };
    await inheritance.other.create("/api/v2/client-grants", grant);
    expect((await managementScopes(app)).toSorted()).toEqual(scopesForOwnUser);
  });

  test("get Management API scopes through a password grant client, which never redirects", async () => {
    const client = await inheritance.other.create("/api/v2/clients", { name: "Tool", app_type: "regular_web", grant_types: ["password"] });
    const { client_id, client_secret } = client;
    const { email: username, password } = administrator;
    const body = {
      grant_type: "password",
      client_id,
      client_secret,
      username,
      password,
      audience: managementAudience,
      scope: "read:users",
    };
    expect(jsonBody(await inheritance.service.call("POST", "/oauth/token", { body }))).toMatchObject({ scope: "read:users" });
  });

  test("lose access with an existing token once the client's own callbacks are removed", async () => {
    const app = await register({ callbacks: [shared] });
    const scope = `openid ${everything.join(" ")}`;
    const { code = "" } = await login(openBrowser(inheritance.service.postern), app, administrator, {
      audience: managementAudience,
      scope,
    });
    const { access_token } = jsonBody(await inheritance.service.call("POST", "/oauth/token", { body: codeGrant(app, code) }));
    const users = () => inheritance.service.call("GET", "/api/v2/users", { token: String(access_token) });
    expect(await users()).toMatchObject({ status: 200 });
    jsonBody(await inheritance.other("PATCH", `/api/v2/clients/${app.clientId}`, { callbacks: [] }));
    expect(await users()).toMatchObject({ status: 403 });
  });
});
