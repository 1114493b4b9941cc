import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody } from "../support/api.ts";
import {
  authorizeParameters,
  challenge,
  codeGrant,
  errorParameters,
  readResult,
  successParameters,
  tokens,
  verifier,
} from "../support/flow.ts";
import { requestAndSignIn, complete, openCertificateWorld, userinfoOf, wait, type CertificateWorld } from "./world.ts";

/** Modules of the plan Basic whose response type does not matter. */

let world: CertificateWorld;
beforeAll(async () => {
  world = await openCertificateWorld();
});

const code = { response_type: "code" };

test("oidcc-server-client-secret-post and the happy flow: the token response is complete", async () => {
  const { code: sent = "" } = successParameters(await requestAndSignIn(world));
  const response = await world.exchange(codeGrant(world.first, sent, { code_verifier: undefined }));
  const body = jsonBody(response);
  expect(body).toMatchObject({ token_type: "Bearer", id_token: expect.any(String), access_token: expect.any(String) });
  expect(body["expires_in"]).toBeGreaterThan(0);
  expect(body["expires_in"]).toBeLessThanOrEqual(365 * 86_400);
});

test("client_secret_basic: works", async () => {
  const { code: sent = "" } = successParameters(await requestAndSignIn(world));
  const body = codeGrant(world.first, sent, { code_verifier: undefined, client_id: undefined, client_secret: undefined });
  const authorization = `Basic ${btoa(`${world.first.clientId}:${world.first.secret ?? ""}`)}`;
  expect((await world.exchange(body, { authorization })).status).toBe(200);
});

test("oidcc-response-type-missing: is an error at the redirect URI", async () => {
  expect(errorParameters(await requestAndSignIn(world, { response_type: undefined }))["error"]).toMatch(
    /^(invalid_request|unsupported_response_type)$/,
  );
});

describe("oidcc-userinfo", () => {
  test("-get, -post-header and -post-body: return the subject of the ID token", async () => {
    const outcome = await complete(world, code);
    await userinfoOf(world, outcome);
    const token = outcome.access ?? "";
    const posted = await world.call("POST", "/userinfo", { headers: { authorization: `Bearer ${token}` } });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const inBody = await world.call("POST", "/userinfo", { headers, body: new URLSearchParams({ access_token: token }).toString() });
    for (const response of [posted, inBody]) expect(jsonBody(response)["sub"]).toBe(outcome.idTokens[0]?.sub);
  });

  test("-rs256: the response to a client with a signed userinfo is application/jwt, with iss and aud and without nonce", async () => {
    const path = `/api/v2/clients/${world.second.clientId}`;
    jsonBody(await world.manage("PATCH", path, { userinfo_signed_response_alg: "RS256" }));
    wait(world, 6);
    const { code: sent = "" } = successParameters(await requestAndSignIn(world, {}, world.browser(), world.second));
    const { access } = tokens(await world.exchange(codeGrant(world.second, sent, { code_verifier: undefined })));
    const request = new Request(`${world.postern.issuer}userinfo`, { headers: { authorization: `Bearer ${access}` } });
    const response = await world.postern.fetch(request);
    expect(response.headers.get("content-type")).toBe("application/jwt");
    const claims = JSON.parse(atob((await response.text()).split(".")[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? ""));
    expect(claims).toMatchObject({ iss: world.postern.issuer, aud: world.second.clientId, sub: world.ada.userId });
    expect(claims).not.toHaveProperty("nonce");
    jsonBody(await world.manage("PATCH", path, { userinfo_signed_response_alg: null }));
  });
});

test("oidcc-alternate-happy-flow: the order of scopes and parameters does not matter", async () => {
  const parameters = Object.entries(authorizeParameters(world.first, { scope: "email openid" })).toReversed();
  const browser = world.browser();
  await requestAndSignIn(world, {}, browser);
  expect(successParameters(await readResult(await browser.get(`/authorize?${new URLSearchParams(parameters)}`)))["code"]).toBeDefined();
});

test.each([
  ["oidcc-display-page", { display: "page" }],
  ["oidcc-display-popup", { display: "popup" }],
  ["oidcc-ui-locales", { ui_locales: "se" }],
  ["oidcc-claims-locales", { claims_locales: "se" }],
  ["oidcc-login-hint", { login_hint: "ada@example.test" }],
  ["oidcc-ensure-request-with-unknown-parameter-succeeds", { extra: "foobar" }],
  ["oidcc-ensure-request-with-acr-values-succeeds", { acr_values: "1 2" }],
])("%s: the parameter causes no error", async (_, parameters) => {
  if ("login_hint" in parameters) {
    const browser = world.browser();
    await requestAndSignIn(world, {}, browser);
    expect(successParameters(await requestAndSignIn(world, parameters, browser))["code"]).toBeDefined();
  } else expect((await complete(world, code, parameters)).access).toBeDefined();
});

test("oidcc-codereuse and -30seconds: 400 invalid_grant, and the first access token ends", async () => {
  for (const seconds of [0, 30]) {
    const { parameters, access } = await complete(world, code);
    wait(world, seconds);
    const again = codeGrant(world.first, parameters["code"] ?? "", { code_verifier: undefined });
    expectError(await world.exchange(again), 400, "invalid_grant");
    expect((await world.userinfo(access ?? "")).status).toBe(401);
  }
});

test("oidcc-ensure-registered-redirect-uri: an appended path is an error page", async () => {
  const redirect_uri = `${world.first.redirectUri}/appended`;
  expect(await requestAndSignIn(world, { redirect_uri })).toMatchObject({ kind: "page", status: 400 });
});

test("oidcc-ensure-post-request-succeeds: the authorization request can be posted", async () => {
  const browser = world.browser();
  await requestAndSignIn(world, {}, browser);
  const form = authorizeParameters(world.first);
  expect(successParameters(await readResult(await browser.post("/authorize", { form })))["code"]).toBeDefined();
});

test("oidcc-ensure-request-with-valid-pkce-succeeds: S256", async () => {
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  const { code: sent = "" } = successParameters(await requestAndSignIn(world, pkce));
  expect((await world.exchange(codeGrant(world.first, sent, { code_verifier: verifier }))).status).toBe(200);
});

test("oidcc-unsigned-request-object and oidcc-request-uri-unsigned: are rejected, and never ignored", async () => {
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ client_id: world.first.clientId }))}.`.replaceAll("=", "");
  expect(errorParameters(await requestAndSignIn(world, { request: unsigned }))["error"]).toBe("invalid_request_object");
  const request_uri = "https://suite.example.test/request.jwt";
  expect(errorParameters(await requestAndSignIn(world, { request_uri }))["error"]).toBe("request_uri_not_supported");
});

test("oidcc-claims-essential: the name is at userinfoOf, and not in the ID token", async () => {
  const outcome = await complete(world, code, { claims: JSON.stringify({ userinfo: { name: { essential: true } } }) });
  expect(await userinfoOf(world, outcome)).toHaveProperty("name");
  expect(outcome.idTokens[0]).not.toHaveProperty("name");
});
