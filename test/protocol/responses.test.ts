import { createHash } from "node:crypto";
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from "jose";
import { beforeAll, expect, test } from "vitest";
import {
  sendAuthorization,
  authorizeParameters,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  openService,
  errorParameters,
  signInAtLoginPage,
  readResult,
  tokens,
  type App,
  type AuthorizationParameters,
  type LoginService,
  type FlowResult,
} from "../support/flow.ts";

let service: LoginService;
let keys: ReturnType<typeof createLocalJWKSet>;
beforeAll(async () => {
  service = await openService();
  const { body } = await service.call("GET", "/.well-known/jwks.json");
  keys = createLocalJWKSet(body as JSONWebKeySet);
});

const bare = { code_challenge: undefined, code_challenge_method: undefined };
const leftHalf = (text: string): string => createHash("sha256").update(text).digest().subarray(0, 16).toString("base64url");

async function verifyToken(token: string, app: App = service.web): Promise<JWTPayload> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: service.postern.issuer,
    audience: app.clientId,
    currentDate: new Date(service.clock.now()),
  });
  expect(protectedHeader.kid).toBeTypeOf("string");
  return payload;
}

async function getResponse(
  parameters: AuthorizationParameters,
  app: App = service.web,
): Promise<Extract<FlowResult, { kind: "response" }>> {
  const browser = service.browser();
  const result = await signInAtLoginPage(browser, await sendAuthorization(browser, app, parameters), service.ada).catch(async () => {
    throw new Error("the login session did not end");
  });
  if (result.kind === "response") return result;
  // The JSON flow API redirects to the page with the form_post response.
  if (result.kind === "login") {
    const page = await readResult(await browser.get(`/u/login?${new URLSearchParams({ state: result.state })}`));
    if (page.kind === "response") return page;
  }
  throw new Error(JSON.stringify(result));
}

const types = ["code", "id_token", "token", "id_token token", "token id_token", "code id_token", "code token", "code id_token token"];

test.each(types)(
  "response_type %j returns exactly its parameters, in the fragment if they include a token, with state and iss",
  async (response_type) => {
    const responseTypes = new Set(response_type.split(" "));
    const { mode, to, parameters } = await getResponse({ response_type, ...bare });
    successParameters({ kind: "response", mode, to, parameters });
    expect(mode).toBe(response_type === "code" ? "query" : "fragment");
    expect(to).toBe(service.web.redirectUri);
    const names = [
      ...(responseTypes.has("code") ? ["code"] : []),
      ...(responseTypes.has("token") ? ["access_token", "expires_in", "scope", "token_type"] : []),
      ...(responseTypes.has("id_token") ? ["id_token"] : []),
      "iss",
      "state",
    ];
    expect(new Set(Object.keys(parameters))).toEqual(new Set(names));
    expect(parameters).toMatchObject({ state: "st-1", iss: service.postern.issuer });

    const { id_token: idToken, access_token: accessToken, code } = parameters;
    if (accessToken !== undefined) {
      expect(parameters).toMatchObject({ token_type: "Bearer", expires_in: "86400" });
      expect((await service.userinfo(accessToken)).body).toMatchObject({ sub: service.ada.userId, email: service.ada.email });
    }
    if (idToken !== undefined) {
      const claims = await verifyToken(idToken);
      expect(claims).toMatchObject({ sub: service.ada.userId, nonce: "n-1", auth_time: expect.any(Number), sid: expect.any(String) });
      expect(claims["at_hash"]).toBe(accessToken === undefined ? undefined : leftHalf(accessToken));
      expect(claims["c_hash"]).toBe(code === undefined ? undefined : leftHalf(code));
    }
    if (code !== undefined) {
      const result = tokens(await service.exchange(codeGrant(service.web, code, { code_verifier: undefined })));
      expect(await verifyToken(result.id)).toMatchObject({ sub: service.ada.userId, nonce: "n-1", iss: service.postern.issuer });
    }
  },
);

test("a replay of the code from a hybrid response revokes the access token from the same response", async () => {
  const { parameters } = await getResponse({ response_type: "code token", ...bare });
  const { code = "", access_token: accessToken = "" } = parameters;
  tokens(await service.exchange(codeGrant(service.web, code, { code_verifier: undefined })));
  await service.exchange(codeGrant(service.web, code, { code_verifier: undefined }));
  expect((await service.userinfo(accessToken)).status).toBe(401);
});

test.each(["code", "id_token", "code id_token token"])(
  "sends the response to response_type %j as a form for response_mode form_post",
  async (response_type) => {
    const { mode, to, parameters } = await getResponse({ response_type, response_mode: "form_post", ...bare });
    expect(mode).toBe("form_post");
    expect(to).toBe(service.web.redirectUri);
    expect(parameters).toMatchObject({ state: "st-1", iss: service.postern.issuer });
    if (parameters["id_token"] !== undefined) await verifyToken(parameters["id_token"]);
  },
);

test("a form_post response is not cached, and its content security policy does not restrict where its form is sent", async () => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const response = await browser.get(`/authorize?${new URLSearchParams(authorizeParameters(service.web, { response_mode: "form_post" }))}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-security-policy")).not.toContain("form-action");
});

test("a web_message is sent to the origin of the redirect URI, in a frame of the client", async () => {
  const browser = service.browser();
  await login(browser, service.spa, service.ada);
  const requested = { response_mode: "web_message", prompt: "none" };
  expect(await sendAuthorization(browser, service.spa, requested)).toMatchObject({
    mode: "web_message",
    to: "https://app.example.test",
    parameters: { code: expect.any(String), state: "st-1", iss: service.postern.issuer },
  });
  expect(errorParameters(await sendAuthorization(service.browser(), service.spa, requested))).toMatchObject({
    error: "login_required",
    state: "st-1",
  });
  const page = await browser.get(`/authorize?${new URLSearchParams(authorizeParameters(service.spa, requested))}`);
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors https://app.example.test");
  expect(page.headers.get("x-frame-options")).toBeNull();
});

test("a web_message is never sent to a scheme without an origin", async () => {
  const app = await service.register({ app_type: "native", callbacks: ["com.example.app:/callback"] });
  expect(errorParameters(await sendAuthorization(service.browser(), app, { response_mode: "web_message", prompt: "none" }))["error"]).toBe(
    "invalid_request",
  );
});

test("returns a code in the fragment on request, and never returns tokens in the query", async () => {
  expect((await getResponse({ response_mode: "fragment" })).mode).toBe("fragment");
  for (const response_type of ["token", "id_token", "code token"]) {
    const result = await sendAuthorization(service.browser(), service.web, { response_type, response_mode: "query", ...bare });
    expect(errorParameters(result)["error"]).toBe("invalid_request");
    expect(result).toMatchObject({ mode: "fragment" });
  }
});

test.each([
  [{ response_type: undefined }, "invalid_request"],
  [{ response_type: "" }, "invalid_request"],
  [{ response_type: "none" }, "unsupported_response_type"],
  [{ response_type: "code code" }, "unsupported_response_type"],
  [{ response_type: "password" }, "unsupported_response_type"],
  [{ response_mode: "smoke_signals" }, "unsupported_response_mode"],
  [{ request: "eyJhbGciOiJub25lIn0.e30." }, "invalid_request_object"],
  [{ request_uri: "https://app.example.test/request" }, "request_uri_not_supported"],
  [{ prompt: "none login" }, "invalid_request"],
  [{ prompt: "perhaps" }, "invalid_request"],
  [{ max_age: "-1" }, "invalid_request"],
  [{ max_age: "soon" }, "invalid_request"],
  [{ scope: 'open"id' }, "invalid_scope"],
  [{ claims: "{" }, "invalid_request"],
  [{ claims: "[]" }, "invalid_request"],
  [{ claims: '{"userinfo":"email"}' }, "invalid_request"],
  [{ id_token_hint: "x.y.z" }, "invalid_request"],
  [{ audience: "https://nowhere.example.test/" }, "access_denied"],
  [{ audience: "https://a.example.test/", resource: "https://b.example.test/" }, "invalid_target"],
  [{ connection: "nowhere" }, "invalid_request"],
  [{ code_challenge: undefined }, "invalid_request"],
  [{ code_challenge_method: undefined }, "invalid_request"],
  [{ code_challenge_method: "plain" }, "invalid_request"],
  [{ code_challenge: "short" }, "invalid_request"],
  [{ nonce: "n".repeat(1025) }, "invalid_request"],
] as const)("responds to %j with a redirect to the client with the error %s, state and iss", async (requested, error) => {
  const result = await sendAuthorization(service.browser(), service.web, requested);
  expect(errorParameters(result)).toMatchObject({
    error,
    state: "st-1",
    iss: service.postern.issuer,
    error_description: expect.any(String),
  });
  expect(result).toMatchObject({ mode: "query", to: service.web.redirectUri });
});

test("requires PKCE from a public client that requests a code, and not from a confidential client", async () => {
  expect(errorParameters(await sendAuthorization(service.browser(), service.spa, bare))["error"]).toBe("invalid_request");
  expect(
    errorParameters(await sendAuthorization(service.browser(), service.spa, { ...bare, response_type: "code id_token" }))["error"],
  ).toBe("invalid_request");
  expect((await sendAuthorization(service.browser(), service.web, bare)).kind).toBe("login");
});

test("requires a nonce and openid for an ID token from the authorization endpoint, and not for a code", async () => {
  for (const response_type of ["id_token", "id_token token", "code id_token", "code id_token token"]) {
    const requested = { response_type, ...bare };
    expect(errorParameters(await sendAuthorization(service.browser(), service.web, { ...requested, nonce: undefined }))["error"]).toBe(
      "invalid_request",
    );
    expect(errorParameters(await sendAuthorization(service.browser(), service.web, { ...requested, scope: "profile" }))["error"]).toBe(
      "invalid_scope",
    );
  }
  for (const response_type of ["code", "code token"]) {
    const { parameters } = await getResponse({ response_type, nonce: undefined, ...bare });
    const result = tokens(await service.exchange(codeGrant(service.web, parameters["code"] ?? "", { code_verifier: undefined })));
    expect(claimsOf(result.id)).not.toHaveProperty("nonce");
  }
});

test("rejects response types that the client's grant types do not allow, in the requested response mode", async () => {
  const app = await service.register({ secret: true, grant_types: ["authorization_code"] });
  for (const response_type of ["id_token", "token", "code id_token"]) {
    const result = await sendAuthorization(service.browser(), app, { response_type, response_mode: "form_post", ...bare });
    expect(errorParameters(result)["error"]).toBe("unauthorized_client");
    expect(result).toMatchObject({ mode: "form_post" });
  }
  const silent = await service.register({ secret: true, grant_types: ["client_credentials"] });
  expect(errorParameters(await sendAuthorization(service.browser(), silent))["error"]).toBe("unauthorized_client");
});

test("returns the state unchanged, and omits it if none was sent", async () => {
  for (const state of ["a b+c%20&=#/?é😀", "x".repeat(8192), '{"json":"[1]"}']) {
    expect(errorParameters(await sendAuthorization(service.browser(), service.web, { state, prompt: "none" }))["state"]).toBe(state);
    expect((await getResponse({ state })).parameters["state"]).toBe(state);
  }
  expect(errorParameters(await sendAuthorization(service.browser(), service.web, { state: undefined, prompt: "none" }))).not.toHaveProperty(
    "state",
  );
});

test("rejects a state that is too long for a URL, and stores no part of it", async () => {
  const before = await service.data.collections.login_sessions.count({ tenant_id: "main" });
  const form = authorizeParameters(service.web, { state: "x".repeat(8193), response_mode: "form_post" });
  expect(errorParameters(await readResult(await service.browser().post("/authorize", { form })))["error_description"]).toContain("'state'");
  expect(await service.data.collections.login_sessions.count({ tenant_id: "main" })).toBe(before);
});

test("returns the nonce unchanged", async () => {
  const nonce = "n-é +&=".repeat(50);
  const { parameters } = await getResponse({ nonce });
  expect(claimsOf(tokens(await service.exchange(codeGrant(service.web, parameters["code"] ?? ""))).id)["nonce"]).toBe(nonce);
});

test("ignores unknown parameters and the order of response_type values", async () => {
  const browser = service.browser();
  const more = {
    extra: "foobar",
    "ext-thing": "1",
    auth0Client: "eyJuYW1lIjoieCJ9",
    display: "popup",
    ui_locales: "se xx-YY",
    claims_locales: "se",
    acr_values: "1 2",
    login_hint: "hinted@example.test",
    access_type: "offline",
    registration: "{}",
  };
  const { code = "" } = await login(browser, service.web, service.ada, { ...more, scope: "email profile openid" });
  tokens(await service.exchange(codeGrant(service.web, code)));
  const reversed = new URLSearchParams(Object.entries(authorizeParameters(service.web, more)).toReversed());
  successParameters(await readResult(await browser.get(`/authorize?${reversed}`)));
});

test("accepts authorization requests by POST, and rejects a repeated parameter", async () => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  successParameters(await readResult(await browser.post("/authorize", { form: authorizeParameters(service.web) })));
  successParameters(
    await readResult(
      await browser.post("/authorize", { form: authorizeParameters(service.web), headers: { origin: "https://app.example.test" } }),
    ),
  );
  const twice = `${new URLSearchParams(authorizeParameters(service.web))}&scope=openid`;
  expect(errorParameters(await readResult(await browser.get(`/authorize?${twice}`)))["error"]).toBe("invalid_request");
});
