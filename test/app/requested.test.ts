import { createSessions } from "@postern/app";
import { describe, expect, test } from "vitest";
import { text } from "../support/api.ts";
import type { LoginService } from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";
import { appUrl, openApp, secret, type AppWithSessions, type PersonInApp } from "./person-in-app.ts";

/** Creates an organization, with the users as its members. */
async function createOrganization({ manage }: LoginService, name: string, members: readonly string[]): Promise<string> {
  const id = text(await manage.create("/api/v2/organizations", { name, display_name: name }), "id");
  if (members.length > 0) await manage("POST", `/api/v2/organizations/${id}/members`, { members });
  return id;
}

/** The app of these tests, whose client allows organizations. */
async function open(): Promise<AppWithSessions & { readonly acme: string }> {
  const app = await openApp();
  const { service, client } = app;
  await service.manage("PATCH", `/api/v2/clients/${client.clientId}`, { organization_usage: "allow" });
  const acme = await createOrganization(service, "acme", [service.ada.userId]);
  return { ...app, acme };
}

const isSignedIn = async ({ sessions }: AppWithSessions, { cookies }: PersonInApp): Promise<boolean> =>
  (await sessions.getSession({ url: appUrl, headers: new Headers({ cookie: cookieHeader(cookies) }) })) !== undefined;

const cookieHeader = (cookies: ReadonlyMap<string, string>): string => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/**
 * Signs in with an authorization URL that the user changes in the browser.
 * @returns the status of the callback, and the app's session.
 */
async function tamper(
  app: AppWithSessions,
  requested: Parameters<AppWithSessions["sessions"]["signIn"]>[1],
  change: (parameters: URLSearchParams) => void,
  { me = app.person(), account = app.service.ada, waitSeconds = 0 } = {},
): Promise<{ readonly status: number; readonly signedIn: boolean }> {
  const setCookie = (line: string): void => {
    const [name = "", ...value] = (line.split("; ")[0] ?? "").split("=");
    me.cookies.set(name, value.join("="));
  };
  const url = await app.sessions.signIn({ url: appUrl, headers: new Headers(), setCookie }, requested);
  change(url.searchParams);
  const callback = await me.through(url.href, account);
  app.service.clock.advance(waitSeconds * 1000);
  const { status } = await me.ask(callback);
  return { status, signedIn: await isSignedIn(app, me) };
}

const signedIn = { status: 303, signedIn: true };
const refused = { status: 400, signedIn: false };
const asIs = (): void => {};

describe("the ID token must answer what the app requested", () => {
  test("an organization, requested by id or by name", async () => {
    const app = await open();
    expect(await tamper(app, { organization: app.acme }, asIs)).toEqual(signedIn);
    expect(await tamper(app, { organization: "Acme" }, asIs)).toEqual(signedIn);
  });

  test("rejects a user who removes the organization from the URL", async () => {
    const app = await open();
    for (const organization of [app.acme, "acme"]) {
      const answered = await tamper(app, { organization }, (url) => url.delete("organization"), { account: app.service.bob });
      expect(answered, organization).toEqual(refused);
    }
  });

  test("rejects a user who replaces the organization by one of their own", async () => {
    const app = await open();
    const own = await createOrganization(app.service, "own", [app.service.bob.userId]);
    for (const [requested, sent] of [
      [app.acme, own],
      ["acme", "own"],
      ["acme", own],
    ] as const) {
      const answered = await tamper(app, { organization: requested }, (url) => url.set("organization", sent), { account: app.service.bob });
      expect(answered, `${requested} ${sent}`).toEqual(refused);
    }
  });

  test("the organization of the app's own options is compared as well", async () => {
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
    const callback = await app.person().through(url.href, app.service.bob);
    const cookie = lines.map((line) => line.split("; ")[0]).join("; ");
    const answer = await sessions.handle(new Request(callback, { headers: { cookie } }));
    expect([answer?.status, answer?.headers.getSetCookie().some((line) => line.startsWith("__Host-app_session.0"))]).toEqual([400, false]);
  });

  test("rejects a user who signed in by another connection than the requested one", async () => {
    const app = await open();
    const { service } = app;
    const name = "Username-Password-Authentication";
    expect(await tamper(app, { connection: name }, asIs)).toEqual(signedIn);
    await service.manage.create("/api/v2/connections", { name: "staff", strategy: "auth0", enabled_clients: [app.client.clientId] });
    expect(await tamper(app, { connection: "staff" }, (url) => url.delete("connection"))).toEqual(refused);
  });

  test.each([
    ["prompt=login", { prompt: "login" }, "prompt"],
    ["max_age=0", { maxAgeSeconds: 0 }, "max_age"],
    ["max_age=60", { maxAgeSeconds: 60 }, "max_age"],
  ] as const)("rejects an old sign-in when %s was removed from the URL", async (_, requested, parameter) => {
    const app = await open();
    const me = app.person();
    await me.signIn(app.service.ada);
    app.service.clock.advance(600_000);
    me.cookies.clear();
    expect(await tamper(app, requested, (url) => url.delete(parameter), { me })).toEqual(refused);
    expect(await tamper(app, requested, asIs, { me })).toEqual(signedIn);
    const session = await app.sessions.getSession({ url: appUrl, headers: new Headers({ cookie: cookieHeader(me.cookies) }) });
    expect(session?.authenticatedAt).toEqual(new Date(app.service.clock.now()));
  });

  test("max_age also limits how long an unfinished attempt may wait", async () => {
    const app = await open();
    const me = app.person();
    await me.signIn(app.service.ada);
    me.cookies.clear();
    app.service.clock.advance(30_000);
    expect(await tamper(app, { maxAgeSeconds: 60 }, asIs, { me, waitSeconds: 50 })).toEqual(signedIn);
  });

  test("rejects more scopes and another API than the app requested", async () => {
    const app = await openApp({ scope: "openid email", audience: "https://orders.example.test" });
    const { service } = app;
    for (const identifier of ["https://orders.example.test", "https://bills.example.test"]) {
      await service.manage.create("/api/v2/resource-servers", { name: identifier, identifier, scopes: [{ value: "read" }] });
    }
    expect(await tamper(app, {}, asIs)).toEqual(signedIn);
    expect(await tamper(app, {}, (url) => url.set("scope", "openid email read"))).toEqual(refused);
    expect(await tamper(app, {}, (url) => url.set("audience", "https://bills.example.test"))).toEqual(refused);
  });

  test("an attempt that an earlier version of the app sealed is not accepted without what was requested", async () => {
    const app = await open();
    const me = app.person();
    const begun = await me.ask("/login");
    const callback = await me.through(begun.headers.get("location") ?? "", app.service.ada);
    const [name = ""] = me.cookies.keys();
    me.cookies.set(name, "a.b.c.d.e");
    expect((await me.ask(callback)).status).toBe(400);
  });
});

describe("the app's session ends", () => {
  const lives = async (app: AppWithSessions & { readonly acme: string }, organization?: string) => {
    const me = app.person();
    expect(await tamper(app, organization === undefined ? {} : { organization }, asIs, { me })).toEqual(signedIn);
    return async (): Promise<boolean> => isSignedIn(app, me);
  };

  test("with the membership in its organization, and not for a session without an organization", async () => {
    const app = await open();
    const [member, plain] = [await lives(app, app.acme), await lives(app)];
    await app.service.manage("DELETE", `/api/v2/organizations/${app.acme}/members`, { members: [app.service.ada.userId] });
    expect([await member(), await plain()]).toEqual([false, true]);
  });

  test("with the organization", async () => {
    const app = await open();
    const member = await lives(app, app.acme);
    await app.service.manage("DELETE", `/api/v2/organizations/${app.acme}`);
    expect(await member()).toBe(false);
  });

  test("when the organization no longer allows its connection", async () => {
    const app = await open();
    const member = await lives(app, app.acme);
    const { service } = app;
    const other = await service.manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
    await service.manage("POST", `/api/v2/organizations/${app.acme}/enabled_connections`, { connection_id: text(other, "id") });
    expect(await member()).toBe(false);
  });

  test("when its connection is disabled for the client", async () => {
    const app = await open();
    const { service, client } = app;
    const plain = await lives(app);
    const other = await service.manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
    await service.manage("PATCH", `/api/v2/connections/${text(other, "id")}/clients`, [{ client_id: client.clientId, status: true }]);
    const { body } = await service.manage("GET", "/api/v2/connections?name=Username-Password-Authentication");
    const [{ id } = { id: "" }] = body as readonly { id: string }[];
    await service.manage("PATCH", `/api/v2/connections/${id}/clients`, [{ client_id: client.clientId, status: false }]);
    expect(await plain()).toBe(false);
  });

  test("when its connection is deleted", async () => {
    const app = await open();
    const plain = await lives(app);
    const { body } = await app.service.manage("GET", "/api/v2/connections?name=Username-Password-Authentication");
    const [{ id } = { id: "" }] = body as readonly { id: string }[];
    await app.service.manage("DELETE", `/api/v2/connections/${id}`);
    expect(await plain()).toBe(false);
  });

  test("when the client is deleted", async () => {
    const app = await open();
    const plain = await lives(app);
    await app.service.manage("DELETE", `/api/v2/clients/${app.client.clientId}`);
    expect(await plain()).toBe(false);
  });
});
