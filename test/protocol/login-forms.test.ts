import { beforeAll, expect, test } from "vitest";
import { auditEvents, jsonBody, stringMember } from "../support/api.ts";
import { formFields, type Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  codeGrant,
  successParameters,
  login,
  loginState,
  getFlow,
  openService,
  readRedirect,
  redirectOf,
  errorParameters,
  screenName,
  sendStep,
  signInAtLoginPage,
  submitStep,
  submit,
  tokens,
  readResult,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const begin = async (browser: Browser, identifierScreen = {}): Promise<string> =>
  loginState(await sendAuthorization(browser, service.web, identifierScreen));

test.each([
  ["without a token", { csrf: "" }, {}, 400],
  ["with a token of another login session", {}, {}, 403],
  ["with a random token", { csrf: "x".repeat(43) }, {}, 403],
  ["from another site", undefined, { origin: "https://evil.example.test" }, 403],
  ["with the origin null", undefined, { origin: "null" }, 403],
  ["from another port", undefined, { origin: "https://id.example.test:8443" }, 403],
  ["from another scheme", undefined, { origin: "http://id.example.test" }, 403],
])("ignores a form %s", async (_, changed, headers, status) => {
  const browser = service.browser();
  const [state, otherState] = [await begin(browser), await begin(browser)];
  const [own, foreign] = [await getFlow(browser, state), await getFlow(browser, otherState)];
  const csrf = stringMember(changed === undefined ? own : foreign, "csrf");
  const sent = { state, csrf, action: "continue", identifier: "mallory@example.test", ...changed };
  const posted = [await browser.post("/u/login", { form: sent, headers }), await browser.post("/u/flow", { json: sent, headers })];
  for (const response of posted) expect([status, 403]).toContain(response.status);
  expect(posted[0]?.headers.get("location")).toBeNull();
  expect(screenName(await getFlow(browser, state))).toBe("identifier");
  service.clock.advance("5s");
  if (status === 403)
    expect((await auditEvents(service.manage, "f"))[0]?.["description"]).toBe("A login form was not submitted from its own page.");
});

test("accepts a form without an Origin header from the browser of the login session", async () => {
  const browser = service.browser();
  const state = await begin(browser);
  const { csrf = "" } = formFields(await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text());
  const bare = {
    cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; "),
    "content-type": "application/x-www-form-urlencoded",
  };
  const body = new URLSearchParams({ state, csrf, action: "continue", identifier: service.ada.email }).toString();
  const response = await service.postern.fetch(new Request(`${service.postern.issuer}u/login`, { method: "POST", headers: bare, body }));
  expect(readRedirect(response.headers.get("location") ?? "")).toEqual({ kind: "login", state, step: "password" });
  expect(screenName(await getFlow(browser, state))).toBe("password");
});

test("rejects a form that another browser was shown, also if the submitting browser has started another login", async () => {
  const browser = service.browser();
  const state = await begin(browser);
  const csrf = stringMember(await getFlow(browser, state), "csrf");
  const own = service.browser();
  await begin(own);
  const form = { state, csrf, action: "continue", identifier: "mallory@example.test" };
  // The Origin header of a forged post has another origin or "null", or is missing in old browsers.
  for (const origin of ["https://evil.example.test", "null"]) {
    for (const stranger of [own, service.browser()]) {
      expect([400, 403]).toContain((await stranger.post("/u/login", { form, headers: { origin } })).status);
    }
  }
  expect((await service.browser().post("/u/login", { form })).status).toBe(400);
  expect(screenName(await getFlow(browser, state))).toBe("identifier");
});

test("shows the same problem for a wrong password and an unknown user, and different problems for throttling and a missing field", async () => {
  const browser = service.browser();
  const signInResult = async (identifier: string, password: string): Promise<unknown> => {
    const state = await begin(browser);
    await submitStep(browser, state, { action: "continue", identifier });
    const response = await sendStep(browser, state, { action: "sign-in", password });
    return { status: response.status, body: await response.json() };
  };
  const dora = await service.addUser("dora@example.test");
  const wrong = await signInResult(dora.email, "not the password");
  expect(wrong).toMatchObject({ status: 403, body: { error: "INVALID_CREDENTIALS" } });
  expect(await signInResult("unknown@example.test", "not the password")).toEqual(wrong);
  await signInResult(dora.email, "not the password");
  await signInResult(dora.email, "not the password");
  expect(await signInResult(dora.email, dora.password)).toMatchObject({ status: 403, body: { error: "TOO_MANY_FAILED_LOGINS" } });
  expect(await signInResult(dora.email, "")).toMatchObject({ status: 400, body: { error: "invalid_request" } });
});

test("shows a problem on the page, and keeps the login session and the identifier", async () => {
  const browser = service.browser();
  const state = await begin(browser);
  await submit(browser, state, { action: "continue", identifier: service.bob.email });
  const result = await submit(browser, state, { action: "sign-in", password: "not the password" });
  expect(result).toMatchObject({ kind: "page", status: 200, html: expect.stringContaining('id="problem"') });
  expect(result).toMatchObject({ html: expect.stringContaining(`value="${service.bob.email}"`) });
  expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "password", identifier: service.bob.email } });
  successParameters(await submit(browser, state, { action: "sign-in", password: service.bob.password }));
});

test("tells users that they are blocked only after the correct password, and rejects their existing session", async () => {
  const eve = await service.addUser("eve@example.test");
  const browser = service.browser();
  await login(browser, service.web, eve);
  await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(eve.userId)}`, { blocked: true });
  const state = await begin(browser);
  await submitStep(browser, state, { action: "continue", identifier: eve.email });
  const wrong = await sendStep(browser, state, { action: "sign-in", password: "not the password" });
  expect([wrong.status, await wrong.json()]).toEqual([403, expect.objectContaining({ error: "INVALID_CREDENTIALS" })]);
  const right = await sendStep(browser, state, { action: "sign-in", password: eve.password });
  expect([right.status, await right.json()]).toEqual([
    400,
    expect.objectContaining({ error: "access_denied", error_description: "user is blocked" }),
  ]);
  expect(errorParameters(await sendAuthorization(browser, service.web, { prompt: "none" }))["error"]).toBe("login_required");
});

test("the account chooser continues with the current user, or signs in another user with a new session", async () => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const first = await begin(browser, { prompt: "select_account" });
  expect(await getFlow(browser, first)).toMatchObject({ screen: { name: "select-account", accounts: [{ email: service.ada.email }] } });
  const same = successParameters(redirectOf(await submitStep(browser, first, { action: "continue-as" })));
  expect((await service.userinfo(tokens(await service.exchange(codeGrant(service.web, same["code"] ?? ""))).access)).body).toMatchObject({
    sub: service.ada.userId,
  });
  const second = await begin(browser, { prompt: "select_account" });
  expect(screenName(await submitStep(browser, second, { action: "other-account" }))).toBe("identifier");
  const other = successParameters(await signInAtLoginPage(browser, { kind: "login", state: second }, service.bob));
  expect((await service.userinfo(tokens(await service.exchange(codeGrant(service.web, other["code"] ?? ""))).access)).body).toMatchObject({
    sub: service.bob.userId,
  });
  expect(screenName(await getFlow(browser, await begin(browser, { prompt: "select_account" })))).toBe("select-account");
});

test("the account chooser applies only to the account that it showed", async () => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const state = await begin(browser, { prompt: "select_account consent" });
  await submitStep(browser, state, { action: "continue-as" });
  // Another tab signs in another user.
  const other = loginState(await sendAuthorization(browser, service.web, { prompt: "login" }));
  await signInAtLoginPage(browser, { kind: "login", state: other }, service.bob);
  expect(screenName(await getFlow(browser, state))).toBe("select-account");
});

test("the page prompts for the identifiers that the connection supports", async () => {
  const options = { attributes: { username: { identifier: { active: true } }, phone_number: { identifier: { active: true } } } };
  await service.manage.create("/api/v2/connections", { name: "crew", strategy: "auth0", options });
  const browser = service.browser();
  const identifierScreen = async (connection?: string) => getFlow(browser, await begin(browser, { connection }));
  expect(await identifierScreen()).toMatchObject({ screen: { name: "identifier", kinds: ["email"] } });
  expect(await identifierScreen("crew")).toMatchObject({ screen: { name: "identifier", kinds: ["username", "phone"] } });
  const state = await begin(browser, { connection: "crew" });
  const result = await submit(browser, state, { action: "continue", identifier: " " });
  expect(result).toMatchObject({ kind: "page", html: expect.stringContaining('<label for="identifier">Username or phone number</label>') });
  expect(result).toMatchObject({ html: expect.stringContaining('id="problem"') });
});

test("prompt=select_account without a session prompts for an identifier", async () => {
  const browser = service.browser();
  expect(screenName(await getFlow(browser, await begin(browser, { prompt: "select_account" })))).toBe("identifier");
});

test("the error names the missing or invalid field of a step", async () => {
  const browser = service.browser();
  const state = await begin(browser);
  for (const identifier of ["", "   ", "x".repeat(321)]) {
    const response = await sendStep(browser, state, { action: "continue", identifier });
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ error: "invalid_request" })]);
  }
  const csrf = stringMember(await getFlow(browser, state), "csrf");
  const unknown = await browser.post("/u/flow", { json: { state, csrf, action: "become-admin" } });
  expect(unknown.status).toBe(400);
  expect(jsonBody({ status: unknown.status, headers: unknown.headers, body: await unknown.json() }, 400)["error_description"]).toContain(
    "action",
  );
});

test("rejects other content types, other methods and an oversized body", async () => {
  const browser = service.browser();
  const state = await begin(browser);
  const csrf = stringMember(await getFlow(browser, state), "csrf");
  const sent = { state, csrf, action: "continue", identifier: service.ada.email };
  expect((await browser.post("/u/login", { json: sent })).status).toBe(415);
  expect((await browser.post("/u/flow", { form: sent })).status).toBe(415);
  expect((await browser.post("/u/login", { form: { ...sent, identifier: "x".repeat(2_000_000) } })).status).toBe(413);
  expect((await readResult(await browser.get(`/u/login?${new URLSearchParams(sent)}`))).kind).toBe("page");
  expect(screenName(await getFlow(browser, state))).toBe("identifier");
});
