import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, listAllPages, type JsonBody } from "../support/api.ts";
import { login, openService, type LoginService } from "../support/flow.ts";
import { passwordClient, exchangeRefreshToken, obtainPasswordTokens } from "./tokens.ts";
import { tokenWith } from "./token-with.ts";

const base = "/api/v2/sessions";

let service: LoginService;
let clientId: string;
let adasSessions: string;

beforeEach(async () => {
  service = await openService();
  clientId = await passwordClient(service);
  adasSessions = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/sessions`;
});

const sessions = async (path = `${adasSessions}?per_page=10`): Promise<readonly JsonBody[]> => list(await service.manage("GET", path));

describe("a session", () => {
  test("is returned with its device, its clients and its authentication methods", async () => {
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
    expect(jsonBody(await service.manage("GET", `${base}/${stringMember(session, "id")}`))).toEqual(session);
    expect(await sessions(base)).toEqual([session]);
    expect(await sessions(`${base}?fields=id,cookie_hash`)).toEqual([{ id: session["id"] }]);
  });

  test("without a browser has no cookie", async () => {
    await obtainPasswordTokens(service, clientId, service.ada);
    expect((await sessions())[0]).not.toHaveProperty("cookie");
  });

  test("has metadata that can be replaced", async () => {
    await obtainPasswordTokens(service, clientId, service.ada);
    const [session = {}] = await sessions();
    const path = `${base}/${stringMember(session, "id")}`;
    expect(jsonBody(await service.manage("PATCH", path, { session_metadata: { tier: "gold" } }))).toEqual({
      ...session,
      session_metadata: { tier: "gold" },
    });
    expect(jsonBody(await service.manage("GET", path))).toMatchObject({ session_metadata: { tier: "gold" } });
    expect(jsonBody(await service.manage("PATCH", path, {}))).toMatchObject({ session_metadata: { tier: "gold" } });
    expect(jsonBody(await service.manage("PATCH", path, { session_metadata: null }))).toEqual(session);
    expectError(await service.manage("PATCH", path, { session_metadata: [] }), 400, "invalid_request", "'session_metadata'");
    expectError(await service.manage("PATCH", path, { user_id: "x" }), 400, "invalid_request", "'user_id'");
    expectError(await service.manage("PATCH", `${base}/nothing`, { session_metadata: {} }), 404, "not_found");
  });
});

describe("lists of sessions", () => {
  test("support every list style, for one user and for all users", async () => {
    for (const account of [service.ada, service.ada, service.bob]) {
      await obtainPasswordTokens(service, clientId, account);
      service.clock.advance("1s");
    }
    const all = await sessions(base);
    expect(all).toHaveLength(3);
    expect(await listAllPages(service.manage, base, "sessions", 2)).toEqual(all);
    expect(await sessions()).toEqual(all.slice(0, 2));
    expect(await listAllPages(service.manage, adasSessions, "sessions", 1)).toEqual(all.slice(0, 2));
    for (const query of ["", "?include_totals=false", "?sort=created_at:asc", "?take=50&include_totals=true"])
      expect(jsonBody(await service.manage("GET", adasSessions + query)), query).toEqual({ sessions: all.slice(0, 2) });
    expect(jsonBody(await service.manage("GET", `${base}?include_totals=true&per_page=1&page=1`))).toEqual({
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

  test("omit expired sessions, whose refresh tokens can still be revoked by the session's id", async () => {
    const signedIn = await obtainPasswordTokens(service, clientId, service.ada);
    const [session = {}] = await sessions();
    const sessionPath = `${base}/${stringMember(session, "id")}`;
    service.clock.advance("3d");
    expect(await sessions()).toEqual([]);
    expect(await sessions(base)).toEqual([]);
    expect(jsonBody(await service.manage("GET", `${base}?include_totals=true`))).toMatchObject({ sessions: [], total: 0 });
    expectError(await service.manage("GET", sessionPath), 404, "not_found");
    expectError(await service.manage("PATCH", sessionPath, { session_metadata: { a: 1 } }), 404, "not_found");

    const next = stringMember(
      jsonBody(await exchangeRefreshToken(service, clientId, stringMember(signedIn, "refresh_token"))),
      "refresh_token",
    );
    expect(await service.manage("POST", `${sessionPath}/revoke`)).toMatchObject({ status: 202 });
    expectError(await service.manage("POST", `${sessionPath}/revoke`), 404, "not_found");
    expectError(await exchangeRefreshToken(service, clientId, next), 400, "invalid_grant");
  });

  test("omit sessions that reached their absolute lifetime before their idle lifetime", async () => {
    jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { session_lifetime: 1, idle_session_lifetime: 72 }));
    service.clock.advance("6s");
    await obtainPasswordTokens(service, clientId, service.ada);
    const [session = {}] = await sessions();
    service.clock.advance("61m");
    expect([await sessions(), await sessions(base)]).toEqual([[], []]);
    expectError(await service.manage("GET", `${base}/${stringMember(session, "id")}`), 404, "not_found");
  });

  test("respond with 404 for an unknown user and for a user of another tenant", async () => {
    const other = await managerOf(service, "other");
    for (const method of ["GET", "DELETE"]) {
      expect(expectError(await service.manage(method, "/api/v2/users/auth0%7Cunknown/sessions"), 404, "not_found")).toMatchObject({
        errorCode: "inexistent_user",
      });
      expectError(await other(method, adasSessions), 404, "not_found");
    }
  });
});

describe("the deletion of sessions", () => {
  test.each([
    ["DELETE", ""],
    ["POST", "/revoke"],
  ])("with %s %s removes the session and revokes its tokens", async (method, suffix) => {
    const tokens = await obtainPasswordTokens(service, clientId, service.ada);
    const [session = {}] = await sessions();
    const path = `${base}/${stringMember(session, "id")}`;
    expect(await service.manage(method, path + suffix)).toMatchObject({ status: 202, body: undefined });
    expectError(await service.manage("GET", path), 404, "not_found");
    expect([await sessions(), await sessions(base)]).toEqual([[], []]);
    expect(await exchangeRefreshToken(service, clientId, stringMember(tokens, "refresh_token"))).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await service.userinfo(stringMember(tokens, "access_token"))).toMatchObject({ status: 401 });
    expect(list(await service.manage("GET", adasSessions.replace("sessions", "refresh-tokens")))).toMatchObject([
      { revoked_at: expect.any(String) },
    ]);
    expect(await service.manage(method, path + suffix)).toMatchObject({ status: method === "DELETE" ? 202 : 404 });
  });

  test("of one user keeps the sessions of other users", async () => {
    const browser = service.browser();
    await login(browser, service.spa, service.ada);
    const tokens = await obtainPasswordTokens(service, clientId, service.ada);
    await obtainPasswordTokens(service, clientId, service.bob);
    expect(await service.manage("DELETE", adasSessions)).toMatchObject({ status: 202, body: undefined });
    expect(await sessions()).toEqual([]);
    expect(await sessions(base)).toHaveLength(1);
    expect(await exchangeRefreshToken(service, clientId, stringMember(tokens, "refresh_token"))).toMatchObject({ status: 400 });
  });

  test("of another tenant has no effect", async () => {
    await obtainPasswordTokens(service, clientId, service.ada);
    const [session = {}] = await sessions();
    const path = `${base}/${stringMember(session, "id")}`;
    const other = await managerOf(service, "other");
    expectError(await other("GET", path), 404, "not_found");
    expectError(await other("PATCH", path, { session_metadata: {} }), 404, "not_found");
    expectError(await other("POST", `${path}/revoke`), 404, "not_found");
    expect(await other("DELETE", path)).toMatchObject({ status: 202 });
    expect(await sessions()).toEqual([session]);
    expect(await service.manage("DELETE", `${base}/${"x".repeat(300)}`)).toMatchObject({ status: 202 });
  });
});

test("each route of sessions requires its scope", async () => {
  const all = ["read:users", "read:sessions", "update:sessions", "delete:sessions", "delete:refresh_tokens"];
  for (const [method, path, scopes] of [
    ["GET", base, ["read:sessions"]],
    ["GET", adasSessions, ["read:sessions"]],
    ["DELETE", adasSessions, ["delete:sessions"]],
    ["GET", `${base}/x`, ["read:sessions"]],
    ["PATCH", `${base}/x`, ["update:sessions"]],
    ["DELETE", `${base}/x`, ["delete:sessions"]],
    ["POST", `${base}/x/revoke`, ["delete:sessions", "delete:refresh_tokens"]],
  ] as const) {
    expectError(await service.call(method, path), 401, "invalid_token");
    const token = await tokenWith(
      service,
      service.manage,
      all.filter((scope) => !scopes.some((required) => required === scope)),
    );
    expectError(await service.call(method, path, { token, ...(method === "PATCH" && { body: {} }) }), 403, "insufficient_scope", scopes[0]);
  }
});
