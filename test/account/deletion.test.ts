import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, expectError, jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  errorParameters,
  login,
  loginState,
  obtainTokens,
  offline,
  openService,
  redirectOf,
  refreshGrant,
  screenName,
  sendAuthorization,
  submitStep,
  successParameters,
  type LoginService,
} from "../support/flow.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";
import { openSection, showSections, submitForm } from "./page.ts";

let service: LoginService;
let outbox: Outbox;
let browser: Browser;

beforeEach(async () => {
  outbox = createOutbox();
  service = await openService({ messages: { mail: outbox.mail } });
  await showSections(service, { deletion: "shown", export: "shown" });
  browser = service.browser();
  await login(browser, service.web, service.ada);
});

const userPath = (): string => `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
const exists = async (): Promise<boolean> => (await service.manage("GET", userPath())).status === 200;

/** Requests the deletion of the account. */
async function requestDeletion(): Promise<void> {
  const page = await openSection(browser, "deletion", { view: "confirm" });
  expect(page.html).toContain("Delete your account?");
  await submitForm(browser, page, { action: "delete-account" });
}

/** Signs in until the page that asks whether to keep the account. @returns the `state` of the login. */
async function signInToDecide(visitor: Browser): Promise<string> {
  const asked = await sendAuthorization(visitor, service.web, offline);
  const state = loginState(asked);
  await submitStep(visitor, state, { action: "continue", identifier: service.ada.email });
  expect(screenName(await submitStep(visitor, state, { action: "sign-in", password: service.ada.password }))).toBe("keep-account");
  return state;
}

describe("a user who deletes the account", () => {
  test("is signed out everywhere at once, and sees the date on the page, also after a second click", async () => {
    const tokens = await obtainTokens(service, service.web, service.ada, offline);
    const page = await openSection(browser, "deletion", { view: "confirm" });
    const clicks = [
      await submitForm(browser, page, { action: "delete-account" }),
      await submitForm(browser, page, { action: "delete-account" }),
    ];
    for (const { location } of clicks) {
      const shown = await openSection(browser, "deletion", Object.fromEntries(location?.searchParams ?? []));
      expect(shown.html).toContain("Your account will be deleted on 2026-01-15.");
    }
    expect((await service.userinfo(tokens.access)).status).toBe(401);
    expect((await service.exchange(refreshGrant(service.web, String(tokens.refresh)))).status).toBe(400);
    expect(errorParameters(await sendAuthorization(browser, service.web, { prompt: "none" }))["error"]).toBe("login_required");
    expect(await auditEvents(service.manage, "my_account_deletion_requested")).toHaveLength(1);
    expect(outbox.take(service.ada.email)).toHaveProperty("subject", "Your account will be deleted");
    expect(outbox.sent).toEqual([]);
  });

  test("keeps the account at the next sign-in, and until then gets no tokens", async () => {
    await requestDeletion();
    const visitor = service.browser();
    const state = await signInToDecide(visitor);
    expect(errorParameters(await sendAuthorization(visitor, service.web, { prompt: "none" }))["error"]).toBe("interaction_required");
    // The account page is closed until the user decides.
    expect((await openSection(visitor, "profile")).status).toBe(303);
    const { code = "" } = successParameters(redirectOf(await submitStep(visitor, state, { action: "keep-account" })));
    expect(code).not.toBe("");
    await service.postern.jobs.sweep();
    service.clock.advance("20d");
    await service.postern.jobs.sweep();
    expect(await exists()).toBe(true);
    expect(await auditEvents(service.manage, "my_account_deletion_withdrawn")).toHaveLength(1);
  });

  test("lets it be deleted at the next sign-in: no tokens, and the session ends", async () => {
    await requestDeletion();
    const visitor = service.browser();
    const state = await signInToDecide(visitor);
    const reply = await submitStep(visitor, state, { action: "delete-account" });
    expect(errorParameters(redirectOf(reply))).toMatchObject({ error: "access_denied" });
    expect(errorParameters(await sendAuthorization(visitor, service.web, { prompt: "none" }))["error"]).toBe("login_required");
  });

  test("gets a mail a day before, once, and `sweep` deletes the account at its time and not earlier", async () => {
    await requestDeletion();
    outbox.sent.length = 0;
    service.clock.advance("12d");
    await service.postern.jobs.sweep();
    expect(outbox.sent).toEqual([]);
    service.clock.advance("25h");
    await Promise.all([service.postern.jobs.sweep(), service.postern.jobs.sweep()]);
    await service.postern.jobs.sweep();
    expect(outbox.take(service.ada.email)).toHaveProperty("subject", "Your account will be deleted soon");
    expect(outbox.sent).toEqual([]);
    expect(await exists()).toBe(true);
    service.clock.advance("1d");
    await Promise.all([service.postern.jobs.sweep(), service.postern.jobs.sweep()]);
    expect(await exists()).toBe(false);
    expect(await auditEvents(service.manage, "sdu")).toHaveLength(1);
  });

  test("still has a day after a reminder that comes late", async () => {
    await requestDeletion();
    service.clock.advance("20d");
    await service.postern.jobs.sweep();
    await service.postern.jobs.sweep();
    expect(await exists()).toBe(true);
    service.clock.advance("23h");
    await service.postern.jobs.sweep();
    expect(await exists()).toBe(true);
    service.clock.advance("2h");
    await service.postern.jobs.sweep();
    expect(await exists()).toBe(false);
  });

  test("is shown to administrators, who can keep the account, and cannot link another one to it", async () => {
    const read = async () => jsonBody(await service.manage("GET", userPath()));
    expect(await read()).not.toHaveProperty("deletes_at");
    await requestDeletion();
    expect(await read()).toMatchObject({ deletes_at: "2026-01-15T00:00:06.000Z" });
    const link = { provider: "auth0", user_id: service.bob.userId };
    expectError(await service.manage("POST", `${userPath()}/identities`, link), 409, "conflict");
    expectError(await service.manage("PATCH", userPath(), { deletes_at: "2027-01-01T00:00:00.000Z" }), 400, "invalid_request");
    const kept = jsonBody(await service.manage("PATCH", userPath(), { deletes_at: null }));
    expect(kept).not.toHaveProperty("deletes_at");
    await login(service.browser(), service.web, service.ada);
  });

  test("becomes void when the account is linked to another one", async () => {
    await requestDeletion();
    const bobPath = `/api/v2/users/${encodeURIComponent(service.bob.userId)}`;
    expect((await service.manage("POST", `${bobPath}/identities`, { provider: "auth0", user_id: service.ada.userId })).status).toBe(201);
    service.clock.advance("20d");
    await service.postern.jobs.sweep();
    await service.manage("DELETE", `${bobPath}/identities/auth0/${encodeURIComponent(service.ada.userId.split("|")[1] ?? "")}`);
    await service.postern.jobs.sweep();
    expect(await exists()).toBe(true);
  });

  test("is not deleted while an administrator blocks the account", async () => {
    await requestDeletion();
    jsonBody(await service.manage("PATCH", userPath(), { blocked: true }));
    for (let days = 0; days < 30; days += 5) {
      service.clock.advance("5d");
      await service.postern.jobs.sweep();
    }
    expect(await exists()).toBe(true);
    jsonBody(await service.manage("PATCH", userPath(), { blocked: false }));
    for (let days = 0; days < 4; days++) {
      service.clock.advance("25h");
      await service.postern.jobs.sweep();
    }
    expect(await exists()).toBe(false);
  });

  test("needs a recent sign-in", async () => {
    service.clock.advance("16m");
    expect((await openSection(browser, "deletion", { view: "confirm" })).html).toContain("Sign in again");
    expect((await browser.post("/u/account/deletion", { form: { csrf: "x", action: "delete-account" } })).status).toBe(303);
    expect((await openSection(browser, "deletion")).status).toBe(200);
  });

  test("waits as many days as the tenant sets, and cannot delete the account if the section is read-only or hidden", async () => {
    const settings = { account_page: { client_id: service.web.clientId, deletion_days: 1, sections: { deletion: "shown" } } };
    jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", settings));
    service.clock.advance("6s");
    await requestDeletion();
    service.clock.advance("1d");
    service.clock.advance("1s");
    outbox.sent.length = 0;
    await service.postern.jobs.sweep();
    expect(await exists()).toBe(false);
    expect(outbox.sent).toEqual([]);

    const other = service.browser();
    await login(other, service.web, service.bob);
    await showSections(service, { deletion: "read_only" });
    expect((await openSection(other, "deletion")).html).not.toContain("view=confirm");
    expect((await openSection(other, "deletion", { view: "confirm" })).status).toBe(303);
    await showSections(service, { deletion: "hidden" });
    expect((await openSection(other, "deletion")).status).toBe(404);
  });

  test("of thirty-two parallel requests, one counts", async () => {
    const page = await openSection(browser, "deletion", { view: "confirm" });
    await Promise.all(Array.from({ length: 32 }, () => submitForm(browser, page, { action: "delete-account" })));
    expect(await auditEvents(service.manage, "my_account_deletion_requested")).toHaveLength(1);
  });
});

describe("the data of a user", () => {
  const download = async (visitor: Browser): Promise<{ readonly headers: Headers; readonly text: string }> => {
    const { html } = await openSection(visitor, "export", { view: "download" });
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
    const response = await visitor.post("/u/account/export", { form: { csrf, action: "download", view: "download" } });
    return { headers: response.headers, text: await response.text() };
  };

  test("are downloaded as a JSON file, without anything secret", async () => {
    await obtainTokens(service, service.web, service.ada, offline, browser);
    await service.manage("PATCH", userPath(), { user_metadata: { color: "green" }, app_metadata: { note: "internal" } });
    const { headers, text } = await download(browser);
    expect(headers.get("content-disposition")).toBe('attachment; filename="account.json"');
    expect(headers.get("cache-control")).toBe("no-store");
    const data: unknown = JSON.parse(text);
    expect(data).toMatchObject({
      profile: { user_id: service.ada.userId, email: service.ada.email, user_metadata: { color: "green" } },
      identities: [{ provider: "auth0" }],
      sessions: [{ user_agent: expect.any(String) }],
      apps: [{ client_id: service.web.clientId }],
    });
    expect(text).not.toMatch(/internal|password_id|hash|secret|refresh_token|revision/);
    expect(text).not.toContain(service.bob.email);
    expect(await auditEvents(service.manage, "my_account_data_exported")).toHaveLength(1);
  });

  test("contain the roles and permissions of the user, also in organizations, and no others", async () => {
    const { manage } = service;
    const create = async (path: string, body: object) => String((await manage.create(path, body))["id"]);
    const identifier = "https://notes.example.test/";
    await manage.create("/api/v2/resource-servers", { identifier, scopes: ["read", "write", "own"].map((value) => ({ value })) });
    const role = async (name: string, permission: string) => {
      const id = await create("/api/v2/roles", { name, description: `${name}s of notes` });
      const permissions = [{ resource_server_identifier: identifier, permission_name: permission }];
      await manage("POST", `/api/v2/roles/${id}/permissions`, { permissions });
      return id;
    };
    const [reader, writer, other] = [await role("reader", "read"), await role("writer", "write"), await role("other", "own")];
    const organization = await create("/api/v2/organizations", { name: "acme", display_name: "Acme" });
    await manage("POST", `/api/v2/organizations/${organization}/members`, { members: [service.ada.userId, service.bob.userId] });
    const memberPath = (account: typeof service.ada) =>
      `/api/v2/organizations/${organization}/members/${encodeURIComponent(account.userId)}`;
    await manage("POST", `${memberPath(service.ada)}/roles`, { roles: [writer] });
    await manage("POST", `${memberPath(service.bob)}/roles`, { roles: [other] });
    await manage("POST", `${userPath()}/roles`, { roles: [reader] });
    const direct = [{ resource_server_identifier: identifier, permission_name: "own" }];
    await manage("POST", `${userPath()}/permissions`, { permissions: direct });
    const data: unknown = JSON.parse((await download(browser)).text);
    const held = (name: string, permission: string) => [
      { name, description: `${name}s of notes`, assigned_at: expect.any(String), permissions: [{ api: identifier, permission }] },
    ];
    expect(data).toMatchObject({
      organizations: [{ id: organization, name: "acme", roles: held("writer", "write") }],
      roles: held("reader", "read"),
      permissions: [{ api: identifier, permission: "own", assigned_at: expect.any(String) }],
    });
    expect(JSON.stringify(data)).not.toContain("others of notes");
  });

  test("of another user are in no download: not with their id, their form or their cookie of another browser", async () => {
    const bobs = service.browser();
    await login(bobs, service.web, service.bob);
    const csrfIn = async (own: Browser): Promise<string> =>
      /name="csrf" value="([^"]+)"/.exec((await openSection(own, "export", { view: "download" })).html)?.[1] ?? "";
    const post = (own: Browser, form: { readonly [field: string]: string }, query = "") =>
      own.post(`/u/account/export${query}`, { form: { action: "download", view: "download", ...form } });
    // Bob's form and Ada's session: two tabs of one browser, in which Ada signed in last.
    for (const csrf of [await csrfIn(bobs), "x", ""]) {
      const refused = await post(browser, { csrf });
      expect(refused.headers.get("content-disposition")).toBeNull();
      expect(await refused.text()).not.toContain(service.bob.email);
    }
    // Without a session, Bob's form downloads nothing.
    expect((await post(service.browser(), { csrf: await csrfIn(bobs) })).headers.get("content-disposition")).toBeNull();
    // Bob's id has no effect, wherever it stands.
    const { userId } = service.bob;
    const ids = { id: userId, user_id: userId, sub: userId };
    const own = await post(browser, { csrf: await csrfIn(browser), ...ids }, `?${new URLSearchParams(ids)}`);
    const text = await own.text();
    expect(JSON.parse(text)).toMatchObject({ profile: { user_id: service.ada.userId } });
    expect(text).not.toContain(userId);
    expect(text).not.toContain(service.bob.email);
    const events = await auditEvents(service.manage, "my_account_data_exported");
    expect(events.map(({ user_id: exported }) => exported)).toEqual([service.ada.userId]);
    // A session cookie with another secret is not valid.
    const forged = service.browser(
      new Map([...browser.cookies].map(([name, value]) => [name, name.includes("session") ? `${value}x` : value])),
    );
    expect((await post(forged, { csrf: await csrfIn(browser) })).headers.get("content-disposition")).toBeNull();
  });

  test("need a recent sign-in", async () => {
    service.clock.advance("16m");
    const { text } = await download(browser);
    expect(text).not.toContain(service.ada.email);
    expect((await openSection(browser, "export", { view: "download" })).html).toContain("Sign in again");
  });
});

test("a password grant of a user who asked for the deletion is refused", async () => {
  const app = await service.register({ secret: true, grant_types: ["password"] });
  await requestDeletion();
  const { email: username, password } = service.ada;
  const body = { grant_type: "password", client_id: app.clientId, client_secret: String(app.secret), username, password };
  expect((await service.exchange(body)).body).toMatchObject({ error: "access_denied" });
});
