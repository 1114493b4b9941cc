import { beforeAll, expect, test } from "vitest";
import { formFields, type Browser } from "../support/browser.ts";
import {
  followRedirects,
  sendAuthorization,
  authorizeParameters,
  codeGrant,
  successParameters,
  login,
  loginState,
  getFlow,
  openService,
  readRedirect,
  redirectOf,
  screenName,
  signInAtLoginPage,
  submitStep,
  submit,
  tokens,
  readResult,
  type LoginService,
  type FlowResult,
} from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const begin = async (browser: Browser, requested = {}): Promise<string> =>
  loginState(await sendAuthorization(browser, service.web, requested));
const openLogin = (browser: Browser, state: string): Promise<Response> => browser.get(`/u/login?${new URLSearchParams({ state })}`);

test("completes 20 interleaved login sessions of one browser, in any order, each with its own response", async () => {
  const browser = service.browser();
  const states = Array.from({ length: 20 }, (_, number) => `tab-${number}`);
  const loginSessions: string[] = [];
  for (const state of states) loginSessions.push(await begin(browser, { state }));
  expect(browser.cookies.size).toBe(1);

  const order = states.map((_, index) => (index * 7) % 20);
  const send = async (index: number, form: { readonly [name: string]: string }): Promise<FlowResult> =>
    followRedirects(
      browser,
      await browser.post("/u/login", { form: { state: loginSessions[index] ?? "", csrf: tokensOfForms[index] ?? "", ...form } }),
    );
  const tokensOfForms = await Promise.all(
    loginSessions.map(async (state) => formFields(await (await openLogin(browser, state)).text())["csrf"]),
  );
  for (const index of order) await send(index, { action: "continue", identifier: service.ada.email });
  for (const index of order.toReversed()) {
    const { code, state } = successParameters(await send(index, { action: "sign-in", password: service.ada.password }));
    expect(state).toBe(states[index]);
    tokens(await service.exchange(codeGrant(service.web, code ?? "")));
  }
  expect(browser.cookies.size, "the cookies for the browser, the session and the remembered account").toBe(3);
  for (const value of browser.cookies.values()) expect(value.length).toBeLessThan(64);
});

test("completes 20 logins that parallel tabs of a browser without cookies started, whichever cookie remains", async () => {
  const browser = service.browser();
  const url = `/authorize?${new URLSearchParams(authorizeParameters(service.web))}`;
  // Each request is sent before the first response arrives, so each response sets another cookie.
  const opened = await Promise.all(Array.from({ length: 20 }, () => browser.get(url)));
  const loginSessions = await Promise.all(opened.map(async (response) => loginState(await readResult(response))));
  const pages = await Promise.all(
    loginSessions.map(async (state, index) => {
      // A tab's page is requested while the cookies of other tabs arrive.
      const cookie = opened[index]?.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
      return (await browser.get(`/u/login?${new URLSearchParams({ state })}`, { headers: { cookie } })).text();
    }),
  );
  const codes = await Promise.all(
    pages.map(async (page) => {
      const { state = "", csrf = "" } = formFields(page);
      await browser.post("/u/login", { form: { state, csrf, action: "continue", identifier: service.ada.email } });
      const { password } = service.ada;
      return (
        successParameters(await readResult(await browser.post("/u/login", { form: { state, csrf, action: "sign-in", password } })))[
          "code"
        ] ?? ""
      );
    }),
  );
  for (const code of codes) tokens(await service.exchange(codeGrant(service.web, code)));
});

test("shows a login session only to the first browser that requests it", async () => {
  const browser = service.browser();
  await begin(browser);
  const state = await begin(browser);
  expect((await openLogin(browser, state)).status).toBe(200);
  const other = service.browser();
  await begin(other);
  for (const stranger of [service.browser(), other]) {
    const page = await openLogin(stranger, state);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain("login_expired");
    expect((await stranger.get(`/u/flow?${new URLSearchParams({ state })}`)).status).toBe(400);
  }
  expect((await openLogin(browser, state)).status).toBe(200);
});

test("continues a tab with the new cookie if another tab replaced its cookie before the page was requested", async () => {
  const browser = service.browser();
  const late = service.browser();
  await begin(late);
  await begin(browser);
  const state = await begin(browser);
  // The response to a tab that was opened before the browser had a cookie arrives last.
  for (const [name, value] of late.cookies) browser.cookies.set(name, value);
  successParameters(await signInAtLoginPage(browser, { kind: "login", state }, service.ada));
});

test("binds a login session to the first of two browsers that request it", async () => {
  const state = await begin(service.browser());
  const [first, second] = [service.browser(), service.browser()];
  await begin(first);
  await begin(second);
  const seen = await Promise.all([openLogin(first, state), openLogin(second, state)]);
  expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200, 400]));
});

test("expires a login session after an hour, and rejects an unknown login session or one of another tenant at once", async () => {
  const browser = service.browser();
  const state = await begin(browser);
  expect((await openLogin(browser, `main.${"x".repeat(32)}`)).status).toBe(400);
  expect((await openLogin(browser, state.replace(/^main/, "other"))).status).toBe(400);
  expect((await browser.get(`/u/login?${new URLSearchParams({ state })}`, { headers: { "tenant-id": "other" } })).status).toBe(400);
  expect((await openLogin(browser, state.slice("main.".length))).status).toBe(400);
  expect((await openLogin(browser, "")).status).toBe(400);
  service.clock.advance("59m");
  expect((await openLogin(browser, state)).status).toBe(200);
  service.clock.advance("1m");
  const page = await openLogin(browser, state);
  expect(page.status).toBe(400);
  expect(page.headers.get("location")).toBeNull();
});

test("a form from an outdated page leads to the current step of the login session", async () => {
  const browser = service.browser();
  const state = await begin(browser);
  const { csrf = "" } = formFields(await (await openLogin(browser, state)).text());
  const send = (form: { readonly [name: string]: string }) => browser.post("/u/login", { form: { state, csrf, ...form } });
  await send({ action: "continue", identifier: "wrong@example.test" });
  await send({ action: "continue", identifier: service.ada.email });
  expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "password", identifier: service.ada.email } });
  const first = successParameters(await readResult(await send({ action: "sign-in", password: service.ada.password })));
  const repeated = successParameters(await readResult(await openLogin(browser, state)));
  expect(repeated["state"]).toBe(first["state"]);
  expect(repeated["code"]).not.toBe(first["code"]);
  const twice = successParameters(await readResult(await send({ action: "sign-in", password: service.ada.password })));
  for (const { code = "" } of [first, repeated, twice]) tokens(await service.exchange(codeGrant(service.web, code)));
});

test("ignores an action that the current screen does not have", async () => {
  const browser = service.browser();
  const state = await begin(browser);
  for (const action of ["accept", "continue-as"] as const)
    expect(screenName(await submitStep(browser, state, { action }))).toBe("identifier");
  await submit(browser, state, { action: "continue", identifier: service.ada.email });
  expect(screenName(await submitStep(browser, state, { action: "accept" }))).toBe("password");
  expect(screenName(await submitStep(browser, state, { action: "change-identifier" }))).toBe("identifier");
});

test("responds to each of several parallel forms of one login session, and a later identifier replaces the earlier ones", async () => {
  const browser = service.browser();
  const state = await begin(browser);
  await Promise.all(
    ["a", "b", "c", "d"].map((name) => submitStep(browser, state, { action: "continue", identifier: `${name}@example.test` })),
  );
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  const signed = await Promise.all(
    Array.from({ length: 4 }, () => submitStep(browser, state, { action: "sign-in", password: service.ada.password })),
  );
  for (const reply of signed) tokens(await service.exchange(codeGrant(service.web, successParameters(redirectOf(reply))["code"] ?? "")));
});

test("the JSON flow API and the forms behave alike", async () => {
  const json = service.browser();
  const byJson = successParameters(await signInAtLoginPage(json, await sendAuthorization(json, service.web), service.ada));
  const forms = service.browser();
  const state = await begin(forms);
  await submit(forms, state, { action: "continue", identifier: service.ada.email });
  const byForms = successParameters(await submit(forms, state, { action: "sign-in", password: service.ada.password }));
  expect(Object.keys(byForms)).toEqual(Object.keys(byJson));
  expect([...forms.cookies.keys()]).toEqual([...json.cookies.keys()]);
});

test("redirects a client of the JSON flow API to a page if the response mode requires one", async () => {
  const browser = service.browser();
  const result = await sendAuthorization(browser, service.web, { response_mode: "form_post" });
  const state = loginState(result);
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  const { redirect_to: page } = await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
  expect(readRedirect(String(page))).toEqual({ kind: "login", state });
  expect(await readResult(await openLogin(browser, state))).toMatchObject({
    mode: "form_post",
    to: service.web.redirectUri,
    parameters: { state: "st-1" },
  });
});

test("a session expires after its idle and its absolute lifetime, and the next request requires a login", async () => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  service.clock.advance("71h");
  expect((await sendAuthorization(browser, service.web)).kind, "each use extends the idle lifetime").toBe("response");
  service.clock.advance("71h");
  expect((await sendAuthorization(browser, service.web)).kind).toBe("response");
  service.clock.advance("72h");
  expect((await sendAuthorization(browser, service.web)).kind).toBe("login");
});

test("cookies are bound to this host, not readable by scripts, and contain no data", async () => {
  const browser = service.browser();
  const result = await sendAuthorization(browser, service.web);
  await signInAtLoginPage(browser, result, service.ada);
  expect([...browser.cookies.keys()]).toEqual([
    "__Host-postern_browser_main",
    "__Host-postern_session_main",
    "__Host-postern_accounts_main",
  ]);
  const response = await service.browser().get(`/authorize?${new URLSearchParams(authorizeParameters(service.web))}`);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-postern_browser_main=[A-Za-z0-9_-]{32}; Path=\/; HttpOnly; Secure; SameSite=None$/),
  ]);
});

test("a tab whose cookie was replaced by another tab can complete its login with the pages that it shows", async () => {
  const fresh = () => service.browser(new Map());
  const [first, second] = [fresh(), fresh()];
  const state = loginState(await sendAuthorization(first, service.web));
  const html = await (await first.get(`/u/login?${new URLSearchParams({ state })}`)).text();
  // The other tab was opened at the same time, and its cookie is the one that remains.
  await sendAuthorization(second, service.web);
  const now = service.browser(second.cookies);
  const { state: sent = "", step: at = "", csrf = "" } = formFields(html);
  const post = (form: { readonly [name: string]: string }) => now.post("/u/login", { form });
  const named = await readResult(await post({ state: sent, step: at, csrf, action: "continue", identifier: service.ada.email }));
  expect(named).toMatchObject({ kind: "login", step: "password" });
  const page = await (await now.get(`/u/login?${new URLSearchParams({ state, step: "password" })}`)).text();
  expect(page).toContain(service.ada.email);
  successParameters(await submit(now, state, { action: "sign-in", password: service.ada.password }));
});
