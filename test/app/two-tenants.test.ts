import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { appSessions, createSessions } from "@postern/app";
import { toNodeHandler } from "@postern/express";
import { toHonoSessions } from "@postern/hono";
import { systemClock } from "@postern/core/testing";
import { createMemoryAdapter } from "@postern/memory";
import { Hono } from "hono";
import { decodeJwt } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { list, managerOf, jsonBody } from "../support/api.ts";
import { organizationOf } from "../support/child-tenants.ts";
import { fakeHasher, readResult, signInAtLoginPage } from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import { createTestPostern } from "../support/postern.ts";
import { sendOverHttp } from "../support/send-over-http.ts";
import { secret } from "./app-browser.ts";
import { openLimitingProxy } from "./nginx-limits.ts";

const ada = { email: "ada@example.test", password: "a-long-Password-1" };

/** Opens a console for administrators and the service that it administers, both behind a proxy with nginx's limits. */
async function openConsole(hasStore: boolean) {
  let listener: RequestListener = (_, response) => response.end();
  const server = createServer((request, response) => listener(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy = await openLimitingProxy(() => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => [server, proxy.server].forEach((one: Server) => one.close().closeAllConnections()));
  const appUrl = `${proxy.origin}/`;
  const issuer = `${proxy.origin}/auth/`;
  const data = createMemoryAdapter({ strict: true });
  const service = await createTestPostern({ issuer, data, testing: { clock: systemClock }, crypto: { hasher: fakeHasher } });
  const { postern } = service;
  const settings = {
    name: "Console",
    app_type: "regular_web",
    token_endpoint_auth_method: "none",
    organization_usage: "allow",
    callbacks: [`${appUrl}callback`],
  } as const;
  await postern.seed({ tenantId: "main", clients: [{ clientId: "console", settings }], user: { ...ada, managesTenant: true } });
  // Refresh tokens for the Management API are disabled by default.
  const where = { tenant_id: "main", identifier: "api/v2/" };
  expect(await data.collections.resource_servers.update(where, { set: { settings: { allow_offline_access: true } } })).toBe(1);
  const main = await managerOf(service, "main");
  const apis = list(await main("GET", "/api/v2/resource-servers"));
  const scopes = apis.flatMap(({ is_system: isSystem, scopes: all }) =>
    isSystem === true && Array.isArray(all) ? all.map(({ value }) => String(value)) : [],
  );
  for (const id of ["acme", "globex"]) jsonBody(await main("POST", "/tenants", { id, name: id }), 201);

  const sessions = createSessions({
    postern,
    tenantId: "main",
    clientId: "console",
    appUrl,
    secret,
    audience: `${issuer}api/v2/`,
    scope: ["openid profile email offline_access", ...scopes].join(" "),
    ...(hasStore && { store: appSessions(data) }),
  });
  const auth = toHonoSessions(sessions, appUrl);
  const app = new Hono();
  app.use(auth.routes);
  app.get("/t/:tenant/users", auth.requireSession, async (c) => {
    const tenant = c.req.param("tenant");
    const token = await auth.getAccessToken(c, { organization: tenant });
    const headers = { authorization: `Bearer ${token}`, "tenant-id": tenant };
    const response = await postern.fetch(new Request(`${issuer}api/v2/users`, { headers }));
    return c.json({ status: response.status, token });
  });
  app.get("/", (c) => c.text("the console"));
  const [ofService, ofApp] = [toNodeHandler(postern), getRequestListener(app.fetch)];
  listener = (request, response) => (request.url?.startsWith("/auth/") === true ? ofService : ofApp)(request, response);
  const [user] = list(await main("GET", `/api/v2/users-by-email?email=${ada.email}`));
  const account = { ...ada, userId: String(user?.["user_id"]) };
  const organizations = organizationsBy(main);
  for (const id of ["acme", "globex"]) {
    const organization = await organizationOf(main, id);
    await organizations.addMembers(organization, account);
    await organizations.assignRole(organization, account, "rol_administrator");
  }
  const browser = openBrowser({ ...postern, issuer: appUrl, fetch: sendOverHttp });
  return {
    proxy,
    browser,
    scopes,
    /** Completes the sign-in to which a response leads. @returns the response of the callback. */
    async signIn(started: Response): Promise<Response> {
      const idp = openBrowser({ ...postern, fetch: sendOverHttp }, browser.cookies);
      const result = await readResult(await idp.get(await targetOf(started)));
      const completed = result.kind === "login" ? await signInAtLoginPage(idp, result, account) : result;
      if (completed.kind !== "response") throw new Error(`no authorization response: ${JSON.stringify(completed)}`);
      return browser.get(`${completed.to}?${new URLSearchParams(completed.parameters)}`);
    },
  };
}

/** Returns the URL to which a redirect or a page leads. */
async function targetOf(response: Response): Promise<string> {
  const location = response.headers.get("location");
  if (location !== null) return location;
  const [, url = ""] = /<meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(await response.text()) ?? [];
  return url.replaceAll("&amp;", "&");
}

const page = { headers: { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin" } };

test("behind nginx's default limits, an administrator with all scopes uses two tenants in two tabs", async () => {
  const { proxy, browser, signIn, scopes } = await openConsole(true);
  const open = async (tenant: string) => {
    const response = await browser.get(`/t/${tenant}/users`, page);
    return (await response.json()) as { readonly status: number; readonly token: string };
  };
  expect(scopes.length).toBeGreaterThan(120);
  const started = await browser.get((await browser.get("/t/acme/users", page)).headers.get("location") ?? "", page);
  expect((await signIn(started)).headers.get("location")).toBe(`${proxy.origin}/t/acme/users`);
  // Both tabs load at once, and then again.
  for (let i = 0; i < 3; i++) {
    const [acme, globex] = await Promise.all([open("acme"), open("globex")]);
    expect([acme.status, globex.status]).toEqual([200, 200]);
    expect(decodeJwt(acme.token)["org_id"]).not.toBe(decodeJwt(globex.token)["org_id"]);
    expect(String(decodeJwt(acme.token)["scope"]).split(" ")).toEqual(expect.arrayContaining([...scopes]));
  }
  const session = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  expect(session.length).toBeLessThan(1000);
  // Sign-ins that were started in other tabs and not finished.
  for (let i = 0; i < 5; i++) await browser.get("/login", page);
  expect((await open("acme")).status).toBe(200);
  expect((await browser.get("/logout", page)).headers.get("location")).toBe(`${proxy.origin}/`);
  expect((await browser.get("/t/globex/users", page)).headers.get("location")).toContain("/login?");
  expect(proxy.rejected).toEqual([]);
  expect([proxy.longestLine() < 8192, proxy.longestHead() < 4096]).toEqual([true, true]);
});

test("the same sign-in fails behind the limits if the cookies contain the session", async () => {
  const { proxy, browser } = await openConsole(false);
  await browser.get("/login", page);
  expect(proxy.rejected).toEqual(["502 /login"]);
});
