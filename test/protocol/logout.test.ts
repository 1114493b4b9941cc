import { beforeAll, expect, test } from "vitest";
import { auditEvents, expectError, jsonBody } from "../support/api.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  login,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  errorParameters,
  type AuthorizationParameters,
  type LoginService,
  type ObtainedTokens,
} from "../support/flow.ts";

const bye = "https://app.example.test/bye";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const begin = async (): Promise<{ readonly browser: Browser; readonly tokens: ObtainedTokens }> => {
  const browser = service.browser();
  return { browser, tokens: await obtainTokens(service, service.web, service.ada, offline, browser) };
};
const logOut = (browser: Browser, parameters: AuthorizationParameters = {}): Promise<Response> => {
  const result = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return browser.get(`/oidc/logout?${new URLSearchParams(result)}`);
};
const isSignedIn = async (browser: Browser): Promise<boolean> => {
  const result = await sendAuthorization(browser, service.web, { prompt: "none" });
  return result.kind === "response" && result.parameters["error"] === undefined;
};
const expectSignedOut = async (browser: Browser, { refresh, access }: ObtainedTokens): Promise<void> => {
  expect([...browser.cookies.keys()].some((name) => name.includes("session"))).toBe(false);
  expect(errorParameters(await sendAuthorization(browser, service.web, { prompt: "none" }))["error"]).toBe("login_required");
  expectError(await service.exchange(refreshGrant(service.web, refresh)), 400, "invalid_grant");
  expect((await service.userinfo(access)).status).toBe(401);
};

test("redirects to the post_logout_redirect_uri with the same state and nothing else", async () => {
  for (const state of ["st-9", "a b&c=#é"]) {
    const { browser, tokens } = await begin();
    const response = await logOut(browser, { id_token_hint: tokens.id, post_logout_redirect_uri: bye, state });
    expect(response.status).toBe(303);
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.origin + location.pathname).toBe(bye);
    expect([...location.searchParams]).toEqual([["state", state]]);
    await expectSignedOut(browser, tokens);
  }
});

test("redirects after a POST as well", async () => {
  const { browser, tokens } = await begin();
  const form = { id_token_hint: tokens.id, post_logout_redirect_uri: bye, client_id: service.web.clientId };
  const response = await browser.post("/oidc/logout", { form, headers: { origin: "https://app.example.test" } });
  expect(response.headers.get("location")).toBe(bye);
  await expectSignedOut(browser, tokens);
});

test("adds no state if the request has none", async () => {
  const { browser, tokens } = await begin();
  const response = await logOut(browser, { id_token_hint: tokens.id, post_logout_redirect_uri: bye });
  expect(response.headers.get("location")).toBe(bye);
});

test("shows a page that confirms the logout if no redirect URI is sent", async () => {
  const { browser, tokens } = await begin();
  const response = await logOut(browser, { id_token_hint: tokens.id, state: "unused" });
  expect([response.status, response.headers.get("location")]).toEqual([200, null]);
  await expectSignedOut(browser, tokens);
});

test("accepts an expired hint", async () => {
  const { browser, tokens } = await begin();
  service.clock.advance("11h");
  const response = await logOut(browser, { id_token_hint: tokens.id, post_logout_redirect_uri: bye });
  expect(response.headers.get("location")).toBe(bye);
  expect(await isSignedIn(browser)).toBe(false);
});

const invalid = [
  "https://evil.test/",
  `${bye}/`,
  `${bye}@evil.test`,
  "https://app.example.test@evil.test/bye",
  "https://app.example.test\\@evil.test/bye",
  "//evil.test/bye",
  "javascript:alert(1)",
  "https://app.example.test/callback",
  " https://app.example.test/bye",
  "https://app.example.test/BYE",
  "https://app.example.test/%62ye",
  "https://app.example.test\t/bye",
  "https://app.example.test/bye\\?x",
  "https://user@APP.example.test/bye?x",
  "https://evil.test/?https://app.example.test/bye",
  "https://evil.test#https://app.example.test/bye",
  "/\\evil.test",
];

test.each(invalid)("rejects %j, which is not a logout URL of the client, at both logout endpoints", async (uri) => {
  const { browser, tokens } = await begin();
  for (const response of [
    await logOut(browser, { id_token_hint: tokens.id, post_logout_redirect_uri: uri }),
    await logOut(browser, { client_id: service.web.clientId, post_logout_redirect_uri: uri }),
    await logOut(browser, { post_logout_redirect_uri: uri }),
    await browser.get(`/v2/logout?${new URLSearchParams({ client_id: service.web.clientId, returnTo: uri })}`),
    await browser.get(`/v2/logout?${new URLSearchParams({ returnTo: uri })}`),
    await browser.get(`/v2/logout?${new URLSearchParams({ client_id: "unknown", returnTo: uri })}`),
  ]) {
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  }
  expect(await isSignedIn(browser)).toBe(true);
  service.clock.advance("5s");
  expect((await auditEvents(service.manage, "flo")).length).toBeGreaterThan(0);
});

test("rejects a redirect URI of this client with another client's hint", async () => {
  const { browser, tokens } = await begin();
  const app = await service.register({ secret: true, allowed_logout_urls: ["https://third.example.test/bye"] });
  const requested = { id_token_hint: tokens.id, post_logout_redirect_uri: "https://third.example.test/bye" };
  for (const response of [await logOut(browser, requested), await logOut(browser, { ...requested, client_id: app.clientId })]) {
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  }
});

test.each([
  ["with another signature", (id: string) => id.replace(/[^.]*$/, "AAAA")],
  ["with alg none", (id: string) => `${Buffer.from('{"alg":"none"}').toString("base64url")}.${id.split(".")[1]}.`],
  ["that is an access token", (_: string, access: string) => access],
  ["that is not a token", () => "hint"],
])("responds to a hint %s with an error page, and keeps the session", async (_, make) => {
  const { browser, tokens } = await begin();
  const response = await logOut(browser, { id_token_hint: make(tokens.id, tokens.access), post_logout_redirect_uri: bye });
  expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  expect(await isSignedIn(browser)).toBe(true);
});

test("prompts for confirmation without a hint or with another user's hint; the button on that page signs the user out without a redirect", async () => {
  const other = await obtainTokens(service, service.web, service.bob);
  const requests = [
    {},
    { state: "x" },
    { client_id: service.web.clientId, post_logout_redirect_uri: bye, state: "x" },
    { id_token_hint: other.id },
  ];
  for (const requested of requests) {
    const { browser, tokens } = await begin();
    const page = await logOut(browser, requested);
    expect([page.status, page.headers.get("location")]).toEqual([200, null]);
    expect(await isSignedIn(browser), JSON.stringify(requested)).toBe(true);
    const html = await page.text();
    expect(formAction(html)).toBe(`${service.postern.issuer}oidc/logout`);
    const done = await browser.post("/oidc/logout", { form: formFields(html) });
    expect([done.status, done.headers.get("location")]).toEqual([200, null]);
    await expectSignedOut(browser, tokens);
  }
});

test("a forged confirmation signs no user out", async () => {
  const { browser } = await begin();
  const stranger = (await begin()).browser;
  const foreign = formFields(await (await logOut(stranger)).text());
  for (const form of [{}, { confirmed: "1" }, foreign]) {
    expect((await browser.post("/oidc/logout", { form: { client_id: service.web.clientId, ...form } })).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(true);
  }
  expect((await browser.get(`/oidc/logout?${new URLSearchParams(foreign)}`)).status).toBe(200);
  expect(await isSignedIn(browser)).toBe(true);
});

test("responds to a visitor without a session as to a signed-out user", async () => {
  expect((await logOut(service.browser())).status).toBe(200);
  const { tokens } = await begin();
  const elsewhere = await logOut(service.browser(), { id_token_hint: tokens.id, post_logout_redirect_uri: bye });
  expect(elsewhere.headers.get("location")).toBe(bye);
});

test("Auth0's logout redirects to a returnTo URL of the client or of the tenant, to the first allowed URL, or shows a page", async () => {
  const redirectTarget = async (query: { readonly [name: string]: string }): Promise<[number, string | null]> => {
    const { browser, tokens } = await begin();
    const response = await browser.get(`/v2/logout?${new URLSearchParams(query)}`);
    await expectSignedOut(browser, tokens);
    return [response.status, response.headers.get("location")];
  };
  expect(await redirectTarget({ client_id: service.web.clientId, returnTo: bye, federated: "" })).toEqual([303, bye]);
  expect(await redirectTarget({ client_id: service.web.clientId })).toEqual([303, bye]);
  expect(await redirectTarget({})).toEqual([200, null]);
});

const variants = [
  `${bye}?added=1&to=*`,
  `${bye}#x`,
  `${bye}?a=%7B#b?c`,
  "https://APP.Example.test/bye",
  "HTTPS://app.example.test/bye?x=1",
];

test.each(variants)("Auth0's logout ignores query, fragment and the case of the host: redirects to %s", async (returnTo) => {
  for (const client of [{ client_id: service.web.clientId }, {}]) {
    if (!("client_id" in client))
      await service.manage("PATCH", "/api/v2/tenants/settings", { allowed_logout_urls: [`${bye}?of=tenant#x`] });
    const { browser, tokens } = await begin();
    const response = await browser.get(`/v2/logout?${new URLSearchParams({ ...client, returnTo })}`);
    expect([response.status, response.headers.get("location")]).toEqual([303, returnTo]);
    await expectSignedOut(browser, tokens);
  }
  await service.manage("PATCH", "/api/v2/tenants/settings", { allowed_logout_urls: [] });
});

test.each(variants)("OpenID Connect's logout compares the whole URL: rejects %s", async (uri) => {
  const { browser, tokens } = await begin();
  const response = await logOut(browser, { id_token_hint: tokens.id, post_logout_redirect_uri: uri });
  expect([response.status, response.headers.get("location")]).toEqual([400, null]);
});

test("redirects to a logout URL with characters outside ASCII, of the client and of the tenant", async () => {
  const [typed, ascii] = ["https://münchen.example/tschüß", "https://xn--mnchen-3ya.example/tsch%C3%BC%C3%9F"];
  const app = await service.register({ secret: true, allowed_logout_urls: [typed] });
  expect(jsonBody(await service.manage("GET", `/api/v2/clients/${app.clientId}`))["allowed_logout_urls"]).toEqual([ascii]);
  await service.manage("PATCH", "/api/v2/tenants/settings", { allowed_logout_urls: [typed] });
  expect(jsonBody(await service.manage("GET", "/api/v2/tenants/settings"))["allowed_logout_urls"]).toEqual([ascii]);
  const location = async (path: string, query: { readonly [name: string]: string }): Promise<[number, string | null]> => {
    const response = await service.browser().get(`${path}?${new URLSearchParams(query)}`);
    return [response.status, response.headers.get("location")];
  };
  const expectRedirects = async (): Promise<void> => {
    for (const returnTo of [typed, ascii, ""]) {
      expect(await location("/v2/logout", { client_id: app.clientId, returnTo })).toEqual([303, ascii]);
      expect(await location("/v2/logout", { returnTo })).toEqual([303, ascii]);
    }
    expect(await location("/v2/logout", { client_id: app.clientId, returnTo: `${typed}?ü` })).toEqual([303, `${ascii}?%C3%BC`]);
    const { id } = await obtainTokens(service, app, service.ada);
    for (const post_logout_redirect_uri of [typed, ascii])
      expect(await location("/oidc/logout", { id_token_hint: id, post_logout_redirect_uri })).toEqual([303, ascii]);
  };
  await expectRedirects();
  // A row of an earlier version has the URL as it was sent.
  const { clients, tenants } = service.data.collections;
  await clients.update({ tenant_id: "main", client_id: app.clientId }, { set: { allowed_logout_urls: [typed] } });
  await tenants.update({ id: "main" }, { set: { settings: { allowed_logout_urls: [typed] } } });
  service.clock.advance("1m");
  await expectRedirects();
  await service.manage("PATCH", "/api/v2/tenants/settings", { allowed_logout_urls: [] });
});

test("never redirects to a logout URL with a wildcard or placeholder", async () => {
  const app = await service.register({
    secret: true,
    allowed_logout_urls: ["https://*.apps.example.test/", "https://{organization_name}.example.test/"],
  });
  const response = await service.browser().get(`/v2/logout?client_id=${app.clientId}`);
  expect([response.status, response.headers.get("location")]).toEqual([200, null]);
  for (const returnTo of ["https://*.apps.example.test/", "https://evil.test/.apps.example.test/"]) {
    expect((await service.browser().get(`/v2/logout?${new URLSearchParams({ client_id: app.clientId, returnTo })}`)).status).toBe(400);
  }
});

test("logout revokes the refresh tokens of a session that expired by idle time", async () => {
  const { browser, tokens } = await begin();
  service.clock.advance("73h");
  expect(await isSignedIn(browser)).toBe(false);
  await browser.get("/v2/logout");
  await expectSignedOut(browser, tokens);
});

test("other browsers of the same user stay signed in", async () => {
  const [one, two] = [await begin(), await begin()];
  await one.browser.get("/v2/logout");
  expect(await isSignedIn(two.browser)).toBe(true);
  service.clock.advance("5s");
  expect((await auditEvents(service.manage, "slo"))[0]).toMatchObject({ user_id: service.ada.userId });
});

test("a login after logout creates a new session", async () => {
  const { browser, tokens } = await begin();
  await browser.get("/v2/logout");
  await login(browser, service.web, service.ada);
  const repeated = await obtainTokens(service, service.web, service.ada, {}, browser);
  expect(JSON.parse(Buffer.from(repeated.id.split(".")[1] ?? "", "base64url").toString())["sid"]).not.toBe(
    JSON.parse(Buffer.from(tokens.id.split(".")[1] ?? "", "base64url").toString())["sid"],
  );
});

test("a cross-site image or frame of Auth0's logout URL signs no user out, and a cross-site link does", async () => {
  const { browser, tokens } = await begin();
  const from = (destination: string): Promise<Response> =>
    browser.get(`/v2/logout?client_id=${service.web.clientId}`, {
      headers: { "sec-fetch-site": "cross-site", "sec-fetch-dest": destination },
    });
  for (const destination of ["image", "iframe", "empty"]) expect((await from(destination)).status).toBe(400);
  expect(await isSignedIn(browser)).toBe(true);
  expect((await from("document")).status).toBe(303);
  await expectSignedOut(browser, tokens);
});
