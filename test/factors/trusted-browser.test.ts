import { beforeEach, expect, test } from "vitest";
import { openSecurity } from "../account/support.ts";
import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  loginState,
  openStep,
  readResult,
  redirectOf,
  screenName,
  sendAuthorization,
  sendForm,
  submitStep,
  successParameters,
  type TestAccount,
} from "../support/flow.ts";
import { openFactorService, screenOf, totpAt, totpOf, type FactorService } from "./support.ts";

/** The cookie of browsers in which users are not asked for a factor again. */
const cookieName = "__Host-postern_trusted_main";

let service: FactorService;

beforeEach(async () => {
  service = await openFactorService();
});

/** Signs in with the password in a new login, up to the next screen or the response. */
async function signIn(browser: Browser, { email, password }: TestAccount): Promise<{ readonly state: string; readonly reply: JsonBody }> {
  const state = loginState(await sendAuthorization(browser, service.web, { prompt: "login" }));
  await submitStep(browser, state, { action: "continue", identifier: email });
  return { state, reply: await submitStep(browser, state, { action: "sign-in", password }) };
}

/** Adds an authenticator app in a login of another browser. @returns its key. */
async function enrollAppOf(account: TestAccount): Promise<string> {
  const browser = service.browser();
  const { state } = await signIn(browser, account);
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" }));
  const secret = stringMember(totpOf(chosen), "secret");
  await submitStep(browser, state, { action: "confirm-new-factor", code: codeNow(secret) });
  service.clock.advance("31s");
  return secret;
}

const codeNow = (secret: string): string => totpAt(secret, service.clock.now());

/** Signs in with the app, and chooses to trust the browser. */
async function trustBrowser(browser: Browser, account: TestAccount, secret: string): Promise<void> {
  const { state } = await signIn(browser, account);
  successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: codeNow(secret), remember: "true" })));
  service.clock.advance("31s");
}

/** Returns whether a login asks for the factor after the password. */
async function asksForFactor(browser: Browser, account: TestAccount): Promise<boolean> {
  const { reply } = await signIn(browser, account);
  return "screen" in reply && screenName(reply) === "factor";
}

async function setCheckbox(display: boolean): Promise<void> {
  const body = {
    display_remember_me_checkbox: display,
    remember_me_default_value: false,
    mfa_session_inactivity_timeout: 604_800,
    mfa_session_overall_timeout: 2_592_000,
  };
  jsonBody(await service.manage("PUT", "/api/v2/guardian/settings", body));
  service.clock.advance("10s");
}

test("a cookie that a user noted on a shared computer does not skip the factor of a later user", async () => {
  const [adas, bobs] = [await enrollAppOf(service.ada), await enrollAppOf(service.bob)];
  const shared = service.browser();
  await trustBrowser(shared, service.ada, adas);
  const noted = service.browser(shared.cookies);
  await trustBrowser(shared, service.bob, bobs);
  expect([await asksForFactor(shared, service.ada), await asksForFactor(shared, service.bob)]).toEqual([false, false]);
  expect([await asksForFactor(noted, service.ada), await asksForFactor(noted, service.bob)]).toEqual([false, true]);
});

test("a cookie that was in the browser before the user trusted it does not skip the user's factor", async () => {
  const bobs = await enrollAppOf(service.bob);
  const planted = new Map([[cookieName, "a".repeat(43)]]);
  const shared = service.browser(planted);
  await trustBrowser(shared, service.bob, bobs);
  expect(await asksForFactor(shared, service.bob)).toBe(false);
  expect(await asksForFactor(service.browser(planted), service.bob)).toBe(true);
});

test("the cookie lasts as long as the newest trust can", async () => {
  const secret = await enrollAppOf(service.ada);
  const browser = service.browser();
  const { state } = await signIn(browser, service.ada);
  const html = await (await openStep(browser, state)).text();
  const response = await sendForm(browser, html, { action: "enter-factor-code", code: codeNow(secret), remember: "true" });
  const cookies = response.headers.getSetCookie().filter((cookie) => cookie.startsWith(cookieName));
  expect(cookies).toEqual([expect.stringMatching(/; Max-Age=2592000$/)]);
});

test("a tenant that does not offer to remember browsers asks for the factor in trusted browsers too, and shows none to the user", async () => {
  const secret = await enrollAppOf(service.ada);
  const browser = service.browser();
  await trustBrowser(browser, service.ada, secret);
  expect((await openSecurity(browser)).html).toContain("forget-browsers");
  await setCheckbox(false);
  expect(await asksForFactor(browser, service.ada)).toBe(true);
  expect((await openSecurity(browser)).html).not.toContain("forget-browsers");
});

test("trust that ended when the tenant stopped to offer it does not return when the tenant offers it again", async () => {
  const secret = await enrollAppOf(service.ada);
  const browser = service.browser();
  await trustBrowser(browser, service.ada, secret);
  await setCheckbox(false);
  await setCheckbox(true);
  expect(await asksForFactor(browser, service.ada)).toBe(true);
  await trustBrowser(browser, service.ada, secret);
  expect(await asksForFactor(browser, service.ada)).toBe(false);
});

test.each(["page", "flow API"])(
  "a forged 'remember' on the %s does nothing if the tenant does not offer to remember browsers",
  async (by) => {
    const secret = await enrollAppOf(service.ada);
    await setCheckbox(false);
    const browser = service.browser();
    const { state, reply } = await signIn(browser, service.ada);
    expect(screenOf(reply)).not.toHaveProperty("remember");
    const forged = { action: "enter-factor-code", code: codeNow(secret), remember: "true" } as const;
    if (by === "page") {
      const html = await (await openStep(browser, state)).text();
      expect(html).not.toContain('name="remember"');
      successParameters(await readResult(await sendForm(browser, html, forged)));
    } else successParameters(redirectOf(await submitStep(browser, state, forged)));
    expect([...browser.cookies.keys()]).not.toContain(cookieName);
    expect(await service.data.collections.trusted_browsers.count({ tenant_id: "main", user_id: service.ada.userId })).toBe(0);
    await setCheckbox(true);
    expect(await asksForFactor(browser, service.ada)).toBe(true);
  },
);
