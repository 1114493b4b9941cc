import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, object, text, listAllPages, type Json } from "../support/api.ts";
import { login, openService, type LoginService } from "../support/flow.ts";
import { passwordClient, refresh, signInByPassword } from "./tokens.ts";
import { tokenWith } from "./token-with.ts";

const base = "/api/v2/sessions";

let service: LoginService;
let clientId: string;
let ofAda: string;

beforeEach(async () => {
  service = await openService();
  clientId = await passwordClient(service);
  ofAda = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/sessions`;
});

const sessions = async (path = ofAda): Promise<readonly Json[]> => list(await service.manage("GET", path));

describe("a session", () => {
  test("is shown with its device, its clients and how the person signed in", async () => {
    await login(service.browser(), service.spa, service.ada);
    const [session = {}, ...more] = await sessions();
    expect(more).toEqual([]);
    const now = new Date(service.clock.now()).toISOString();
    expect(session).toEqual({
      id: expect.stringMatching(/^sess_/),
      user_id: service.ada.userId,
      created_at: now,
      updated_at: now,
      authenticated_at: now,
      last_interacted_at: now,
      idle_expires_at: "2026-01-04T00:00:00.000Z",
      expires_at: "2026-01-08T00:00:00.000Z",
      device: expect.objectContaining({ initial_user_agent: expect.any(String), last_user_agent: expect.any(String) }),
      clients: [{ client_id: service.spa.clientId }],
      authentication: { methods: [{ name: "pwd", timestamp: now }] },
      cookie: { mode: "persistent" },
      session_metadata: {},
    });
    expect(object(await service.manage("GET", `${base}/${text(session, "id")}`))).toEqual(session);
    expect(await sessions(base)).toEqual([session]);
    expect(await sessions(`${base}?fields=id,cookie_hash`)).toEqual([{ id: session["id"] }]);
  });

  test("without a browser has no cookie", async () => {
    await signInByPassword(service, clientId, service.ada);
    expect((await sessions())[0]).not.toHaveProperty("cookie");
  });

  test("has metadata that can be replaced", async () => {
    await signInByPassword(service, clientId, service.ada);
    const [session = {}] = await sessions();
    const path = `${base}/${text(session, "id")}`;
    expect(object(await service.manage("PATCH", path, { session_metadata: { tier: "gold" } }))).toEqual({
      ...session,
      session_metadata: { tier: "gold" },
    });
    expect(object(await service.manage("GET", path))).toMatchObject({ session_metadata: { tier: "gold" } });
    expect(object(await service.manage("PATCH", path, {}))).toMatchObject({ session_metadata: { tier: "gold" } });
    expect(object(await service.manage("PATCH", path, { session_metadata: null }))).toEqual(session);
    expectError(await service.manage("PATCH", path, { session_metadata: [] }), 400, "invalid_request", "'session_metadata'");
    expectError(await service.manage("PATCH", path, { user_id: "x" }), 400, "invalid_request", "'user_id'");
    expectError(await service.manage("PATCH", `${base}/nothing`, { session_metadata: {} }), 404, "not_found");
  });
});

describe("lists", () => {
  test("come in every style, of one user or of all", async () => {
    for (const account of [service.ada, service.ada, service.bob]) {
      await signInByPassword(service, clientId, account);
      service.clock.advance("1s");
    }
    const all = await sessions(base);
    expect(all).toHaveLength(3);
    expect(await listAllPages(service.manage, base, "sessions", 2)).toEqual(all);
    expect(await sessions()).toEqual(all.slice(0, 2));
    expect(await listAllPages(service.manage, ofAda, "sessions", 1)).toEqual(all.slice(0, 2));
    expect(object(await service.manage("GET", `${base}?include_totals=true&per_page=1&page=1`))).toEqual({
      sessions: all.slice(1, 2),
      start: 1,
      limit: 1,
      length: 1,
      total: 3,
    });
    expect(await sessions(`${base}?sort=created_at:desc`)).toEqual(all.toReversed());
    expectError(await service.manage("GET", `${base}?sort=cookie_hash:asc`), 400, "invalid_request", "'sort'");
    expectError(await service.manage("GET", `${base}?user_id=x`), 400, "invalid_request", "'user_id'");
    expect(list(await (await managerOf(service, "other"))("GET", base))).toEqual([]);
  });

  test("do not show one that is over, and neither does its id; what refresh tokens it has can still be ended by it", async () => {
    const given = await signInByPassword(service, clientId, service.ada);
    const [session = {}] = await sessions();
    const one = `${base}/${text(session, "id")}`;
    service.clock.advance("3d");
    expect(await sessions()).toEqual([]);
    expect(await sessions(base)).toEqual([]);
    expect(object(await service.manage("GET", `${base}?include_totals=true`))).toMatchObject({ sessions: [], total: 0 });
    expectError(await service.manage("GET", one), 404, "not_found");
    expectError(await service.manage("PATCH", one, { session_metadata: { a: 1 } }), 404, "not_found");

    const next = text(object(await refresh(service, clientId, text(given, "refresh_token"))), "refresh_token");
    expect(await service.manage("POST", `${one}/revoke`)).toMatchObject({ status: 202 });
    expectError(await service.manage("POST", `${one}/revoke`), 404, "not_found");
    expectError(await refresh(service, clientId, next), 400, "invalid_grant");
  });

  test("do not show one that has lived as long as it may, though it may still idle", async () => {
    object(await service.manage("PATCH", "/api/v2/tenants/settings", { session_lifetime: 1, idle_session_lifetime: 72 }));
    service.clock.advance("6s");
    await signInByPassword(service, clientId, service.ada);
    const [session = {}] = await sessions();
    service.clock.advance("61m");
    expect([await sessions(), await sessions(base)]).toEqual([[], []]);
    expectError(await service.manage("GET", `${base}/${text(session, "id")}`), 404, "not_found");
  });

  test("of nobody, or of another tenant's user, are 404", async () => {
    const other = await managerOf(service, "other");
    for (const method of ["GET", "DELETE"]) {
      expect(expectError(await service.manage(method, "/api/v2/users/auth0%7Cnobody/sessions"), 404, "not_found")).toMatchObject({
        errorCode: "inexistent_user",
      });
      expectError(await other(method, ofAda), 404, "not_found");
    }
  });
});

describe("ending", () => {
  test.each([
    ["DELETE", ""],
    ["POST", "/revoke"],
  ])("by %s %s: the session is gone, and its tokens with it", async (method, suffix) => {
    const tokens = await signInByPassword(service, clientId, service.ada);
    const [session = {}] = await sessions();
    const path = `${base}/${text(session, "id")}`;
    expect(await service.manage(method, path + suffix)).toMatchObject({ status: 202, body: undefined });
    expectError(await service.manage("GET", path), 404, "not_found");
    expect([await sessions(), await sessions(base)]).toEqual([[], []]);
    expect(await refresh(service, clientId, text(tokens, "refresh_token"))).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await service.userinfo(text(tokens, "access_token"))).toMatchObject({ status: 401 });
    expect(list(await service.manage("GET", ofAda.replace("sessions", "refresh-tokens")))).toMatchObject([
      { revoked_at: expect.any(String) },
    ]);
    expect(await service.manage(method, path + suffix)).toMatchObject({ status: method === "DELETE" ? 202 : 404 });
  });

  test("all of a user's leaves those of others", async () => {
    const browser = service.browser();
    await login(browser, service.spa, service.ada);
    const tokens = await signInByPassword(service, clientId, service.ada);
    await signInByPassword(service, clientId, service.bob);
    expect(await service.manage("DELETE", ofAda)).toMatchObject({ status: 202, body: undefined });
    expect(await sessions()).toEqual([]);
    expect(await sessions(base)).toHaveLength(1);
    expect(await refresh(service, clientId, text(tokens, "refresh_token"))).toMatchObject({ status: 400 });
  });

  test("another tenant's ends nothing", async () => {
    await signInByPassword(service, clientId, service.ada);
    const [session = {}] = await sessions();
    const path = `${base}/${text(session, "id")}`;
    const other = await managerOf(service, "other");
    expectError(await other("GET", path), 404, "not_found");
    expectError(await other("PATCH", path, { session_metadata: {} }), 404, "not_found");
    expectError(await other("POST", `${path}/revoke`), 404, "not_found");
    expect(await other("DELETE", path)).toMatchObject({ status: 202 });
    expect(await sessions()).toEqual([session]);
    expect(await service.manage("DELETE", `${base}/${"x".repeat(300)}`)).toMatchObject({ status: 202 });
  });
});

test("every route asks for its scope", async () => {
  const all = ["read:users", "read:sessions", "update:sessions", "delete:sessions", "delete:refresh_tokens"];
  for (const [method, path, scopes] of [
    ["GET", base, ["read:sessions"]],
    ["GET", ofAda, ["read:sessions"]],
    ["DELETE", ofAda, ["delete:sessions"]],
    ["GET", `${base}/x`, ["read:sessions"]],
    ["PATCH", `${base}/x`, ["update:sessions"]],
    ["DELETE", `${base}/x`, ["delete:sessions"]],
    ["POST", `${base}/x/revoke`, ["delete:sessions", "delete:refresh_tokens"]],
  ] as const) {
    expectError(await service.call(method, path), 401, "invalid_token");
    const token = await tokenWith(
      service,
      service.manage,
      all.filter((scope) => !scopes.some((named) => named === scope)),
    );
    expectError(await service.call(method, path, { token, ...(method === "PATCH" && { body: {} }) }), 403, "insufficient_scope", scopes[0]);
  }
});
