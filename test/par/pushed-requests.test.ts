import { beforeAll, expect, test } from "vitest";
import { auditEvents, expectError, jsonBody } from "../support/api.ts";
import {
  claimsOf,
  codeGrant,
  errorParameters,
  login,
  loginState,
  openService,
  openStep,
  sendAuthorization,
  sendForm,
  signInAtLoginPage,
  submit,
  readResult,
  submitStep,
  successParameters,
  tokens,
  type LoginService,
} from "../support/flow.ts";
import { openPushed, openPushingService, push, pushedUri } from "./pushing.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openPushingService();
});

test("returns a request URI with 256 random bits that leads to a code with the pushed parameters", async () => {
  const response = await push(service, service.web, { nonce: "pushed-nonce", state: "pushed-state" });
  expect(response.status).toBe(201);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const { request_uri: uri, expires_in: lifetime } = jsonBody(response, 201);
  expect(uri).toMatch(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/);
  expect(lifetime).toBe(30);
  const browser = service.browser();
  const result = await signInAtLoginPage(browser, await openPushed(browser, service.web, String(uri)), service.ada);
  const { code = "", state } = successParameters(result);
  expect(state).toBe("pushed-state");
  expect(claimsOf(tokens(await service.exchange(codeGrant(service.web, code))).id)["nonce"]).toBe("pushed-nonce");
});

test("ignores the browser's parameters beside client_id and request_uri", async () => {
  const uri = await pushedUri(service, service.web, { scope: "openid", state: "inner" });
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const outer = { scope: "openid email", state: "outer", redirect_uri: "https://evil.example.test/", nonce: "outer", prompt: "login" };
  const result = await openPushed(browser, service.web, uri, outer);
  expect(result).toMatchObject({ to: service.web.redirectUri, parameters: { state: "inner" } });
  const { code = "" } = successParameters(result);
  expect(tokens(await service.exchange(codeGrant(service.web, code))).scope).toBe("openid");
});

test("stores no credentials, and only parameters that have an effect", async () => {
  await push(service, service.web, { unknown: "value", login_hint: "hint" });
  const rows = await service.data.collections.pushed_requests.find({ where: { tenant_id: "main" }, limit: 500 });
  const text = JSON.stringify(rows);
  expect(text).toContain("hint");
  expect(text).not.toContain(String(service.web.secret));
  expect(text).not.toContain("unknown");
  expect(text).not.toContain("urn:ietf");
});

test.each([
  ["without a secret", { client_secret: undefined }, 401, "invalid_client"],
  ["with a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
  ["of an unknown client", { client_id: "unknown-app" }, 401, "invalid_client"],
  ["with a request_uri", { request_uri: "urn:ietf:params:oauth:request_uri:x" }, 400, "invalid_request"],
  ["with an invalid request object", { request: "eyJhbGciOiJSUzI1NiJ9.e30.x" }, 400, "invalid_request_object"],
  ["with an unregistered redirect URI", { redirect_uri: "https://evil.example.test/" }, 400, "invalid_request"],
  ["with a response type that the client may not use", { response_type: "code foo" }, 400, "unsupported_response_type"],
  ["without a response type", { response_type: undefined }, 400, "invalid_request"],
  ["with a plain challenge", { code_challenge_method: "plain" }, 400, "invalid_request"],
  ["with an unknown API", { audience: "https://unknown.example.test" }, 400, "access_denied"],
  ["with a hint of another user", { claims: '{"id_token":{"acr":{"essential":true,"value":"x"}}}' }, 400, undefined],
  ["with an id_token_hint that is no token", { id_token_hint: "x" }, 400, "invalid_request"],
  ["with a scope of forbidden characters", { scope: 'openid "' }, 400, "invalid_scope"],
  ["with a parameter of 10 kB", { login_hint: "x".repeat(10_300) }, 413, "payload_too_large"],
] as const)("rejects a request %s with JSON", async (_, parameters, status, error) => {
  const response = await push(service, service.web, parameters);
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("location")).toBeNull();
  if (error !== undefined) expectError(response, status, error);
});

test("rejects GET, JSON bodies and repeated parameters", async () => {
  expectError(await service.call("GET", "/oauth/par"), 405, "method_not_allowed");
  expectError(await service.call("POST", "/oauth/par", { body: { client_id: service.web.clientId } }), 415, "unsupported_media_type");
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = `client_id=${service.web.clientId}&client_secret=${service.web.secret}&scope=openid&scope=email`;
  expectError(await service.call("POST", "/oauth/par", { body, headers }), 400, "invalid_request", "more than once");
});

test("a public client pushes with its id and PKCE, and not without PKCE", async () => {
  const uri = await pushedUri(service, service.spa);
  expect((await openPushed(service.browser(), service.spa, uri)).kind).toBe("login");
  expectError(
    await push(service, service.spa, { code_challenge: undefined, code_challenge_method: undefined }),
    400,
    "invalid_request",
    "PKCE",
  );
});

test("a request that was pushed by one client cannot be opened for another, and no response goes to a redirect URI", async () => {
  const uri = await pushedUri(service, service.web);
  for (const [client_id, request_uri] of [
    [service.spa.clientId, uri],
    ["unknown-app", uri],
    [service.web.clientId, `${uri}x`],
    [service.web.clientId, "urn:ietf:params:oauth:request_uri:"],
  ] as const) {
    expect(await openPushed(service.browser(), { clientId: client_id }, request_uri)).toMatchObject({ kind: "page", status: 400 });
  }
  expect((await openPushed(service.browser(), service.web, uri)).kind).toBe("login");
});

test("a request is opened within its lifetime, and the login may take longer", async () => {
  const app = await service.register({ secret: true, par_request_expiry: 120 });
  const first = await pushedUri(service, app);
  const second = await pushedUri(service, app);
  service.clock.advance("119s");
  const browser = service.browser();
  const opened = await openPushed(browser, app, first);
  service.clock.advance("1s");
  expect(await openPushed(service.browser(), app, second)).toMatchObject({ kind: "page", status: 400 });
  service.clock.advance("30m");
  successParameters(await signInAtLoginPage(browser, opened, service.ada));
});

test("a page that is loaded again before the login works, and a request that led to a code does not work again", async () => {
  const uri = await pushedUri(service, service.web);
  const [browser, other] = [service.browser(), service.browser()];
  const first = await openPushed(browser, service.web, uri);
  const reloaded = await openPushed(browser, service.web, uri);
  const elsewhere = await openPushed(other, service.web, uri);
  successParameters(await signInAtLoginPage(browser, reloaded, service.ada));
  for (const again of [browser, other, service.browser()])
    expect(await openPushed(again, service.web, uri)).toMatchObject({
      kind: "page",
      status: 400,
      html: expect.stringContaining("invalid_request_uri"),
    });
  // Logins that opened the request before end without a code.
  const state = loginState(elsewhere);
  await submitStep(other, state, { action: "continue", identifier: service.bob.email });
  const late = await submit(other, state, { action: "sign-in", password: service.bob.password });
  expect(late).toMatchObject({ kind: "page", status: 400 });
  expect(first.kind).toBe("login");
});

test("a form that is submitted twice in the login of the request gets a response both times", async () => {
  const browser = service.browser();
  const state = loginState(await openPushed(browser, service.web, await pushedUri(service, service.web)));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  const html = await (await openStep(browser, state)).text();
  const action = { action: "sign-in", password: service.ada.password } as const;
  const results = await Promise.all(
    [sendForm(browser, html, action), sendForm(browser, html, action)].map(async (sent) => readResult(await sent)),
  );
  expect(results.map(({ kind }) => kind)).toContain("response");
  for (const result of results) expect(result).not.toMatchObject({ kind: "page" });
});

test("a user who declines leaves the request usable, so that the client can repeat it", async () => {
  const app = await service.register({ secret: true, is_first_party: false });
  const browser = service.browser();
  const uri = await pushedUri(service, app, { prompt: "consent login" });
  const state = loginState(await openPushed(browser, app, uri));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
  expect(errorParameters(await submit(browser, state, { action: "deny" }))["error"]).toBe("access_denied");
  expect((await openPushed(browser, app, uri)).kind).toBe("login");
});

test("client and tenant can require pushed requests: others end on a page, also those of sign-in links", async () => {
  const app = await service.register({ secret: true, require_pushed_authorization_requests: true });
  expect(await sendAuthorization(service.browser(), app)).toMatchObject({
    kind: "page",
    status: 400,
    html: expect.stringContaining("/oauth/par"),
  });
  expect((await openPushed(service.browser(), app, await pushedUri(service, app))).kind).toBe("login");

  const strict = await openService();
  jsonBody(await strict.manage("PATCH", "/api/v2/tenants/settings", { flags: { require_pushed_authorization_requests: true } }));
  strict.clock.advance("6s");
  expect(await sendAuthorization(strict.browser(), strict.web)).toMatchObject({ kind: "page", status: 400 });
  expect((await openPushed(strict.browser(), strict.web, await pushedUri(strict, strict.web))).kind).toBe("login");
  expect(jsonBody(await strict.call("GET", "/.well-known/openid-configuration"))).toMatchObject({
    require_pushed_authorization_requests: true,
    pushed_authorization_request_endpoint: `${strict.postern.issuer}oauth/par`,
  });
});

test("discovery names the endpoint only if the tenant accepts pushed requests, and then it exists", async () => {
  const closed = await openService();
  expect(jsonBody(await closed.call("GET", "/.well-known/openid-configuration"))).not.toHaveProperty(
    "pushed_authorization_request_endpoint",
  );
  expectError(await push(closed, closed.web), 404, "not_found", "pushed_authorization_requests_supported");
  const required = await closed.register({ secret: true, require_pushed_authorization_requests: true });
  expect((await push(closed, required)).status).toBe(201);
  expect(jsonBody(await service.call("GET", "/.well-known/openid-configuration"))).toMatchObject({
    pushed_authorization_request_endpoint: `${service.postern.issuer}oauth/par`,
  });
});

test("a callback that was removed after the push receives no response", async () => {
  const app = await service.register({ secret: true, callbacks: ["https://one.example.test/", "https://two.example.test/"] });
  const uri = await pushedUri(service, app);
  jsonBody(await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, { callbacks: ["https://two.example.test/"] }));
  service.clock.advance("6s");
  expect(await openPushed(service.browser(), app, uri)).toMatchObject({ kind: "page", status: 400 });
});

test("a rejected push is an event `fpar` of the tenant's log", async () => {
  const before = (await auditEvents(service.manage, "fpar")).length;
  await push(service, service.web, { scope: 'openid "' });
  expect((await auditEvents(service.manage, "fpar")).length).toBe(before + 1);
});

test("an address that pushes many requests of a public client has to wait", async () => {
  const limited = await openPushingService({ limits: { loginSessionBytesPerAddress: 50_000 } });
  const hint = { state: "x".repeat(8000) };
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) statuses.push((await push(limited, limited.spa, hint)).status);
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
  // A client that authenticates is known.
  expect((await push(limited, limited.web, hint)).status).toBe(201);
});
