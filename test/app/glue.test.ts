import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createTokenCheck, type Sessions } from "@postern/app";
import { toExpressSessions, requireToken } from "@postern/express";
import { toHonoSessions, requireToken as honoRequireToken } from "@postern/hono";
import { toNextSessions } from "@postern/next";
import express from "express";
import express4 from "express-4";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { openApp, type RequestHandler } from "./app-browser.ts";
import type { Postern } from "@postern/core";
import { sendOverHttp } from "../support/send-over-http.ts";

/** Apps with a public page, a private page and an API. */
const apps: Readonly<Record<string, (sessions: Sessions, appUrl: string, postern: Postern) => RequestListener>> = {
  "Express 5": (sessions, appUrl, postern) => expressApp(express, sessions, appUrl, postern),
  "Express 4": (sessions, appUrl, postern) => expressApp(express4 as unknown as typeof express, sessions, appUrl, postern),
  Hono: (sessions, appUrl, postern) => {
    const auth = toHonoSessions(sessions, appUrl);
    const app = new Hono();
    app.use(auth.routes);
    app.get("/", async (c) => c.json({ email: (await auth.getSession(c))?.user.email ?? null }));
    app.get("/private", auth.requireSession, (c) => c.json({ email: c.get("session").user.email }));
    app.get("/token", async (c) => c.json({ token: await auth.getAccessToken(c) }));
    app.get("/sign-up", (c) => auth.signIn(c, { screenHint: "signup" }));
    app.get(
      "/api",
      honoRequireToken(createTokenCheck({ postern, tenantId: "main", audience: "https://id.example.test/userinfo" }), ["email"]),
      (c) => c.json({ sub: c.get("token").sub }),
    );
    const listener = getRequestListener(app.fetch);
    return (request, response) => void listener(request, response);
  },
};

function expressApp(createApp: typeof express, sessions: Sessions, appUrl: string, postern: Postern): RequestListener {
  const auth = toExpressSessions(sessions, appUrl);
  const app = createApp();
  app.use(auth.routes);
  app.get("/", async (request, response) => void response.json({ email: (await auth.getSession(request, response))?.user.email ?? null }));
  app.get("/private", auth.requireSession, async (request, response) => {
    response.json({ email: (await auth.getSession(request, response))?.user.email });
  });
  app.get("/token", async (request, response) => void response.json({ token: await auth.getAccessToken(request, response) }));
  app.get("/sign-up", (request, response) => void auth.signIn(request, response, { screenHint: "signup" }));
  const readEmail = requireToken(createTokenCheck({ postern, tenantId: "main", audience: "https://id.example.test/userinfo" }), ["email"]);
  app.get("/api", readEmail, (request, response) => void response.json({ sub: readEmail.claims(request).sub }));
  return app;
}

test.for(Object.entries(apps))("a %s app signs a user in, calls an API and signs the user out over HTTP", async ([, createApp]) => {
  let listener: RequestListener = (_, response) => response.end();
  const server = createServer((request, response) => listener(request, response)).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  const appUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { service, sessions, openBrowser } = await openApp({ appUrl, now: Date.now }, () => sendOverHttp);
  // Tokens and cookies depend on the time. In this test, the service uses the system's time as well.
  service.clock.advance(Date.now() - service.clock.now());
  listener = createApp(sessions, appUrl, service.postern);

  const browser = openBrowser();
  expect(await (await browser.send("/")).json()).toEqual({ email: null });
  const redirected = await browser.send("/private?x=%2F");
  expect([redirected.status, redirected.headers.get("location")]).toEqual([303, `${appUrl}login?returnTo=%2Fprivate%3Fx%3D%252F`]);
  expect((await browser.signIn(service.ada, redirected.headers.get("location") ?? "")).headers.get("location")).toBe(
    `${appUrl}private?x=%2F`,
  );
  expect(await (await browser.send("/private")).json()).toEqual({ email: "ada@example.test" });
  expect((await browser.send("/private", { headers: { host: "evil.example" } })).status).toBe(200);

  const { token } = (await (await browser.send("/token")).json()) as { token: string };
  expect((await browser.send("/api", { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  const challenged = await browser.send("/api");
  expect([challenged.status, challenged.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  expect((await browser.send("/sign-up")).headers.get("location")).toContain("screen_hint=signup");

  expect((await browser.send("/logout", { method: "POST" })).headers.get("location")).toBe(appUrl);
  expect(await (await browser.send("/")).json()).toEqual({ email: null });
  const script = await browser.send("/private", { headers: { "sec-fetch-mode": "cors" } });
  expect([script.status, await script.json()]).toMatchObject([401, { error: "login_required" }]);
});

test.each(["", "/shop"])(
  "with basePath '%s', Next.js route handlers sign in, server components read the session, server actions sign out and the proxy refreshes tokens",
  async (basePath) => {
    const appUrl = `https://app.example.test${basePath}/`;
    const { service, sessions, openBrowser } = await openApp({ appUrl });
    const browser = openBrowser();
    const headers = async () => new Headers({ cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
    const cookies = async () => ({
      set: (name: string, value: string, { maxAge }: { readonly maxAge: number }) =>
        maxAge === 0 ? browser.cookies.delete(name) : browser.cookies.set(name, value),
    });
    const redirect = (url: string): never => {
      throw new Error(`redirect ${url}`);
    };
    const auth = toNextSessions(sessions, appUrl, { headers, cookies, redirect }, { basePath });
    // Behind a proxy, a route handler receives the address that the server listens on, without the base path of the
    // app.
    const byHandlers: RequestHandler = async (request) =>
      auth.handlers.GET(new Request(request.url.replace(appUrl, "http://10.0.0.7:3000/"), request));
    const callbackUrl = await (async () => {
      const started = await byHandlers(new Request(`${appUrl}login?returnTo=${basePath}/me`));
      for (const line of started.headers.getSetCookie())
        browser.cookies.set(line.split("=", 1)[0] ?? "", (line.split(";", 1)[0] ?? "").replace(/^[^=]*=/, ""));
      return browser.authorize(started.headers.get("location") ?? "", service.ada);
    })();
    await expect(auth.requireSession("/me")).rejects.toThrow(`redirect ${appUrl}login?returnTo=${encodeURIComponent(basePath)}%2Fme`);
    const callbackResponse = await byHandlers(new Request(callbackUrl, { headers: await headers() }));
    expect(callbackResponse.headers.get("location")).toBe(`${appUrl}me`);
    for (const line of callbackResponse.headers.getSetCookie())
      browser.cookies.set(line.split("=", 1)[0] ?? "", (line.split(";", 1)[0] ?? "").replace(/^[^=]*=/, ""));
    expect((await auth.requireSession("/me")).user.email).toBe("ada@example.test");
    const first = await auth.getAccessToken();
    expect(await auth.refresh(new Request(appUrl, { headers: await headers() }))).toEqual([]);
    service.clock.advance(86_400_000);
    expect(await auth.getAccessToken()).toBeUndefined();
    const lines = await auth.refresh(new Request(appUrl, { headers: await headers() }));
    expect(lines[0]?.split("=", 1)).toEqual([basePath === "" ? "__Host-app_session.0" : "__Secure-app_session.0"]);
    for (const line of lines) browser.cookies.set(line.split("=", 1)[0] ?? "", (line.split(";", 1)[0] ?? "").replace(/^[^=]*=/, ""));
    expect(await auth.getAccessToken()).not.toBe(first);
    await expect(auth.signOut()).rejects.toThrow(`redirect ${appUrl}`);
    expect(await auth.getSession()).toBeUndefined();
    await expect(auth.signIn({ returnTo: "/me" })).rejects.toThrow("redirect https://id.example.test/authorize?");
    expect((await auth.handlers.POST(new Request(`${appUrl}elsewhere`, { method: "POST" }))).status).toBe(404);
  },
);
