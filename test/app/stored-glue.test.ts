import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toExpressSessions } from "@postern/express";
import { toHonoSessions } from "@postern/hono";
import { toNextSessions } from "@postern/next";
import express from "express";
import { Hono } from "hono";
import { decodeJwt } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { appUrl } from "./app-browser.ts";
import { openStoreApp, appSessionCookie, type AppWithStore } from "./store-app.ts";

type Read = (app: AppWithStore, cookie: string) => Promise<string | undefined>;

test.each<[string, Read]>([
  [
    "Express",
    async ({ sessions }, cookie) => {
      const auth = toExpressSessions(sessions, appUrl);
      const app = express();
      app.get(
        "/token",
        async (request, response) => void response.send(await auth.getAccessToken(request, response, { organization: "acme" })),
      );
      const server = createServer(app).listen(0, "127.0.0.1");
      onTestFinished(() => server.close().closeAllConnections());
      await once(server, "listening");
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/token`, { headers: { cookie } });
      return response.text();
    },
  ],
  [
    "Hono",
    async ({ sessions }, cookie) => {
      const auth = toHonoSessions(sessions, appUrl);
      const app = new Hono().get("/token", async (c) => c.text((await auth.getAccessToken(c, { organization: "acme" })) ?? ""));
      return (await app.request("/token", { headers: { cookie } })).text();
    },
  ],
  [
    "Next.js",
    async ({ sessions }, cookie) => {
      const cookies = async () => ({ set: () => expect.unreachable("a server component cannot set cookies") });
      const redirect = (url: string): never => expect.unreachable(url);
      const auth = toNextSessions(sessions, appUrl, { headers: async () => new Headers({ cookie }), cookies, redirect });
      return auth.getAccessToken({ organization: "acme" });
    },
  ],
])("%s returns the access token for an organization, also after the token was refreshed", async (_, read) => {
  const app = await openStoreApp();
  const acme = await app.createOrganization("acme");
  const browser = app.openBrowser();
  await browser.signIn(app.service.ada);
  const cookie = `__Host-app_session.0=${appSessionCookie(browser)}`;
  const first = (await read(app, cookie)) ?? "";
  app.clock.advance(86_400_000);
  const second = (await read(app, cookie)) ?? "";
  expect([first, second].map((token) => decodeJwt(token)["org_id"])).toEqual([acme, acme]);
  expect(second).not.toBe(first);
});
