import { createSessions } from "@postern/app";
import { describe, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import type { LoginService } from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";
import { appUrl, openApp, secret, type AppWithSessions, type AppBrowser } from "./app-browser.ts";

/** Creates an organization, with the users as its members. */
async function createOrganization({ manage }: LoginService, name: string, members: readonly string[]): Promise<string> {
  const id = stringMember(await manage.create("/api/v2/organizations", { name, display_name: name }), "id");
  if (members.length > 0) await manage("POST", `/api/v2/organizations/${id}/members`, { members });
  return id;
}

/** Opens an app whose client allows organizations. */
async function open(): Promise<AppWithSessions & { readonly acme: string }> {
  const app = await openApp();
  const { service, client } = app;
  await service.manage("PATCH", `/api/v2/clients/${client.clientId}`, { organization_usage: "allow" });
  const acme = await createOrganization(service, "acme", [service.ada.userId]);
  return { ...app, acme };
}

const isSignedIn = async ({ sessions }: AppWithSessions, { cookies }: AppBrowser): Promise<boolean> =>
  (await sessions.getSession({ url: appUrl, headers: new Headers({ cookie: cookieHeader(cookies) }) })) !== undefined;

const cookieHeader = (cookies: ReadonlyMap<string, string>): string => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/**
 * Signs a user in with an authorization URL that the user changes in the browser.
 * @returns the status of the callback, and the app's session.
 */
async function tamper(
  app: AppWithSessions,
  requested: Parameters<AppWithSessions["sessions"]["signIn"]>[1],
  change: (parameters: URLSearchParams) => void,
  { browser = app.openBrowser(), account = app.service.ada, waitSeconds = 0 } = {},
): Promise<{ readonly status: number; readonly signedIn: boolean }> {
  const setCookie = (line: string): void => {
    const [name = "", ...value] = (line.split("; ")[0] ?? "").split("=");
    browser.cookies.set(name, value.join("="));
  };
  const url = await app.sessions.signIn({ url: appUrl, headers: new Headers(), setCookie }, requested);
  change(url.searchParams);
  const callback = await browser.authorize(url.href, account);
  app.service.clock.advance(waitSeconds * 1000);
  const { status } = await browser.send(callback);
  return { status, signedIn: await isSignedIn(app, browser) };
}

const signedIn = { status: 303, signedIn: true };
const rejected = { status: 400, signedIn: false };
const unchanged = (): void => {};

describe("the response must match the sign-in request", () => {
  test("accepts the requested organization, by id or by name", async () => {
    const app = await open();
    expect(await tamper(app, { organization: app.acme }, unchanged)).toEqual(signedIn);
    expect(await tamper(app, { organization: "Acme" }, unchanged)).toEqual(signedIn);
  });

  test("rejects the response if the user removed the organization from the URL", async () => {
    const app = await open();
    for (const organization of [app.acme, "acme"]) {
      const result = await tamper(app, { organization }, (url) => url.delete("organization"), { account: app.service.bob });
      expect(result, organization).toEqual(rejected);
    }
  });

  test("rejects the response if the user replaced the organization with another one that the user is a member of", async () => {
    const app = await open();
    const own = await createOrganization(app.service, "own", [app.service.bob.userId]);
    for (const [requested, sent] of [
      [app.acme, own],
      ["acme", "own"],
      ["acme", own],
    ] as const) {
      const result = await tamper(app, { organization: requested }, (url) => url.set("organization", sent), { account: app.service.bob });
      expect(result, `${requested} ${sent}`).toEqual(rejected);
    }
  });

  test("rejects the response if the user removed the organization that the app's options require", async () => {
    const app = await open();
    const { postern, clock } = app.service;
    const { clientId } = app.client;
    const sessions = createSessions({
      postern,
      tenantId: "main",
      clientId,
      clientSecret,
      appUrl,
      secret,
      organization: app.acme,
      now: () => clock.now(),
    });
    const lines: string[] = [];
    const url = await sessions.signIn({ url: appUrl, headers: new Headers(), setCookie: (line) => void lines.push(line) });
    expect(url.searchParams.get("organization")).toBe(app.acme);
    url.searchParams.delete("organization");
    const callback = await app.openBrowser().authorize(url.href, app.service.bob);
    const cookie = lines.map((line) => line.split("; ")[0]).join("; ");
    const response = await sessions.handle(new Request(callback, { headers: { cookie } }));
    expect([response?.status, response?.headers.getSetCookie().some((line) => line.startsWith("__Host-app_session.0"))]).toEqual([
      400,
      false,
    ]);
  });

  test("rejects the response if the user signed in with another connection than the requested one", async () => {
    const app = await open();
    const { service } = app;
    const name = "Username-Password-Authentication";
    expect(await tamper(app, { connection: name }, unchanged)).toEqual(signedIn);
    await service.manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
    expect(await tamper(app, { connection: "staff" }, (url) => url.delete("connection"))).toEqual(rejected);
  });

  test.each([
    ["prompt=login", { prompt: "login" }, "prompt"],
    ["max_age=0", { maxAgeSeconds: 0 }, "max_age"],
    ["max_age=60", { maxAgeSeconds: 60 }, "max_age"],
  ] as const)("rejects an authentication that is too old if the user removed %s from the URL", async (_, requested, parameter) => {
    const app = await open();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    app.service.clock.advance(600_000);
    browser.cookies.clear();
    expect(await tamper(app, requested, (url) => url.delete(parameter), { browser })).toEqual(rejected);
    expect(await tamper(app, requested, unchanged, { browser })).toEqual(signedIn);
    const session = await app.sessions.getSession({ url: appUrl, headers: new Headers({ cookie: cookieHeader(browser.cookies) }) });
    expect(session?.authenticatedAt).toEqual(new Date(app.service.clock.now()));
  });

  test("accepts the response if max_age passes between the authorization response and the exchange of the code", async () => {
    const app = await open();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    browser.cookies.clear();
    app.service.clock.advance(30_000);
    expect(await tamper(app, { maxAgeSeconds: 60 }, unchanged, { browser, waitSeconds: 50 })).toEqual(signedIn);
  });

  test("rejects tokens with more scopes, or for another API, than the app requested", async () => {
    const app = await openApp({ scope: "openid email", audience: "https://orders.example.test" });
    const { service } = app;
    for (const identifier of ["https://orders.example.test", "https://bills.example.test"]) {
      await service.manage.create("/api/v2/resource-servers", { name: identifier, identifier, scopes: [{ value: "read" }] });
    }
    expect(await tamper(app, {}, unchanged)).toEqual(signedIn);
    expect(await tamper(app, {}, (url) => url.set("scope", "openid email read"))).toEqual(rejected);
    expect(await tamper(app, {}, (url) => url.set("audience", "https://bills.example.test"))).toEqual(rejected);
  });

  test("rejects the callback if the cookie of the sign-in attempt cannot be decrypted", async () => {
    const app = await open();
    const browser = app.openBrowser();
    const started = await browser.send("/login");
    const callback = await browser.authorize(started.headers.get("location") ?? "", app.service.ada);
    const [name = ""] = browser.cookies.keys();
    browser.cookies.set(name, "a.b.c.d.e");
    expect((await browser.send(callback)).status).toBe(400);
  });
});

describe("the app's session ends", () => {
  const openSession = async (app: AppWithSessions & { readonly acme: string }, organization?: string) => {
    const browser = app.openBrowser();
    expect(await tamper(app, organization === undefined ? {} : { organization }, unchanged, { browser })).toEqual(signedIn);
    return async (): Promise<boolean> => isSignedIn(app, browser);
  };

  test("when the user is removed from the session's organization, unless the session has no organization", async () => {
    const app = await open();
    const [member, plain] = [await openSession(app, app.acme), await openSession(app)];
    await app.service.manage("DELETE", `/api/v2/organizations/${app.acme}/members`, { members: [app.service.ada.userId] });
    expect([await member(), await plain()]).toEqual([false, true]);
  });

  test("when the organization is deleted", async () => {
    const app = await open();
    const member = await openSession(app, app.acme);
    await app.service.manage("DELETE", `/api/v2/organizations/${app.acme}`);
    expect(await member()).toBe(false);
  });

  test("when the organization no longer allows the connection that the user signed in with", async () => {
    const app = await open();
    const member = await openSession(app, app.acme);
    const { service } = app;
    const other = await service.manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
    await service.manage("POST", `/api/v2/organizations/${app.acme}/enabled_connections`, { connection_id: stringMember(other, "id") });
    expect(await member()).toBe(false);
  });

  test("when the connection that the user signed in with is disabled for the client", async () => {
    const app = await open();
    const { service, client } = app;
    const plain = await openSession(app);
    await service.manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
    const { body } = await service.manage("GET", "/api/v2/connections?name=Username-Password-Authentication");
    const [{ id } = { id: "" }] = body as readonly { id: string }[];
    await service.manage("PATCH", `/api/v2/connections/${id}/clients`, [{ client_id: client.clientId, status: false }]);
    expect(await plain()).toBe(false);
  });

  test("when the connection that the user signed in with is deleted", async () => {
    const app = await open();
    const plain = await openSession(app);
    const { body } = await app.service.manage("GET", "/api/v2/connections?name=Username-Password-Authentication");
    const [{ id } = { id: "" }] = body as readonly { id: string }[];
    await app.service.manage("DELETE", `/api/v2/connections/${id}`);
    expect(await plain()).toBe(false);
  });

  test("when the client is deleted", async () => {
    const app = await open();
    const plain = await openSession(app);
    await app.service.manage("DELETE", `/api/v2/clients/${app.client.clientId}`);
    expect(await plain()).toBe(false);
  });
});
