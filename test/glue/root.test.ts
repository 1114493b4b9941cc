import { handleRootRequest } from "@postern/core/glue";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toExpressHandler, toExpressRootHandler } from "@postern/express";
import { toHonoHandler, toHonoRootHandler } from "@postern/hono";
import { toNextRootHandlers } from "@postern/next";
import express from "express";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

const issuer = "https://example.test/auth/";
const options = { changePassword: "/account" };
/** The preflight request of a browser for a script that requests metadata with a further header. */
const preflight: RequestInit = {
  method: "OPTIONS",
  headers: { origin: "https://tools.example.test", "access-control-request-method": "GET" },
};

/** Apps that serve the root URLs of Postern, and respond to all other requests themselves. */
const apps: Readonly<Record<string, (service: TestPostern) => Promise<(path: string, init?: RequestInit) => Promise<Response>>>> = {
  Express: async ({ postern }) => {
    const app = express();
    app.use(toExpressRootHandler(postern, options), toExpressHandler(postern));
    app.use((_, response) => void response.send("my own"));
    const server = createServer(app).listen(0, "127.0.0.1");
    onTestFinished(() => server.close().closeAllConnections());
    await once(server, "listening");
    return (path, init) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { redirect: "manual", ...init });
  },
  Hono: async ({ postern }) => {
    const app = new Hono();
    app.use(toHonoRootHandler(postern, options));
    app.all("/auth/*", toHonoHandler(postern));
    app.get("*", (c) => c.text("my own"));
    return async (path, init) => app.request(`https://example.test${path}`, init);
  },
  "Next.js": async ({ postern }) => {
    const handlers = toNextRootHandlers(() => postern, options);
    return async (path, init) => {
      const request = new Request(`http://10.0.0.7:3000${path}`, init);
      const response = await handlers[request.method === "OPTIONS" ? "OPTIONS" : "GET"](request);
      return response.status === 404 ? new Response("my own") : response;
    };
  },
};

test.for(Object.entries(apps))("the %s root handler serves Postern's root URLs, and passes all other URLs to the app", async ([, open]) => {
  const send = await open(await createTestPostern({ issuer }));
  for (const document of ["oauth-authorization-server", "openid-configuration"]) {
    for (const path of [`/.well-known/${document}/auth`, `/.well-known/${document}/auth/`]) {
      const metadata = await send(path);
      expect([metadata.status, await metadata.json()]).toMatchObject([200, { issuer, token_endpoint: `${issuer}oauth/token` }]);
      const allowed = (await send(path, preflight)).headers.get("access-control-allow-headers");
      expect(allowed, "headers that a script in another origin may send").toContain("MCP-Protocol-Version");
    }
  }
  const logout = await send("/v2/logout?client_id=a&returnTo=https%3A%2F%2Fapp.example.test%2F");
  expect([logout.status, logout.headers.get("location")]).toEqual([
    302,
    `${issuer}v2/logout?client_id=a&returnTo=https%3A%2F%2Fapp.example.test%2F`,
  ]);
  expect((await send("/.well-known/change-password")).headers.get("location")).toBe("https://example.test/account");
  for (const path of [
    "/",
    "/v2/logout/",
    "/v2",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/other",
    "/.well-known/openid-configuration",
    "/.well-known/openid-configuration/other",
  ]) {
    expect(await (await send(path)).text(), path).toBe("my own");
  }
});

test("does not handle root URLs if the issuer has no path, or the change-password URL unless it is configured", async () => {
  const { postern } = await createTestPostern();
  expect(await handleRootRequest(postern, new Request(`${postern.issuer}v2/logout`))).toBeUndefined();
  const below = await createTestPostern({ issuer });
  expect(await handleRootRequest(below.postern, new Request("https://example.test/.well-known/change-password"))).toBeUndefined();
  expect(await handleRootRequest(below.postern, new Request("https://example.test/v2/logout", { method: "POST" }))).toBeUndefined();
});
