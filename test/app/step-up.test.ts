import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { acrValues, createTokenCheck, type SessionOptions, type Sessions, type TokenCheck } from "@postern/app";
import { requireToken, toExpressSessions } from "@postern/express";
import { requireToken as honoRequireToken, toHonoSessions } from "@postern/hono";
import { toNextSessions } from "@postern/next";
import express from "express";
import express4 from "express-4";
import { Hono } from "hono";
import { describe, expect, onTestFinished, test } from "vitest";
import { totpAt } from "../factors/support.ts";
import { claimsOf, loginState, readResult, redirectOf, submitStep } from "../support/flow.ts";
import { appUrl, openApp, type AppBrowser, type AppWithSessions, type RequestHandler } from "./app-browser.ts";
import { sendOverHttp } from "../support/send-over-http.ts";

const bank = "https://bank.example.test";
const totpSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const required = { acr: acrValues.multifactor, maxAge: 300 } as const;
const payments = { scopes: ["pay"], ...required } as const;
const location = `login?returnTo=%2Fpay%3Fid%3D1&acr_values=${encodeURIComponent(acrValues.multifactor)}&max_age=300`;

/** An app whose user has an authenticator app, which no policy requires. */
interface Bank extends AppWithSessions {
  readonly check: TokenCheck;
  /** Enters the code of the authenticator app for an authorization request. @returns the callback URL. */
  passFactor(browser: AppBrowser, url: string): Promise<string>;
}

async function openBank(options: Partial<SessionOptions> = {}, pages?: (sessions: Sessions) => RequestHandler): Promise<Bank> {
  const app = await openApp({ audience: bank, scope: "openid email pay", ...options }, pages);
  const { service } = app;
  await service.postern.seed({ tenantId: "main", apis: [{ identifier: bank, scopes: [{ value: "pay" }] }] });
  await service.manage("PUT", "/api/v2/guardian/factors/otp", { enabled: true });
  await service.manage("POST", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authentication-methods`, {
    type: "totp",
    name: "Phone",
    totp_secret: totpSecret,
  });
  const now = options.now ?? (() => service.clock.now());
  const check = createTokenCheck({ postern: service.postern, tenantId: "main", audience: bank, now });
  const passFactor: Bank["passFactor"] = async (browser, url) => {
    const state = loginState(await readResult(await browser.idp.get(url)));
    const reply = await submitStep(browser.idp, state, { action: "enter-factor-code", code: totpAt(totpSecret, service.clock.now()) });
    const result = redirectOf(reply);
    if (result.kind !== "response") throw new Error(`no authorization response: ${JSON.stringify(result)}`);
    return `${result.to}?${new URLSearchParams(result.parameters)}`;
  };
  return { ...app, check, passFactor };
}

const paths = { pay: "/pay?id=1", api: "/api", token: "/token" };

/** Pages that any framework with `Request` and `Response` can have. */
const plain =
  (sessions: Sessions, check: () => TokenCheck): RequestHandler =>
  async (request) => {
    const own = await sessions.handle(request);
    if (own !== undefined) return own;
    const { pathname } = new URL(request.url);
    if (pathname === "/api") {
      const claims = await check().requireToken(request, payments);
      return claims instanceof Response ? claims : Response.json({ sub: claims.sub });
    }
    if (pathname === "/token") return Response.json({ token: await sessions.getAccessToken(request) });
    const session = await sessions.requireSession(request, required);
    return session instanceof Response ? session : Response.json({ acr: session.acr });
  };

function expressApp(createApp: typeof express, sessions: Sessions, url: string, check: TokenCheck): RequestListener {
  const auth = toExpressSessions(sessions, url);
  const app = createApp();
  app.use(auth.routes);
  app.get("/pay", auth.requireSession(required), async (request, response) => {
    response.json({ acr: (await auth.getSession(request, response))?.acr });
  });
  app.get("/token", async (request, response) => void response.json({ token: await auth.getAccessToken(request, response) }));
  const pay = requireToken(check, payments);
  app.get("/api", pay, (request, response) => void response.json({ sub: pay.claims(request).sub }));
  return app;
}

const overHttp: { readonly [name: string]: (sessions: Sessions, url: string, check: TokenCheck) => RequestListener } = {
  "Express 5": (sessions, url, check) => expressApp(express, sessions, url, check),
  "Express 4": (sessions, url, check) => expressApp(express4 as unknown as typeof express, sessions, url, check),
  Hono: (sessions, url, check) => {
    const auth = toHonoSessions(sessions, url);
    const app = new Hono();
    app.use(auth.routes);
    app.get("/pay", auth.requireSession(required), (c) => c.json({ acr: c.get("session").acr }));
    app.get("/token", async (c) => c.json({ token: await auth.getAccessToken(c) }));
    app.get("/api", honoRequireToken(check, payments), (c) => c.json({ sub: c.get("token").sub }));
    const listener = getRequestListener(app.fetch);
    return (request, response) => void listener(request, response);
  },
};

/** Opens the app with the pages of a framework. */
async function openWith(framework: string): Promise<Bank & { readonly url: string }> {
  const createApp = overHttp[framework];
  if (createApp === undefined) {
    const opened: { check?: TokenCheck } = {};
    const app = await openBank({}, (sessions) => plain(sessions, () => opened.check ?? expect.fail("no token check")));
    opened.check = app.check;
    return { ...app, url: appUrl };
  }
  let listener: RequestListener = (_, response) => response.end();
  const server = createServer((request, response) => listener(request, response)).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const app = await openBank({ appUrl: url, now: Date.now }, () => sendOverHttp);
  app.service.clock.advance(Date.now() - app.service.clock.now());
  listener = createApp(app.sessions, url, app.check);
  return { ...app, url };
}

const accessToken = async (browser: AppBrowser): Promise<string> =>
  ((await (await browser.send(paths.token)).json()) as { token: string }).token;

test.each([...Object.keys(overHttp), "no framework"])("%s: a page and an API step the user up to a second factor", async (framework) => {
  const { service, passFactor, openBrowser, url } = await openWith(framework);
  const browser = openBrowser();
  await browser.signIn(service.ada);
  const headers = { authorization: `Bearer ${await accessToken(browser)}`, "sec-fetch-mode": "cors" };

  const refused = await browser.send(paths.api, { headers });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe(
    `Bearer error="insufficient_user_authentication", error_description="a second factor is required", acr_values="${acrValues.multifactor}", max_age="300"`,
  );
  expect(await refused.json()).toEqual({ error: "insufficient_user_authentication", error_description: "a second factor is required" });

  const redirected = await browser.send(paths.pay);
  expect([redirected.status, redirected.headers.get("location")]).toEqual([303, `${url}${location}`]);
  const started = await browser.send(redirected.headers.get("location") ?? "");
  const callback = await browser.send(await passFactor(browser, started.headers.get("location") ?? ""));
  expect(callback.headers.get("location")).toBe(`${url}pay?id=1`);
  expect(await (await browser.send(paths.pay)).json()).toEqual({ acr: acrValues.multifactor });

  const stepped = await accessToken(browser);
  expect(claimsOf(stepped)).toMatchObject({ acr: acrValues.multifactor, amr: ["pwd", "otp", "mfa"], auth_time: expect.any(Number) });
  const accepted = await browser.send(paths.api, { headers: { authorization: `Bearer ${stepped}` } });
  expect([accepted.status, await accepted.json()]).toEqual([200, { sub: service.ada.userId }]);
});

test("Next.js: a server component steps the user up, with the base path of the app", async () => {
  const url = `${appUrl}shop/`;
  const app = await openBank({ appUrl: url });
  const browser = app.openBrowser();
  await browser.signIn(app.service.ada, `${url}login`);
  const headers = async () => new Headers({ cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
  const redirect = (to: string): never => {
    throw new Error(to);
  };
  const auth = toNextSessions(app.sessions, url, { headers, cookies: async () => ({ set: () => {} }), redirect }, { basePath: "/shop" });
  expect((await auth.requireSession("/pay")).acr).toBeUndefined();
  const { message: to } = (await auth.requireSession("/pay", required).catch((error: unknown) => error)) as Error;
  expect(to).toBe(`${url}login?returnTo=%2Fshop%2Fpay&acr_values=${encodeURIComponent(acrValues.multifactor)}&max_age=300`);
  const started = await browser.send(to);
  await browser.send(await app.passFactor(browser, started.headers.get("location") ?? ""));
  expect((await auth.requireSession("/pay", required)).acr).toBe(acrValues.multifactor);
});

/** Sends a request for the page `/pay` with the browser's cookies. */
const requirePage = async (app: Bank, browser: AppBrowser, requirements: Parameters<Sessions["requireSession"]>[1]) => {
  const headers = new Headers({
    "sec-fetch-mode": "navigate",
    cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
  });
  return app.sessions.requireSession({ url: `${appUrl}pay`, headers }, requirements);
};

const maxAgeOf = (response: unknown): string | null => {
  if (!(response instanceof Response)) throw new Error("the session was accepted");
  return new URL(response.headers.get("location") ?? "").searchParams.get("max_age");
};

describe("requireSession with requirements", () => {
  test("asks for the first factor again when the authentication is older than maxAge, and then accepts the session", async () => {
    const app = await openBank();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    expect(await requirePage(app, browser, { maxAge: 60 })).not.toBeInstanceOf(Response);
    app.service.clock.advance(66_000);
    const redirected = await requirePage(app, browser, { maxAge: 60 });
    expect(maxAgeOf(redirected)).toBe("60");
    await browser.signIn(app.service.ada, (redirected as Response).headers.get("location") ?? "");
    expect(await requirePage(app, browser, { maxAge: 60 })).not.toBeInstanceOf(Response);
  });

  test("a sign-in that takes longer than maxAge leads to one more sign-in, and then to 403", async () => {
    const app = await openBank();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    app.service.clock.advance(60_000);
    for (const expected of ["10", "0"]) {
      const redirected = await requirePage(app, browser, { maxAge: 10 });
      expect(maxAgeOf(redirected)).toBe(expected);
      const started = await browser.send((redirected as Response).headers.get("location") ?? "");
      const callback = await browser.authorize(started.headers.get("location") ?? "", app.service.ada);
      // The user authenticated, and the exchange of the code takes longer than the page allows.
      app.service.clock.advance(30_000);
      expect((await browser.send(callback)).status).toBe(303);
    }
    const last = await requirePage(app, browser, { maxAge: 10 });
    if (!(last instanceof Response)) throw new Error("the session was accepted");
    expect([last.status, await last.text()]).toEqual([403, expect.stringContaining("Too much time passed since you signed in")]);
    app.service.clock.advance(61_000);
    expect(maxAgeOf(await requirePage(app, browser, { maxAge: 10 }))).toBe("10");
  });

  test("responds with 403 at the callback if the user has no factor of the required kind", async () => {
    const app = await openBank();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    const redirected = await requirePage(app, browser, { acr: acrValues.phishingResistant });
    if (!(redirected instanceof Response)) throw new Error("the session was accepted");
    const started = await browser.send(redirected.headers.get("location") ?? "");
    const failed = await browser.send(await browser.authorize(started.headers.get("location") ?? "", app.service.ada));
    expect([failed.status, await failed.text()]).toEqual([
      403,
      expect.stringContaining("You could not sign in in the way that this page requires"),
    ]);
    // The former session continues.
    expect(await requirePage(app, browser, {})).not.toBeInstanceOf(Response);
  });

  test("rejects the response if the user removed acr_values from the URL", async () => {
    const app = await openBank();
    const browser = app.openBrowser();
    const started = await browser.send(`/login?acr_values=${encodeURIComponent(acrValues.multifactor)}`);
    const url = new URL(started.headers.get("location") ?? "");
    expect(url.searchParams.get("acr_values")).toBe(acrValues.multifactor);
    url.searchParams.delete("acr_values");
    expect((await browser.send(await browser.authorize(url.href, app.service.ada))).status).toBe(403);
    expect(await requirePage(app, browser, {})).toBeInstanceOf(Response);
  });

  test("responds to a script with 401 and the requirements", async () => {
    const app = await openBank();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await app.sessions.requireSession({ url: appUrl, headers: new Headers({ cookie }) }, required);
    if (!(response instanceof Response)) throw new Error("the session was accepted");
    expect([response.status, await response.json()]).toEqual([
      401,
      {
        error: "insufficient_user_authentication",
        error_description: "a second factor is required",
        acr_values: acrValues.multifactor,
        max_age: 300,
      },
    ]);
  });
});

test("the API accepts each acr in a list, and a phishing-resistant authentication as two factors", async () => {
  const app = await openBank();
  const browser = app.openBrowser();
  await browser.signIn(app.service.ada);
  const started = await browser.send(`/login?acr_values=${encodeURIComponent(acrValues.multifactor)}`);
  await browser.send(await app.passFactor(browser, started.headers.get("location") ?? ""));
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const token = await app.sessions.getAccessToken({ url: appUrl, headers: new Headers({ cookie }) });
  const verify = async (requirements: Parameters<TokenCheck["verify"]>[1]) => app.check.verify(`Bearer ${token}`, requirements);
  await verify({ acr: [acrValues.phishingResistant, acrValues.multifactor] });
  await expect(verify({ acr: acrValues.phishingResistant })).rejects.toMatchObject({
    status: 401,
    challenge: expect.stringContaining('error_description="a security key or a passkey is required", acr_values="phr"'),
  });
  app.service.clock.advance(66_000);
  await expect(verify({ maxAge: 60 })).rejects.toMatchObject({ challenge: expect.stringMatching(/authenticate again", max_age="60"$/) });
  await expect(verify({ scopes: ["refund"], maxAge: 60 })).rejects.toMatchObject({ status: 403 });
});

test("rejects requirements that cannot be satisfied when the app starts", async () => {
  const { check, sessions } = await openBank();
  for (const maxAge of [0, -1, 1.5, Number.NaN]) {
    expect(() => requireToken(check, { maxAge }), String(maxAge)).toThrow("'maxAge' is");
    expect(() => toExpressSessions(sessions, appUrl).requireSession({ maxAge })).toThrow("'maxAge' is");
    expect(() => toHonoSessions(sessions, appUrl).requireSession({ maxAge })).toThrow("'maxAge' is");
  }
  const unknown: object = { acr: "urn:gold" };
  expect(() => honoRequireToken(check, unknown)).toThrow(`'acr' is "urn:gold": pass values of 'acrValues'`);
  expect(() => requireToken(check, { acr: [] })).toThrow("'acr' is []");
});
