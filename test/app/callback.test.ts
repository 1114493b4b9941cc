import { createSessions, type Sessions } from "@postern/app";
import { expect, test } from "vitest";
import { readResult } from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";
import { appUrl, openApp, secret, type AppBrowser, type AppWithSessions } from "./app-browser.ts";

/** A browser after the login page, which has not sent the callback yet. */
async function openAtCallback({ service, openBrowser }: AppWithSessions, login = "/login?returnTo=/private") {
  const browser = openBrowser();
  const started = await browser.send(login);
  const callback = await browser.authorize(started.headers.get("location") ?? "", service.ada);
  return { browser, callback };
}

/** The app in another process. */
function otherProcess({ service, client }: AppWithSessions): Sessions {
  const { clientId } = client;
  return createSessions({
    postern: service.postern,
    tenantId: "main",
    clientId,
    clientSecret,
    appUrl,
    secret,
    now: () => service.clock.now(),
  });
}

const cookieOf = ({ cookies }: AppBrowser): string => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

const requestTo = (url: string, cookie: string): Request =>
  new Request(url, { headers: { cookie, accept: "text/html", "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" } });

/** Returns the `Cookie` header for the cookies that a response sets. */
function cookiesSetBy(response: Response | undefined): string {
  const lines = response?.headers.getSetCookie().filter((line) => !line.endsWith("Max-Age=0")) ?? [];
  return lines.map((line) => line.split(";", 1)[0]).join("; ");
}

test.each(["at the same time", "one after the other"])(
  "a callback that the browser sends twice with the same cookies, %s, is answered twice and exchanged once",
  async (when) => {
    const app = await openApp();
    const { service, sessions } = app;
    const { browser, callback } = await openAtCallback(app);
    const send = () => sessions.handle(requestTo(callback, cookieOf(browser)));
    const first = send();
    if (when !== "at the same time") await first;
    const responses = await Promise.all([first, send()]);
    for (const response of responses) {
      expect([response?.status, response?.headers.get("location")]).toEqual([303, `${appUrl}private`]);
      const headers = new Headers({ cookie: cookiesSetBy(response) });
      expect(await sessions.getSession({ url: appUrl, headers })).toMatchObject({ user: { email: "ada@example.test" } });
      expect(await sessions.getAccessToken({ url: appUrl, headers })).toBeDefined();
    }
    expect(await service.postern.tenant("main").logs.list({ q: "type:feacft" })).toEqual([]);
  },
);

test("a failed exchange is answered twice with the same error", async () => {
  const app = await openApp();
  const { browser, callback } = await openAtCallback(app);
  const denied = new URL(callback);
  denied.searchParams.delete("code");
  denied.searchParams.set("error", "access_denied");
  const statuses = [1, 2].map(async () => (await app.sessions.handle(requestTo(denied.href, cookieOf(browser))))?.status);
  expect(await Promise.all(statuses)).toEqual([403, 403]);
});

test("in another process, a callback that was already answered leads to the return path if the session's cookie arrived", async () => {
  const app = await openApp();
  const { browser, callback } = await openAtCallback(app);
  const before = cookieOf(browser);
  await browser.send(callback);
  for (const cookie of [cookieOf(browser), `${before}; ${cookieOf(browser)}`]) {
    const response = await otherProcess(app).handle(requestTo(callback, cookie));
    expect([response?.status, response?.headers.get("location")]).toEqual([303, `${appUrl}private`]);
  }
  expect(await app.service.postern.tenant("main").logs.list({ q: "type:feacft" })).toEqual([]);
});

test.each(["/login?returnTo=/private", "/login?returnTo=/private&max_age=0"])(
  "in another process, a callback at %s that was already answered starts the sign-in again once, without a login page",
  async (login) => {
    const app = await openApp();
    const { browser, callback } = await openAtCallback(app, login);
    app.service.clock.advance(20_000);
    const cookie = cookieOf(browser);
    await app.sessions.handle(requestTo(callback, cookie));
    const restarted = await otherProcess(app).handle(requestTo(callback, cookie));
    const location = restarted?.headers.get("location") ?? "";
    expect([restarted?.status, new URL(location).pathname]).toEqual([303, "/authorize"]);
    const result = await readResult(await browser.idp.get(location));
    if (result.kind !== "response") throw new Error(`a page: ${JSON.stringify(result)}`);
    const repeated = `${result.to}?${new URLSearchParams(result.parameters)}`;
    const attempt = cookiesSetBy(restarted);
    const signedIn = await otherProcess(app).handle(requestTo(repeated, attempt));
    expect([signedIn?.status, signedIn?.headers.get("location")]).toEqual([303, `${appUrl}private`]);
    const headers = new Headers({ cookie: cookiesSetBy(signedIn) });
    expect(await app.sessions.getSession({ url: appUrl, headers })).toMatchObject({ user: { email: "ada@example.test" } });
    // The second time, the user sees an error instead of a third attempt.
    expect((await otherProcess(app).handle(requestTo(repeated, attempt)))?.status).toBe(400);
  },
);

test("sends a callback again after the service was unavailable", async () => {
  const app = await openApp();
  const { service, client } = app;
  const { browser, callback } = await openAtCallback(app);
  let isDown = true;
  const postern = {
    ...service.postern,
    fetch: (request: Request) => (isDown && request.method === "POST" ? Promise.reject(new Error("down")) : service.postern.fetch(request)),
  };
  const { clientId } = client;
  const sessions = createSessions({ postern, tenantId: "main", clientId, clientSecret, appUrl, secret, now: () => service.clock.now() });
  await sessions.handle(requestTo(callback, cookieOf(browser)));
  isDown = false;
  expect((await sessions.handle(requestTo(callback, cookieOf(browser))))?.headers.get("location")).toBe(`${appUrl}private`);
});
