import { beforeAll, describe, expect, test } from "vitest";
import { jsonBody, type JsonBody } from "../support/api.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import {
  sendAuthorization,
  authorizeParameters,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  obtainTokens,
  offline,
  openService,
  errorParameters,
  readResult,
  tokens,
  type App,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
let metadata: JsonBody;
beforeAll(async () => {
  service = await openService({ crypto: { signingAlgorithm: "RS256" } });
  metadata = jsonBody(await service.call("GET", "/.well-known/openid-configuration"));
});

/** A member that is a list of strings. */
function names(member: string): readonly string[] {
  const value = metadata[member];
  if (!Array.isArray(value) || !value.every((name) => typeof name === "string")) throw new Error(`'${member}' must be a list of strings`);
  return value;
}

const bare = { code_challenge: undefined, code_challenge_method: undefined };

/**
 * Compares discovery with actual behavior: an unlisted feature that works is as wrong as a listed one that does not.
 */
describe("discovery", () => {
  test("lists existing endpoints only, under the issuer, over https", async () => {
    const endpoints = Object.entries(metadata).filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri");
    expect(endpoints.length).toBeGreaterThanOrEqual(7);
    for (const [name, url] of endpoints) {
      expect(url, name).toMatch(/^https:\/\/id\.example\.test\/[^?#]+$/);
      const { pathname } = new URL(String(url));
      const statuses = await Promise.all(["GET", "POST"].map(async (method) => (await service.call(method, pathname)).status));
      expect(statuses, name).not.toContain(404);
    }
  });

  test("has an issuer without query and fragment that is the base of the discovery URL", () => {
    expect(metadata["issuer"]).toBe(service.postern.issuer);
    expect(service.postern.issuer).toMatch(/^https:\/\/[^?#]+\/$/);
  });

  test("lists exactly the response types that work, and rejects others with unsupported_response_type", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const listed = names("response_types_supported");
    expect(listed).toEqual(expect.arrayContaining(["code", "id_token", "token id_token"]));
    for (const response_type of listed) successParameters(await sendAuthorization(browser, service.web, { response_type, ...bare }));
    for (const response_type of ["none", "device", "code none", "vp_token"]) {
      expect(errorParameters(await sendAuthorization(browser, service.web, { response_type, ...bare }))["error"]).toBe(
        "unsupported_response_type",
      );
    }
  });

  test("lists the response modes that work", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    for (const response_mode of names("response_modes_supported")) {
      const result = await sendAuthorization(browser, service.web, { response_mode });
      successParameters(result);
      expect(result).toMatchObject({ mode: response_mode });
    }
    for (const response_mode of ["jwt", "query.jwt", "okta_post_message"]) {
      expect(errorParameters(await sendAuthorization(browser, service.web, { response_mode }))["error"]).toBe("unsupported_response_mode");
    }
  });

  test("lists the prompt values that work", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    for (const prompt of names("prompt_values_supported")) {
      const result = await sendAuthorization(browser, service.web, { prompt });
      if (result.kind === "response") successParameters(result);
    }
    expect(errorParameters(await sendAuthorization(browser, service.web, { prompt: "create" }))["error"]).toBe("invalid_request");
  });

  test("lists the signing algorithms of client assertions for every endpoint that accepts private_key_jwt (RFC 8414 section 2)", () => {
    for (const endpoint of ["token", "revocation", "introspection"]) {
      expect(names(`${endpoint}_endpoint_auth_methods_supported`)).toContain("private_key_jwt");
      expect(names(`${endpoint}_endpoint_auth_signing_alg_values_supported`)).toEqual([
        "RS256",
        "RS384",
        "PS256",
        "ES256",
        "EdDSA",
        "Ed25519",
      ]);
    }
  });

  test("lists the supported PKCE method only", async () => {
    expect(names("code_challenge_methods_supported")).toEqual(["S256"]);
    expect(errorParameters(await sendAuthorization(service.browser(), service.web, { code_challenge_method: "plain" }))["error"]).toBe(
      "invalid_request",
    );
  });

  test("states that request objects by reference are not supported, and that objects by value, claims and the iss response parameter are", async () => {
    expect(metadata).toMatchObject({
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      claims_parameter_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    const requested = { prompt: "none" };
    expect(errorParameters(await sendAuthorization(service.browser(), service.web, { ...requested, request: "a.b.c" }))["error"]).toBe(
      "invalid_request_object",
    );
    const request_uri = "urn:example:request";
    expect(errorParameters(await sendAuthorization(service.browser(), service.web, { ...requested, request_uri }))["error"]).toBe(
      "request_uri_not_supported",
    );
    expect(errorParameters(await sendAuthorization(service.browser(), service.web, requested))["iss"]).toBe(metadata["issuer"]);
  });

  test("lists exactly the grant types that are known", async () => {
    const listed = names("grant_types_supported");
    expect(listed).toEqual(expect.arrayContaining(["authorization_code", "refresh_token", "client_credentials", "implicit"]));
    const app = await service.register({ secret: true });
    const tryGrant = async (grant_type: string): Promise<unknown> =>
      jsonBody(await service.exchange({ grant_type, client_id: app.clientId, client_secret: clientSecret }), 400)["error"];
    for (const grant_type of listed.filter((name) => name !== "implicit")) {
      const { body } = await service.exchange({ grant_type, client_id: app.clientId, client_secret: clientSecret });
      expect(body, grant_type).not.toMatchObject({ error: "unsupported_grant_type" });
    }
    // The implicit grant of the authorization endpoint is not a grant of the token endpoint.
    for (const grant_type of ["implicit", "urn:ietf:params:oauth:grant-type:saml2-bearer", "x"]) {
      expect(await tryGrant(grant_type)).toBe("unsupported_grant_type");
    }
  });

  test("lists scopes and claims that are granted and returned", async () => {
    const path = `/api/v2/users/${encodeURIComponent(service.bob.userId)}`;
    const profile = {
      given_name: "Bob",
      family_name: "Jones",
      nickname: "bob",
      picture: "https://cdn.example.test/bob.png",
      middle_name: "B.",
      profile: "https://bob.example.test/",
      website: "https://bob.example.test/",
      gender: "male",
      birthdate: "1990-01-02",
      zoneinfo: "Europe/Paris",
      locale: "en",
      address: { country: "France" },
    };
    jsonBody(await service.manage("PATCH", path, profile), 200);
    const scope = names("scopes_supported").join(" ");
    expect(scope.split(" ")).toContain("openid");
    const result = await obtainTokens(service, service.web, service.bob, { scope });
    expect(result.scope).toBe(scope);
    const loginResult = { ...claimsOf(result.id), ...jsonBody(await service.userinfo(result.access)) };
    const rare = ["acr", "preferred_username", "phone_number", "phone_number_verified"];
    expect(Object.keys(loginResult)).toEqual(expect.arrayContaining(names("claims_supported").filter((name) => !rare.includes(name))));
  });

  test("lists the algorithm of ID tokens", async () => {
    const { id } = await obtainTokens(service, service.web, service.ada);
    const header = JSON.parse(Buffer.from(id.split(".")[0] ?? "", "base64url").toString()) as { alg: string; kid: string };
    expect(names("id_token_signing_alg_values_supported")).toEqual(["RS256"]);
    expect(header).toMatchObject({ alg: "RS256", kid: expect.any(String) });
  });
});

describe("client authentication in discovery", () => {
  /** One request for each method that requires no key. */
  const attempts: { readonly [method: string]: (path: string, web: App, spa: App, body: object) => Promise<ApiResponse> } = {
    client_secret_post: async (path, { clientId }, _, body) =>
      service.call("POST", path, { body: { ...body, client_id: clientId, client_secret: clientSecret } }),
    client_secret_basic: async (path, { clientId }, _, body) =>
      service.call("POST", path, {
        body,
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
      }),
    none: async (path, _, { clientId }, body) => service.call("POST", path, { body: { ...body, client_id: clientId } }),
  };

  test.each([
    ["token", "/oauth/token"],
    ["revocation", "/oauth/revoke"],
    ["introspection", "/oauth/introspect"],
  ])("lists exactly the methods that work at the %s endpoint", async (name, path) => {
    const listed = names(`${name}_endpoint_auth_methods_supported`);
    expect(listed).toContain("private_key_jwt");
    for (const [method, send] of Object.entries(attempts)) {
      const app = method === "none" ? service.spa : service.web;
      const { code = "" } = await login(service.browser(), app, service.ada, offline);
      const { client_id: _, client_secret: __, ...exchange } = codeGrant(app, code);
      const response = await send(path, service.web, service.spa, name === "token" ? exchange : { token: "x" });
      expect([method, response.status === 200]).toEqual([method, listed.includes(method)]);
      if (name === "token") tokens(response);
    }
  });
});

test("the authorization endpoint accepts GET and POST", async () => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const parameters = authorizeParameters(service.web);
  successParameters(await readResult(await browser.get(`/authorize?${new URLSearchParams(parameters)}`)));
  successParameters(await readResult(await browser.post("/authorize", { form: parameters })));
});
