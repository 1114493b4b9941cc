import { openDatabase } from "@postern/kysely/url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  claimsOf,
  followRedirects,
  getFlow,
  loginState,
  openStep,
  redirectOf,
  screenName,
  sendForm,
  sendStep,
  submitStep,
  successParameters,
  type TestAccount,
} from "../support/flow.ts";
import { enrollApp, exchangeLoginCode, openFactorService, totpAt, type FactorService } from "./support.ts";

/** Parallel and repeated requests with the codes of second factors, on SQLite. */

let service: FactorService;
let close: () => Promise<void>;
let serial = 0;

beforeAll(async () => {
  const data = await openDatabase("sqlite::memory:");
  await data.migrate();
  service = await openFactorService({ data });
  close = () => service.postern.close();
});
afterAll(async () => {
  await close();
});

/** Adds a user with an authenticator app. The code of the current time step is unused. */
async function addUser(): Promise<TestAccount & { readonly secret: string }> {
  const account = await service.addUser(`racer-${serial++}@example.test`);
  const { secret } = await enrollApp({ ...service, ada: account }, service.browser());
  service.clock.advance("31s");
  return { ...account, secret };
}

const codeNow = (secret: string): string => totpAt(secret, service.clock.now());

/** Begins a login and enters the password. @returns the state of the login session, which requires the factor. */
async function toFactor(browser: Browser, account: TestAccount, parameters = {}): Promise<string> {
  const state = loginState(await sendAuthorization(browser, service.web, parameters));
  await enterPassword(browser, state, account);
  return state;
}

async function enterPassword(browser: Browser, state: string, { email, password }: TestAccount): Promise<void> {
  await submitStep(browser, state, { action: "continue", identifier: email });
  expect(screenName(await submitStep(browser, state, { action: "sign-in", password }))).toBe("factor");
}

/** Returns the sessions of a user with their authentication methods. The time of the last request is left out. */
async function sessionsOf({ userId }: TestAccount): Promise<readonly object[]> {
  const found = await service.data.collections.sessions.find({ where: { tenant_id: "main", user_id: userId }, limit: 100 });
  return found.map(({ id, authenticated_at: at, authentication, revoked_at: revoked }) => ({ id, at, authentication, revoked }));
}
const factorsOf = async ({ userId }: TestAccount): Promise<readonly object[]> =>
  service.data.collections.factors.find({ where: { tenant_id: "main", user_id: userId }, limit: 100 });

/** Returns the user of a completed login. */
async function subjectOf(parameters: { readonly [name: string]: string }): Promise<unknown> {
  return claimsOf(stringMember(await exchangeLoginCode(service, parameters["code"] ?? ""), "id_token")).sub;
}

test("one of thirty-two logins that submit the same authenticator code in parallel is completed", async () => {
  const account = await addUser();
  const logins: (readonly [Browser, string])[] = [];
  for (let i = 0; i < 32; i++) {
    const browser = service.browser();
    logins.push([browser, await toFactor(browser, account)]);
  }
  const before = (await sessionsOf(account)).length;
  const code = codeNow(account.secret);
  const responses = await Promise.all(logins.map(([browser, state]) => sendStep(browser, state, { action: "enter-factor-code", code })));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status } of responses) expect([200, 400, 429, 503]).toContain(status);
  expect(await sessionsOf(account)).toHaveLength(before + 1);
  const signedIn = logins.filter(([{ cookies }]) => [...cookies.keys()].some((name) => name.includes("postern_session")));
  expect(signedIn).toHaveLength(1);
});

test("thirty-two parallel forms with one authenticator code use the code once, and sign in only the browser of the login", async () => {
  const account = await addUser();
  const browser = service.browser();
  const state = await toFactor(browser, account);
  const before = (await sessionsOf(account)).length;
  const html = await (await openStep(browser, state)).text();
  const code = codeNow(account.secret);
  const others = Array.from({ length: 8 }, () => service.browser());
  const sent = [...Array.from({ length: 24 }, () => browser), ...others];
  await Promise.all(sent.map((from) => sendForm(from, html, { action: "enter-factor-code", code })));
  expect((await sessionsOf(account)).length).toBeGreaterThan(before);
  expect(others.map(({ cookies }) => cookies.size)).toEqual(others.map(() => 0));
  const next = service.browser();
  const rejected = await sendStep(next, await toFactor(next, account), { action: "enter-factor-code", code });
  expect(rejected.status).toBe(400);
});

test("the factor of one of two tabs signs in only the user of that tab", async () => {
  const [first, second] = [await addUser(), await addUser()];
  const browser = service.browser();
  const firstTab = await toFactor(browser, first);
  const secondTab = await toFactor(browser, second);
  const before = await sessionsOf(second);
  const rejected = await sendStep(browser, secondTab, { action: "enter-factor-code", code: codeNow(first.secret) });
  expect(rejected.status).toBe(400);
  const completed = await submitStep(browser, firstTab, { action: "enter-factor-code", code: codeNow(first.secret) });
  expect(await subjectOf(successParameters(redirectOf(completed)))).toBe(first.userId);
  expect(await sessionsOf(second)).toEqual(before);
  expect(screenName(await getFlow(browser, secondTab))).toBe("factor");
  const next = await submitStep(browser, secondTab, { action: "enter-factor-code", code: codeNow(second.secret) });
  expect(await subjectOf(successParameters(redirectOf(next)))).toBe(second.userId);
});

test("the factor of one user does not complete the sign-in of another user in the same login", async () => {
  const [first, second] = [await addUser(), await addUser()];
  const browser = service.browser();
  const state = await toFactor(browser, first);
  await submitStep(browser, state, { action: "other-account" });
  await enterPassword(browser, state, second);
  const before = await sessionsOf(first);
  const rejected = await sendStep(browser, state, { action: "enter-factor-code", code: codeNow(first.secret) });
  expect(rejected.status).toBe(400);
  expect(await sessionsOf(first)).toEqual(before);
  const completed = await submitStep(browser, state, { action: "enter-factor-code", code: codeNow(second.secret) });
  expect(await subjectOf(successParameters(redirectOf(completed)))).toBe(second.userId);
});

test("a session of another user in the same browser does not satisfy a pending sign-in", async () => {
  const [first, second] = [await addUser(), await addUser()];
  const browser = service.browser();
  const firstState = await toFactor(browser, first);
  await submitStep(browser, firstState, { action: "enter-factor-code", code: codeNow(first.secret) });
  const state = await toFactor(browser, second, { prompt: "login" });
  expect(screenName(await getFlow(browser, state))).toBe("factor");
  const { code = "" } = successParameters(await sendAuthorization(browser, service.web, { prompt: "none" }));
  expect(await subjectOf({ code })).toBe(first.userId);
});

test("a repeated form of the factor page changes nothing after the login is complete", async () => {
  const account = await addUser();
  const browser = service.browser();
  const state = await toFactor(browser, account);
  const html = await (await openStep(browser, state)).text();
  const sendCode = async () =>
    followRedirects(browser, await sendForm(browser, html, { action: "enter-factor-code", code: codeNow(account.secret) }));
  successParameters(await sendCode());
  const [sessions, factors] = [await sessionsOf(account), await factorsOf(account)];
  for (const delay of ["31s", "31s"]) {
    service.clock.advance(delay);
    const { kind } = await sendCode();
    expect(["response", "page"]).toContain(kind);
    expect(await sessionsOf(account)).toEqual(sessions);
    expect(await factorsOf(account)).toEqual(factors);
  }
});

test("a repeated form of the page that added a factor changes nothing after the login is complete", async () => {
  const account = await service.addUser(`racer-${serial++}@example.test`);
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  await submitStep(browser, state, { action: "continue", identifier: account.email });
  await submitStep(browser, state, { action: "sign-in", password: account.password });
  await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" });
  const html = await (await openStep(browser, state)).text();
  const [, secret = ""] = /secret=([A-Z2-7]+)/.exec(html) ?? [];
  await sendForm(browser, html, { action: "confirm-new-factor", code: codeNow(secret) });
  await submitStep(browser, state, { action: "recovery-code-stored" });
  const [sessions, factors] = [await sessionsOf(account), await factorsOf(account)];
  expect(factors).toHaveLength(2);
  for (const action of ["confirm-new-factor", "choose-new-factor"] as const) {
    service.clock.advance("31s");
    await sendForm(browser, html, { action, code: codeNow(secret), factor: "totp" });
    expect(await sessionsOf(account)).toEqual(sessions);
    expect(await factorsOf(account)).toEqual(factors);
  }
});
