import { beforeAll, describe, expect, test } from "vitest";
import { documentRequest, offerAsDomainConnection, openDocumentService } from "../client-documents/documents.ts";
import { expectError, jsonBody, managerOf, stringMember } from "../support/api.ts";
import {
  claimsOf,
  codeGrant,
  errorParameters,
  login,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  sendAuthorization,
  successParameters,
  tokens,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";

const bye = "https://app.example.test/bye";
const settings = {
  app_type: "regular_web" as const,
  callbacks: ["https://app.example.test/callback"],
  allowed_logout_urls: [bye],
  grant_types: ["authorization_code", "refresh_token", "implicit"],
};

/** The claims of an ID token without the profile. */
const protocolClaims = ["amr", "aud", "auth_time", "exp", "iat", "iss", "nonce", "sid", "sub"];

let service: LoginService;
let app: App;
let there: App;
beforeAll(async () => {
  service = await openService();
  app = await service.register({ secret: true, ...settings });
  await service.postern.seed({
    tenantId: "other",
    clients: [{ clientId: "there", secret: clientSecret, settings: { name: "There", ...settings } }],
  });
  there = { clientId: "there", secret: clientSecret, redirectUri: app.redirectUri };
  for (const tenantId of ["main", "other"] as const) {
    const manage = await managerOf(service, tenantId);
    jsonBody(await manage("PATCH", "/api/v2/tenants/settings", { minimal_id_tokens: true }));
  }
  service.clock.advance("6s");
});

const front = async (response_type: string, more = {}) => {
  const sent = { response_type, scope: "openid profile email", ...more };
  return successParameters(await sendAuthorization(await signedIn(), app, sent));
};
const signedIn = async () => {
  const browser = service.browser();
  await login(browser, app, service.ada);
  return browser;
};

describe("minimal_id_tokens", () => {
  test("keeps claims about the user and tenant_id out of the ID token, and /userinfo returns them", async () => {
    const result = await obtainTokens(service, app, service.ada, offline);
    expect(Object.keys(claimsOf(result.id)).toSorted()).toEqual(protocolClaims);
    expect((await service.userinfo(result.access)).body).toMatchObject({ email: service.ada.email, email_verified: true });
    const renewed = tokens(await service.exchange(refreshGrant(app, result.refresh)));
    expect(claimsOf(renewed.id)).not.toHaveProperty("email");
    expect(claimsOf(renewed.access)["tenant_id"]).toBe("main");
  });

  test.each(["code id_token", "id_token token", "code id_token token"])("keeps them out of the ID token of %s", async (responseType) => {
    const { id_token: id = "" } = await front(responseType);
    expect(claimsOf(id)).not.toHaveProperty("email");
    expect(claimsOf(id)).not.toHaveProperty("tenant_id");
  });

  test("leaves them in an ID token without an access token, because /userinfo cannot be requested", async () => {
    const { id_token: id = "" } = await front("id_token");
    expect(claimsOf(id)).toMatchObject({ email: service.ada.email });
  });

  test("leaves claims in the ID token that the claims parameter requests there", async () => {
    const claims = JSON.stringify({ id_token: { email: null }, userinfo: { name: null } });
    const { id } = await obtainTokens(service, app, service.ada, { scope: "openid", claims });
    expect(claimsOf(id)).toMatchObject({ email: service.ada.email });
    expect(claimsOf(id)).not.toHaveProperty("name");
  });

  test("leaves ID tokens valid as hints at login and logout, also if the hint alone names the tenant", async () => {
    const browser = await signedIn();
    const { code = "" } = successParameters(await sendAuthorization(browser, app));
    const { id } = tokens(await service.exchange(codeGrant(app, code)));
    expect(successParameters(await sendAuthorization(browser, app, { prompt: "none", id_token_hint: id }))["code"]).toBeDefined();
    const out = await browser.get(`/oidc/logout?${new URLSearchParams({ id_token_hint: id, post_logout_redirect_uri: bye })}`);
    expect([out.status, out.headers.get("location")]).toEqual([303, bye]);
    expect(errorParameters(await sendAuthorization(browser, app, { prompt: "none" }))["error"]).toBe("login_required");
  });

  test("leaves ID tokens of another tenant with the same issuer invalid as hints", async () => {
    const { id } = await obtainTokens(service, app, service.ada);
    expect(errorParameters(await sendAuthorization(service.browser(), there, { id_token_hint: id }))["error"]).toBe("invalid_request");
    const query = new URLSearchParams({ id_token_hint: id, client_id: there.clientId, post_logout_redirect_uri: bye });
    const response = await service.browser().get(`/oidc/logout?${query}`);
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  test("the ID token of another tenant's client signs that client out at its own tenant", async () => {
    const manage = await managerOf(service, "other");
    const account = { email: "eve@example.test", password: "correct horse battery" };
    const body = { connection: "Username-Password-Authentication", ...account };
    const userId = stringMember(await manage.create("/api/v2/users", body), "user_id");
    const browser = service.browser();
    const { id } = await obtainTokens(service, there, { ...account, userId }, {}, browser);
    const response = await browser.get(`/oidc/logout?${new URLSearchParams({ id_token_hint: id, post_logout_redirect_uri: bye })}`);
    expect([response.status, response.headers.get("location")]).toEqual([303, bye]);
    expect(errorParameters(await sendAuthorization(browser, there, { prompt: "none" }))["error"]).toBe("login_required");
  });

  test("leaves an ID token with an unknown audience, or of a deleted client, invalid as a hint", async () => {
    const gone = await service.register({ secret: true, ...settings });
    const { id } = await obtainTokens(service, gone, service.ada);
    expect((await service.manage("DELETE", `/api/v2/clients/${gone.clientId}`)).status).toBe(204);
    service.clock.advance("6s");
    expect((await service.browser().get(`/oidc/logout?${new URLSearchParams({ id_token_hint: id })}`)).status).toBe(400);
  });

  test("must be a boolean", async () => {
    expectError(await service.manage("PATCH", "/api/v2/tenants/settings", { minimal_id_tokens: "yes" }), 400, "invalid_request");
  });
});

test("the ID token of a client with a metadata document names the tenant, because its id can exist in several", async () => {
  const documents = await openDocumentService();
  jsonBody(await documents.manage("PATCH", "/api/v2/tenants/settings", { minimal_id_tokens: true }));
  await offerAsDomainConnection(documents);
  documents.clock.advance("6s");
  const parameters = documentRequest({ scope: "openid email" });
  const agent = { clientId: parameters["client_id"] ?? "", redirectUri: parameters["redirect_uri"] ?? "" };
  const { id } = await obtainTokens(documents, agent, documents.ada, parameters);
  expect(claimsOf(id)).toMatchObject({ tenant_id: "main" });
  expect(claimsOf(id)).not.toHaveProperty("email");
});
