import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { expectError, managerOf, jsonBody, stringMember } from "../support/api.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import {
  sendAuthorization,
  authorizeParameters,
  claimsOf,
  codeGrant,
  login,
  loginState,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  errorParameters,
  tokens,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { stores } from "./stores.ts";

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

/**
 * Two tenants with one issuer, and a user with the same id in each. Everything that one tenant issued is unknown in the
 * other.
 */
describe.each(stores)("tenant isolation on $name", ({ open }) => {
  let data: DataAdapter;
  let service: LoginService;
  let here: App;
  let there: App;
  let ada: TestAccount;
  let namesake: TestAccount;

  beforeAll(async () => {
    data = await open();
    service = await openService({ data });
    const settings = {
      app_type: "regular_web" as const,
      callbacks: ["https://app.example.test/callback"],
      allowed_logout_urls: ["https://app.example.test/bye"],
      grant_types: ["authorization_code", "refresh_token", "implicit", exchangeGrant],
    };
    here = await service.register({ secret: true, ...settings });
    await service.postern.seed({
      tenantId: "other",
      clients: [{ clientId: "there", secret: clientSecret, settings: { name: "There", ...settings } }],
    });
    there = { clientId: "there", secret: clientSecret, redirectUri: "https://app.example.test/callback" };
    ada = await duplicate("main", "twin@example.test");
    namesake = await duplicate("other", "namesake@example.test");
  });
  afterAll(() => data.close?.());

  const duplicate = async (tenantId: "main" | "other", email: string): Promise<TestAccount> => {
    const password = "correct horse battery";
    const user = { connection: "Username-Password-Authentication", user_id: "auth0|twin", email, password };
    const manage = await managerOf(service, tenantId);
    return { email, password, userId: stringMember(await manage.create("/api/v2/users", user), "user_id") };
  };
  const post = (path: string, body: object): Promise<ApiResponse> =>
    service.call("POST", path, { body: { client_id: there.clientId, client_secret: clientSecret, ...body } });

  test("another tenant's code is rejected as unknown, and stays valid in its own tenant", async () => {
    const { code = "" } = await login(service.browser(), here, ada, offline);
    expectError(await service.exchange(codeGrant(there, code)), 400, "invalid_grant");
    expect(claimsOf(tokens(await service.exchange(codeGrant(here, code))).access)).toMatchObject({ tenant_id: "main", sub: "auth0|twin" });
  });

  test("another tenant's refresh token is rejected as unknown, cannot be revoked, and stays valid in its own tenant", async () => {
    const { refresh } = await obtainTokens(service, here, ada, offline);
    expectError(await service.exchange(refreshGrant(there, refresh)), 400, "invalid_grant");
    expect((await post("/oauth/introspect", { token: refresh })).body).toEqual({ active: false });
    expect((await post("/oauth/revoke", { token: refresh })).status).toBe(200);
    tokens(await service.exchange(refreshGrant(here, refresh)));
  });

  test("another tenant's access token is rejected at APIs and as a subject token, is inactive in introspection, and cannot be revoked", async () => {
    const { access } = await obtainTokens(service, here, ada);
    expectError(await service.call("GET", "/userinfo", { token: access, headers: { "tenant-id": "other" } }), 403, "forbidden");
    expect((await post("/oauth/introspect", { token: access })).body).toEqual({ active: false });
    const subject = { subject_token: access, subject_token_type: "urn:ietf:params:oauth:token-type:access_token" };
    expectError(await post("/oauth/token", { grant_type: exchangeGrant, ...subject }), 400, "invalid_request", "subject_token");
    expect((await post("/oauth/revoke", { token: access })).status).toBe(200);
    expect(jsonBody(await service.userinfo(access))).toMatchObject({ email: ada.email });
  });

  test("another tenant's ID token is rejected as a hint, at login and at logout", async () => {
    const { id } = await obtainTokens(service, here, ada);
    expect(errorParameters(await sendAuthorization(service.browser(), there, { id_token_hint: id }))["error"]).toBe("invalid_request");
    const query = new URLSearchParams({
      id_token_hint: id,
      client_id: there.clientId,
      post_logout_redirect_uri: "https://app.example.test/bye",
    });
    const response = await service.browser().get(`/oidc/logout?${query}`);
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  test("an ID token alone identifies its tenant at logout, by GET and by POST", async () => {
    for (const method of ["get", "post"] as const) {
      const browser = service.browser();
      const { id } = await obtainTokens(service, there, namesake, offline, browser);
      const sent = { id_token_hint: id, post_logout_redirect_uri: "https://app.example.test/bye" };
      const response = await (method === "get"
        ? browser.get(`/oidc/logout?${new URLSearchParams(sent)}`)
        : browser.post("/oidc/logout", { form: sent }));
      expect([response.status, response.headers.get("location")]).toEqual([303, sent.post_logout_redirect_uri]);
      expect(errorParameters(await sendAuthorization(browser, there, { prompt: "none" }))["error"]).toBe("login_required");
    }
    // The tenant claim is trusted only after the signature is verified. A forged token with another or unknown tenant
    // is rejected.
    const [header, payload = ""] = (await obtainTokens(service, there, namesake)).id.split(".");
    for (const tenantId of ["main", "unknown", "\u0000", 7]) {
      const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), tenant_id: tenantId };
      const forged = [header, Buffer.from(JSON.stringify(claims)).toString("base64url"), "AAAA"].join(".");
      const response = await service.browser().get(`/oidc/logout?${new URLSearchParams({ id_token_hint: forged })}`);
      expect([400, 404]).toContain(response.status);
    }
  });

  test("another tenant's session signs no user in, even under the other cookie name", async () => {
    const browser = service.browser();
    await login(browser, here, ada);
    expect(errorParameters(await sendAuthorization(browser, there, { prompt: "none" }))["error"]).toBe("login_required");
    for (const [name, value] of new Map(browser.cookies)) browser.cookies.set(name.replace("main", "other"), value);
    expect(errorParameters(await sendAuthorization(browser, there, { prompt: "none" }))["error"]).toBe("login_required");
    await browser.get(`/v2/logout?client_id=${there.clientId}`);
    expect((await sendAuthorization(browser, here, { prompt: "none" })).kind).toBe("response");
  });

  test("another tenant's login session is unknown, even under the other cookie name", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, here));
    for (const [name, value] of new Map(browser.cookies)) browser.cookies.set(name.replace("main", "other"), value);
    const response = await browser.get(`/u/login?${new URLSearchParams({ state: state.replace(/^main\./, "other.") })}`);
    expect(response.status).toBe(400);
    expect((await browser.get(`/u/login?${new URLSearchParams({ state })}`)).status).toBe(200);
  });

  test("another tenant's client is unknown", async () => {
    const headers = { "tenant-id": "other" };
    const page = await service.browser().get(`/authorize?${new URLSearchParams(authorizeParameters(here))}`, { headers });
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
    expectError(await service.exchange(refreshGrant(here, "x"), headers), 401, "invalid_client");
  });

  test("revocations in one tenant do not affect the user with the same id in the other", async () => {
    const [mine, inOther] = [await obtainTokens(service, here, ada, offline), await obtainTokens(service, there, namesake, offline)];
    expect([claimsOf(mine.id).sub, claimsOf(inOther.id).sub]).toEqual(["auth0|twin", "auth0|twin"]);
    expect(jsonBody(await service.userinfo(inOther.access))).toMatchObject({ email: namesake.email });
    jsonBody(await service.manage("PATCH", "/api/v2/users/auth0%7Ctwin", { blocked: true }));
    expect((await service.userinfo(mine.access)).status).toBe(401);
    expect((await service.userinfo(inOther.access)).status).toBe(200);
    tokens(await service.exchange(refreshGrant(there, inOther.refresh)));
    jsonBody(await service.manage("PATCH", "/api/v2/users/auth0%7Ctwin", { blocked: false }));
  });
});
