import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSessions, type Sessions, type SessionStore } from "@postern/app";
import { toExpressSessions } from "@postern/express";
import { toHonoSessions } from "@postern/hono";
import { toNextSessions } from "@postern/next";
import express from "express";
import { Hono } from "hono";
import { decodeJwt, generateKeyPair, SignJWT, type JWTHeaderParameters, type JWTPayload } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { clientSecret, issuer } from "../support/postern.ts";
import { obtainTokens, offline } from "../support/flow.ts";
import { appUrl, secret } from "./app-browser.ts";
import { openStoreApp, readPage, type AppWithStore } from "./store-app.ts";

const route = `${appUrl}backchannel-logout`;
const event = "http://schemas.openid.net/event/backchannel-logout";

interface LogoutApp extends AppWithStore {
  /** The logout tokens that the service sent. */
  readonly sent: string[];
  /** Ends the sessions of Ada at the tenant, and delivers the logout tokens. */
  end(): Promise<void>;
  /** Signs any claims with the key of the tenant. */
  sign(payload: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
  rows(): Promise<number>;
}

/** Opens an app that has its sessions in a store, and a service that delivers logout tokens to it. */
async function openLogoutApp(wrap?: (store: SessionStore) => SessionStore, answers = true): Promise<LogoutApp> {
  const sent: string[] = [];
  let sessions: Sessions | undefined;
  const app = await openStoreApp({
    ...(wrap && { wrap }),
    network: {
      fetch: async (request) => {
        sent.push(new URLSearchParams(await request.clone().text()).get("logout_token") ?? "");
        const response = answers ? await sessions?.handle(request).catch(() => new Response(null, { status: 503 })) : undefined;
        return response ?? new Response(null, { status: 503 });
      },
    },
  });
  ({ sessions } = app);
  const { service, client, data } = app;
  const oidc_logout = { backchannel_logout_urls: [route], backchannel_logout_initiators: { mode: "all" } };
  expect((await service.manage("PATCH", `/api/v2/clients/${client.clientId}`, { oidc_logout })).status).toBe(200);
  return {
    ...app,
    sent,
    end: async () => {
      expect((await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/sessions`)).status).toBe(202);
      await service.postern.jobs.deliverEvents();
    },
    sign: async (payload, header = {}) => {
      const { privateKey } = await generateKeyPair("RS256");
      return new SignJWT(payload).setProtectedHeader({ alg: "RS256", typ: "logout+jwt", ...header }).sign(privateKey);
    },
    rows: async () => (await data.collections.app_sessions?.count({ tenant_id: "main" })) ?? 0,
  };
}

const post = async (sessions: Sessions, body: string, type = "application/x-www-form-urlencoded"): Promise<Response> => {
  const response = await sessions.handle(new Request(route, { method: "POST", headers: { "content-type": type }, body }));
  if (response === undefined) throw new Error("there is no such route");
  return response;
};
const form = (token: string): string => new URLSearchParams({ logout_token: token }).toString();

test("a logout at the tenant deletes the sessions of the app in the store, and no other session", async () => {
  const app = await openLogoutApp();
  const [ada, bob] = [app.openBrowser(), app.openBrowser()];
  await ada.signIn(app.service.ada);
  await bob.signIn(app.service.bob);
  expect(await app.rows()).toBe(2);
  await app.end();
  expect(app.sent).toHaveLength(1);
  expect(await app.rows()).toBe(1);
  expect(await readPage(ada, "/")).toEqual({ email: null });
  expect(await readPage(bob, "/")).toEqual({ email: "bob@example.test" });
});

test("a token of one session leaves the user's session in another browser", async () => {
  const app = await openLogoutApp();
  const [first, second] = [app.openBrowser(), app.openBrowser()];
  await first.signIn(app.service.ada);
  await second.signIn(app.service.ada);
  await first.idp.get("/v2/logout");
  await app.service.postern.jobs.deliverEvents();
  expect(await app.rows()).toBe(1);
  expect(await readPage(second, "/")).toEqual({ email: "ada@example.test" });
});

test("a sign-out in the app tells the other clients of the session, as a logout", async () => {
  const app = await openLogoutApp();
  const { service } = app;
  const other = await service.register({ secret: true });
  const oidc_logout = { backchannel_logout_urls: ["https://other.example.test/backchannel-logout"] };
  expect((await service.manage("PATCH", `/api/v2/clients/${other.clientId}`, { oidc_logout })).status).toBe(200);
  const browser = app.openBrowser();
  await browser.signIn(service.ada);
  await obtainTokens(service, other, service.ada, {}, browser.idp);
  expect((await browser.send("/logout", { method: "POST" })).status).toBe(303);
  await service.postern.jobs.deliverEvents();
  expect(app.sent.map((token) => String(decodeJwt(token).aud)).toSorted()).toEqual([app.client.clientId, other.clientId].toSorted());
});

test("32 parallel deliveries of one token all get 200", async () => {
  const app = await openLogoutApp(undefined, false);
  await app.openBrowser().signIn(app.service.ada);
  await app.end();
  const [token = ""] = app.sent;
  const responses = await Promise.all(Array.from({ length: 32 }, () => post(app.sessions, form(token))));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 32 }, () => 200));
  expect(responses[0]?.headers.get("cache-control")).toBe("no-store");
  expect(await app.rows()).toBe(0);
});

test("an unavailable store lets the token be sent again", async () => {
  let isDown = true;
  const app = await openLogoutApp((store) => ({
    ...store,
    deleteWhere: async (selection) => {
      if (isDown) throw new Error("the store is down");
      await store.deleteWhere(selection);
    },
  }));
  await app.openBrowser().signIn(app.service.ada);
  await app.end();
  expect(await app.rows()).toBe(1);
  isDown = false;
  app.clock.advance(10_000);
  await app.service.postern.jobs.deliverEvents();
  expect(app.sent).toHaveLength(2);
  expect(await app.rows()).toBe(0);
});

test("without a store there is no route", async () => {
  const { service, client } = await openLogoutApp();
  const options = { postern: service.postern, tenantId: "main", clientId: client.clientId, clientSecret, appUrl, secret };
  expect(await createSessions(options).handle(new Request(route, { method: "POST", body: form("x") }))).toBeUndefined();
});

test.each(["GET", "HEAD"])("the route does not respond to %s", async (method) => {
  const { sessions } = await openLogoutApp();
  expect(await sessions.handle(new Request(route, { method }))).toBeUndefined();
});

test("the path can be chosen", async () => {
  const { service, client, store } = await openLogoutApp();
  const paths = { backchannelLogout: "oidc/ended" };
  const options = { postern: service.postern, tenantId: "main", clientId: client.clientId, clientSecret, appUrl, secret, store, paths };
  const sessions = createSessions(options);
  expect(await sessions.handle(new Request(route, { method: "POST", body: "" }))).toBeUndefined();
  expect((await sessions.handle(new Request(`${appUrl}oidc/ended/`, { method: "POST", body: "" })))?.status).toBe(400);
  expect(() => createSessions({ ...options, paths: { backchannelLogout: "https://evil.example/" } })).toThrow("paths.backchannelLogout");
});

describe("a token is rejected with 400 and deletes nothing", async () => {
  const app = await openLogoutApp(undefined, false);
  const { ada, spa } = app.service;
  const browser = app.openBrowser();
  await browser.signIn(ada);
  const idToken = (await obtainTokens(app.service, spa, ada, offline, browser.idp)).id;
  const path = `/api/v2/users/${encodeURIComponent(ada.userId)}/sessions`;
  expect((await app.service.manage("DELETE", path)).status).toBe(202);
  await app.service.postern.jobs.deliverEvents();
  const [valid = ""] = app.sent;
  const claims = decodeJwt(valid);
  const rejected = async (body: string, type?: string): Promise<unknown> => {
    const rows = await app.rows();
    const response = await post(app.sessions, body, type);
    expect(response.status).toBe(400);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await app.rows()).toBe(rows);
    const answer: unknown = await response.json();
    expect(answer).toEqual({ error: "invalid_request", error_description: expect.stringMatching(/./) });
    return answer;
  };
  const [head = "", body = "", signature = ""] = valid.split(".");
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

  test.each<[string, string]>([
    ["no token", ""],
    ["an empty token", form("")],
    ["two tokens", `${form(valid)}&${form(valid)}`],
    ["text that is no JWT", form("a.b.c")],
    ["an ID token", form(idToken)],
    ["another subject with the same signature", form(`${head}.${encode({ ...claims, sub: "auth0|other" })}.${signature}`)],
    ["the algorithm none", form(`${encode({ alg: "none", typ: "logout+jwt" })}.${body}.`)],
    ["a critical header", form(`${encode({ alg: "RS256", typ: "logout+jwt", crit: ["x"], x: 1 })}.${body}.${signature}`)],
    ["a body that is too long", `logout_token=${"a".repeat(70_000)}`],
  ])("%s", async (_, sent) => {
    await rejected(sent);
  });

  test("JSON", () => rejected(JSON.stringify({ logout_token: valid }), "application/json"));

  test("a token that another key signed", async () => rejected(form(await app.sign(claims))));

  test("a token of another client", async () => {
    const other = createSessions({
      postern: app.service.postern,
      tenantId: "main",
      clientId: "another-client",
      appUrl,
      secret,
      store: app.store,
      now: () => app.clock.now(),
    });
    expect((await post(other, form(valid))).status).toBe(400);
  });

  test("a token of another tenant", async () => {
    const options = { postern: app.service.postern, clientId: app.client.clientId, appUrl, secret, store: app.store };
    const other = createSessions({ ...options, tenantId: "other", now: () => app.clock.now() });
    expect((await post(other, form(valid))).status).toBe(400);
  });

  test("a token that has expired", async () => {
    const later = createSessions({
      postern: app.service.postern,
      tenantId: "main",
      clientId: app.client.clientId,
      appUrl,
      secret,
      store: app.store,
      now: () => app.clock.now() + 126_000,
    });
    expect((await post(later, form(valid))).status).toBe(400);
  });

  test("and the same token is accepted afterwards", async () => {
    expect(claims).toMatchObject({ iss: issuer, events: { [event]: {} } });
    expect((await post(app.sessions, form(valid))).status).toBe(200);
    expect(await app.rows()).toBe(0);
  });
});

/** Sends a form to the app's route through a framework. */
type Send = (sessions: Sessions, body: string) => Promise<number>;

const throughExpress =
  (...parsers: readonly express.RequestHandler[]): Send =>
  async (sessions, body) => {
    const app = express();
    for (const parser of parsers) app.use(parser);
    app.use(toExpressSessions(sessions, appUrl).routes);
    app.post("/echo", express.text({ type: "*/*" }), (request, response) => void response.send(String(request.body)));
    const server = createServer(app).listen(0, "127.0.0.1");
    onTestFinished(() => server.close().closeAllConnections());
    await once(server, "listening");
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (parsers.length === 0) expect(await (await fetch(`${origin}/echo`, { method: "POST", headers, body: "a=b" })).text()).toBe("a=b");
    return (await fetch(`${origin}/backchannel-logout`, { method: "POST", headers, body })).status;
  };

test.each<[string, Send]>([
  ["Express", throughExpress()],
  ["Express after a body parser", throughExpress(express.urlencoded())],
  [
    "Hono",
    async (sessions, body) => {
      const app = new Hono().use(toHonoSessions(sessions, appUrl).routes).post("/echo", async (c) => c.text(await c.req.text()));
      const init = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } };
      expect(await (await app.request("/echo", { ...init, body: "a=b" })).text()).toBe("a=b");
      return (await app.request("/backchannel-logout", { ...init, body })).status;
    },
  ],
  [
    "Hono after the body was parsed",
    async (sessions, body) => {
      const app = new Hono().use(async (c, next) => {
        await c.req.parseBody();
        await next();
      });
      app.use(toHonoSessions(sessions, appUrl).routes);
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return (await app.request("/backchannel-logout", { method: "POST", headers, body })).status;
    },
  ],
  [
    "Next.js",
    async (sessions, body) => {
      const cookies = async () => ({ set: () => expect.unreachable("no cookie is set") });
      const redirect = (url: string): never => expect.unreachable(url);
      const { handlers } = toNextSessions(sessions, appUrl, { headers: async () => new Headers(), cookies, redirect });
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return (await handlers.POST(new Request("http://localhost:3000/backchannel-logout", { method: "POST", headers, body }))).status;
    },
  ],
])("%s passes the token to the app", async (_, send) => {
  const app = await openLogoutApp(undefined, false);
  await app.openBrowser().signIn(app.service.ada);
  await app.end();
  expect(await send(app.sessions, form(app.sent[0] ?? ""))).toBe(200);
  expect(await app.rows()).toBe(0);
});
