import { createRemoteJWKSet, customFetch, jwtVerify } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { obtainTokens, openService, type App, type LoginService } from "../support/flow.ts";

let service: LoginService;
let app: App;
let access: string;
beforeAll(async () => {
  service = await openService();
  app = await service.register({ secret: true });
  jsonBody(await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, { userinfo_signed_response_alg: "RS256" }));
  service.clock.advance("6s");
  ({ access } = await obtainTokens(service, app, service.ada, { scope: "openid email" }));
});

const request = (token: string, init: RequestInit = {}) =>
  service.postern.fetch(new Request(`${service.postern.issuer}userinfo`, { ...init, headers: { authorization: `Bearer ${token}` } }));

/** Verifies a response with the published keys. */
const verify = async (response: Response) => {
  const jwks = createRemoteJWKSet(new URL(".well-known/jwks.json", service.postern.issuer), {
    [customFetch]: (url: string, init: RequestInit) => service.postern.fetch(new Request(url, init)),
  });
  return jwtVerify(await response.text(), jwks, { currentDate: new Date(service.clock.now()) });
};

describe("userinfo_signed_response_alg", () => {
  test.each(["GET", "POST"])("makes the response to %s a JWT with iss and aud, and without nonce and exp", async (method) => {
    const response = await request(access, { method });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/jwt"]);
    expect(response.headers.get("cache-control")).toContain("no-store");
    const { payload, protectedHeader } = await verify(response);
    expect(protectedHeader).toMatchObject({ alg: "RS256", typ: "JWT", kid: expect.any(String) });
    expect(payload).toEqual({
      sub: service.ada.userId,
      email: service.ada.email,
      email_verified: true,
      iss: service.postern.issuer,
      aud: app.clientId,
      iat: Math.floor(service.clock.now() / 1000),
    });
  });

  test("has no effect on other clients, and errors are JSON", async () => {
    const { access: other } = await obtainTokens(service, service.web, service.ada, { scope: "openid" });
    expect((await request(other)).headers.get("content-type")).toContain("application/json");
    const failed = await request("not-a-token");
    expect([failed.status, failed.headers.get("content-type")]).toEqual([401, expect.stringContaining("application/json")]);
  });

  test.each(["ES256", "PS256", "EdDSA"])("can be %s, and null makes the response JSON again", async (alg) => {
    const client = await service.register({ secret: true });
    const path = `/api/v2/clients/${client.clientId}`;
    jsonBody(await service.manage("PATCH", path, { userinfo_signed_response_alg: alg }));
    service.clock.advance("6s");
    const { access: token } = await obtainTokens(service, client, service.ada, { scope: "openid" });
    expect((await verify(await request(token))).protectedHeader.alg).toBe(alg);
    expect(jsonBody(await service.manage("PATCH", path, { userinfo_signed_response_alg: null }))).not.toHaveProperty(
      "userinfo_signed_response_alg",
    );
    service.clock.advance("6s");
    expect((await request(token)).headers.get("content-type")).toContain("application/json");
  });

  test.each(["none", "HS256"])("must not be %s", async (alg) => {
    const path = `/api/v2/clients/${app.clientId}`;
    expectError(await service.manage("PATCH", path, { userinfo_signed_response_alg: alg }), 400, "invalid_request", "userinfo_signed");
  });

  test("is listed in discovery with RS256", async () => {
    const metadata = jsonBody(await service.call("GET", "/.well-known/openid-configuration"));
    expect(metadata["userinfo_signing_alg_values_supported"]).toContain("RS256");
  });

  test("a signed response is accepted neither as an access token nor as an ID token hint", async () => {
    const jwt = await (await request(access)).text();
    expect((await request(jwt)).status).toBe(401);
    const query = new URLSearchParams({ id_token_hint: jwt });
    expect((await service.browser().get(`/oidc/logout?${query}`)).status).toBe(400);
  });

  test("can be registered by the client, with the algorithm of ID tokens, and is replaced with the metadata", async () => {
    jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { flags: { enable_dynamic_client_registration: true } }));
    service.clock.advance("6s");
    const redirect_uris = ["https://agent.example.test/callback"];
    const body = { redirect_uris, userinfo_signed_response_alg: "RS256", id_token_signed_response_alg: "ES256" };
    const registered = jsonBody(await service.call("POST", "/oidc/register", { body }), 201);
    expect(registered).toMatchObject({ userinfo_signed_response_alg: "RS256", id_token_signed_response_alg: "ES256" });
    const clientId = stringMember(registered, "client_id");
    const shown = jsonBody(await service.manage("GET", `/api/v2/clients/${clientId}`));
    expect(shown).toMatchObject({ userinfo_signed_response_alg: "RS256", jwt_configuration: { alg: "ES256" } });
    const headers = { authorization: `Bearer ${stringMember(registered, "registration_access_token")}` };
    const replacement = { body: { client_id: clientId, redirect_uris, id_token_signed_response_alg: "RS256" }, headers };
    const replaced = jsonBody(await service.call("PUT", `/oidc/register/${clientId}`, replacement));
    expect(replaced).toMatchObject({ id_token_signed_response_alg: "RS256" });
    expect(replaced).not.toHaveProperty("userinfo_signed_response_alg");
    const unsigned = { ...body, userinfo_signed_response_alg: "none" };
    expect(jsonBody(await service.call("POST", "/oidc/register", { body: unsigned }), 201)).not.toHaveProperty(
      "userinfo_signed_response_alg",
    );
  });
});
