import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, listAllPages, type JsonBody } from "../support/api.ts";
import { openService, type LoginService } from "../support/flow.ts";
import { passwordClient, exchangeRefreshToken, obtainPasswordTokens } from "./tokens.ts";
import { tokenWith } from "./token-with.ts";

let service: LoginService;
let clientId: string;
let adasTokens: string;

beforeEach(async () => {
  service = await openService();
  clientId = await passwordClient(service);
  adasTokens = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/refresh-tokens`;
});

const tokens = async (query = ""): Promise<readonly JsonBody[]> => list(await service.manage("GET", adasTokens + query));
const signIn = async (): Promise<string> => stringMember(await obtainPasswordTokens(service, clientId, service.ada), "refresh_token");

describe("a refresh token", () => {
  test("is returned without its value and its rotation state", async () => {
    await signIn();
    const [token = {}, ...more] = await tokens();
    expect(more).toEqual([]);
    expect(token).toEqual({
      id: expect.stringMatching(/^rt_/),
      user_id: service.ada.userId,
      client_id: clientId,
      session_id: expect.stringMatching(/^sess_/),
      created_at: "2026-01-01T00:00:00.000Z",
      idle_expires_at: expect.any(String),
      expires_at: expect.any(String),
      last_exchanged_at: null,
      device: {
        initial_ip: "192.0.2.1",
        initial_user_agent: expect.any(String),
        last_ip: "192.0.2.1",
        last_user_agent: expect.any(String),
      },
      rotating: true,
      resource_servers: [{ audience: "https://id.example.test/userinfo", scopes: "openid profile offline_access" }],
      refresh_token_metadata: {},
    });
    for (const path of ["refresh-tokens", "refresh_tokens"]) {
      expect(jsonBody(await service.manage("GET", `/api/v2/${path}/${stringMember(token, "id")}`))).toEqual(token);
      expect(jsonBody(await service.manage("GET", `/api/v2/${path}/${stringMember(token, "id")}?fields=id,token_hash,family_id`))).toEqual({
        id: token["id"],
      });
    }
  });

  test("from an earlier version without sessions has no session_id", async () => {
    await signIn();
    const [{ id } = {}] = await tokens();
    await service.data.collections.refresh_tokens.update({ tenant_id: "main", id: String(id) }, { set: { session_id: null } });
    expect((await tokens())[0]).not.toHaveProperty("session_id");
  });

  test("has metadata that can be replaced, with at most 25 keys", async () => {
    await signIn();
    const [token = {}] = await tokens();
    const path = `/api/v2/refresh-tokens/${stringMember(token, "id")}`;
    expect(jsonBody(await service.manage("PATCH", path, { refresh_token_metadata: { a: 1 } }))).toEqual({
      ...token,
      refresh_token_metadata: { a: 1 },
    });
    expect(jsonBody(await service.manage("PATCH", path, {}))).toMatchObject({ refresh_token_metadata: { a: 1 } });
    expect(jsonBody(await service.manage("PATCH", path, { refresh_token_metadata: null }))).toEqual(token);
    const many = Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`k${i}`, i]));
    expectError(await service.manage("PATCH", path, { refresh_token_metadata: many }), 400, "invalid_request", "'refresh_token_metadata'");
    expectError(await service.manage("PATCH", path, { revoked_at: null }), 400, "invalid_request", "'revoked_at'");
    expectError(await service.manage("PATCH", "/api/v2/refresh-tokens/nothing", { refresh_token_metadata: {} }), 404, "not_found");
  });
});

describe("the list of a user's refresh tokens", () => {
  test("supports both list styles", async () => {
    for (let i = 0; i < 5; i++) {
      await signIn();
      service.clock.advance("1s");
    }
    const all = await tokens();
    expect(all).toHaveLength(5);
    expect(await listAllPages(service.manage, adasTokens, "tokens", 2)).toEqual(all);
    expect(await service.manage("GET", `${adasTokens}?take=5`)).toMatchObject({ body: { tokens: all } });
    expect(jsonBody(await service.manage("GET", `${adasTokens}?take=5`))).not.toHaveProperty("next");
    expect(await tokens("?page=1&per_page=2")).toEqual(all.slice(2, 4));
    expect(jsonBody(await service.manage("GET", `${adasTokens}?page=1&per_page=2&include_totals=true`))).toEqual({
      tokens: all.slice(2, 4),
      start: 2,
      limit: 2,
      length: 2,
      total: 5,
    });
    expect(await tokens("?sort=created_at:-1")).toEqual(all.toReversed());
    const { next } = jsonBody(await service.manage("GET", `${adasTokens}?take=2`));
    const bobsTokens = adasTokens.replace(encodeURIComponent(service.ada.userId), encodeURIComponent(service.bob.userId));
    expectError(
      await service.manage("GET", `${bobsTokens}?take=2&from=${encodeURIComponent(String(next))}`),
      400,
      "invalid_request",
      "'from'",
    );
    expect(list(await service.manage("GET", bobsTokens))).toEqual([]);
  });

  test.each([
    "sort=family_id:asc",
    "sort=rotated_at:asc",
    "sort=token_hash:1",
    "q=token_hash:x",
    "q=family_id:x",
    "per_page=101",
    "take=0",
    "token_lookup=x",
  ])("rejects ?%s", async (query) => {
    expectError(await service.manage("GET", `${adasTokens}?${query}`), 400, "invalid_request", query.split("=", 1)[0] ?? "");
  });

  test("responds with 404 for an unknown user and for a user of another tenant", async () => {
    const other = await managerOf(service, "other");
    for (const method of ["GET", "DELETE"]) {
      expect(expectError(await service.manage(method, "/api/v2/users/auth0%7Cunknown/refresh-tokens"), 404, "not_found")).toMatchObject({
        errorCode: "inexistent_user",
      });
      expectError(await other(method, adasTokens), 404, "not_found");
    }
  });
});

describe("revoking", () => {
  test("all refresh tokens of a user keeps them in the list, and revokes their access tokens", async () => {
    const signedIn = await obtainPasswordTokens(service, clientId, service.ada);
    const second = await signIn();
    const bobs = stringMember(await obtainPasswordTokens(service, clientId, service.bob), "refresh_token");
    service.clock.advance("1m");
    const revoked = new Date(service.clock.now()).toISOString();
    expect(await service.manage("DELETE", adasTokens)).toMatchObject({ status: 204, body: undefined });
    expect(await tokens()).toMatchObject([{ revoked_at: revoked }, { revoked_at: revoked }]);
    for (const token of [stringMember(signedIn, "refresh_token"), second])
      expect(await exchangeRefreshToken(service, clientId, token)).toMatchObject({ status: 400 });
    expect(await service.userinfo(stringMember(signedIn, "access_token"))).toMatchObject({ status: 401 });
    expect(await exchangeRefreshToken(service, clientId, bobs)).toMatchObject({ status: 200 });
    service.clock.advance("1m");
    expect(await service.manage("DELETE", adasTokens)).toMatchObject({ status: 204 });
    expect(await tokens()).toMatchObject([{ revoked_at: revoked }, { revoked_at: revoked }]);
  });

  test("one refresh token revokes the rest of its family and deletes the token", async () => {
    const first = await signIn();
    const successor = stringMember(jsonBody(await exchangeRefreshToken(service, clientId, first)), "refresh_token");
    await signIn();
    const all = await tokens();
    expect(all).toHaveLength(3);
    const [used = {}] = all.filter((token) => token["last_exchanged_at"] !== null);
    const path = `/api/v2/refresh-tokens/${stringMember(used, "id")}`;
    expect(await service.manage("DELETE", path)).toMatchObject({ status: 200, body: undefined });
    expectError(await service.manage("GET", path), 404, "not_found");
    const remaining = await tokens();
    expect(remaining).toHaveLength(2);
    expect(remaining.filter((token) => "revoked_at" in token)).toHaveLength(1);
    expect(await exchangeRefreshToken(service, clientId, successor)).toMatchObject({ status: 400 });
    expect(await service.manage("DELETE", path.replace("refresh-tokens", "refresh_tokens"))).toMatchObject({ status: 200 });
  });

  test("a refresh token of another tenant has no effect", async () => {
    const first = await signIn();
    const [token = {}] = await tokens();
    const other = await managerOf(service, "other");
    const path = `/api/v2/refresh-tokens/${stringMember(token, "id")}`;
    expectError(await other("GET", path), 404, "not_found");
    expectError(await other("PATCH", path, { refresh_token_metadata: {} }), 404, "not_found");
    expect(await other("DELETE", path)).toMatchObject({ status: 200 });
    expect(await exchangeRefreshToken(service, clientId, first)).toMatchObject({ status: 200 });
  });
});

test("each route of refresh tokens requires its scope", async () => {
  const all = ["read:users", "read:refresh_tokens", "update:refresh_tokens", "delete:refresh_tokens"];
  for (const [method, path, scopes] of [
    ["GET", adasTokens, ["read:refresh_tokens", "read:users"]],
    ["DELETE", adasTokens, ["delete:refresh_tokens"]],
    ["GET", "/api/v2/refresh-tokens/x", ["read:refresh_tokens"]],
    ["PATCH", "/api/v2/refresh-tokens/x", ["update:refresh_tokens"]],
    ["DELETE", "/api/v2/refresh-tokens/x", ["delete:refresh_tokens"]],
    ["GET", "/api/v2/refresh_tokens/x", ["read:refresh_tokens"]],
    ["DELETE", "/api/v2/refresh_tokens/x", ["delete:refresh_tokens"]],
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

describe("device credentials", () => {
  const path = "/api/v2/device-credentials";
  const credentials = async (query: { readonly [name: string]: string } = {}): Promise<readonly JsonBody[]> =>
    list(await service.manage("GET", `${path}?${new URLSearchParams({ user_id: service.ada.userId, ...query })}`));

  test("are the valid refresh tokens of a user, without their values, with filters and pages", async () => {
    await signIn();
    const [{ id } = {}] = await tokens();
    const credential = {
      id,
      device_name: expect.any(String),
      type: "rotating_refresh_token",
      user_id: service.ada.userId,
      client_id: clientId,
    };
    expect(await credentials()).toEqual([credential]);
    for (const [query, count] of [
      [{ client_id: clientId }, 1],
      [{ client_id: "another" }, 0],
      [{ type: "rotating_refresh_token" }, 1],
      [{ type: "refresh_token" }, 0],
      [{ type: "public_key" }, 0],
      [{ user_id: service.bob.userId }, 0],
    ] as const)
      expect(await credentials(query), JSON.stringify(query)).toHaveLength(count);
    service.clock.advance("1s");
    await signIn();
    const query = new URLSearchParams({ user_id: service.ada.userId, per_page: "1", page: "1", include_totals: "true", fields: "type" });
    expect(await service.manage("GET", `${path}?${query}`)).toMatchObject({
      body: { start: 1, limit: 1, total: 2, device_credentials: [{ type: "rotating_refresh_token" }] },
    });
    expectError(await service.manage("GET", `${path}?user_id=${service.ada.userId}&type=other`), 400, "invalid_request", "type");
  });

  test("do not include tokens that were rotated, revoked or have expired", async () => {
    const rotated = await signIn();
    service.clock.advance("1s");
    const next = stringMember(jsonBody(await exchangeRefreshToken(service, clientId, rotated)), "refresh_token");
    expect(await tokens()).toHaveLength(2);
    expect(await credentials()).toHaveLength(1);
    await service.manage("DELETE", adasTokens);
    expect(await credentials()).toEqual([]);
    expectError(await exchangeRefreshToken(service, clientId, next), 400, "invalid_grant");
    await signIn();
    expect(await credentials()).toHaveLength(1);
    service.clock.advance("400d");
    expect(await credentials()).toEqual([]);
  });

  test("can be deleted, which revokes the token, and the deletion can be retried", async () => {
    const token = await signIn();
    const [{ id } = {}] = await credentials();
    for (let i = 0; i < 2; i++) expect(await service.manage("DELETE", `${path}/${String(id)}`)).toMatchObject({ status: 204 });
    expect(await credentials()).toEqual([]);
    expectError(await exchangeRefreshToken(service, clientId, token), 400, "invalid_grant");
  });

  test("require their scopes", async () => {
    const [read, remove] = ["read:device_credentials", "delete:device_credentials"];
    const query = `${path}?user_id=${encodeURIComponent(service.ada.userId)}`;
    const reader = await tokenWith(service, service.manage, [read]);
    const remover = await tokenWith(service, service.manage, [remove]);
    expect((await service.call("GET", query, { token: reader })).status).toBe(200);
    expectError(await service.call("DELETE", `${path}/x`, { token: reader }), 403, "insufficient_scope", remove);
    expect((await service.call("DELETE", `${path}/x`, { token: remover })).status).toBe(204);
    expectError(await service.call("GET", query, { token: remover }), 403, "insufficient_scope", read);
  });
});

describe("the refresh tokens in use", () => {
  const inUse = async (query = ""): Promise<readonly string[]> => {
    const path = `/api/v2/refresh-tokens?user_id=${encodeURIComponent(service.ada.userId)}${query}`;
    return list(await service.manage("GET", path), "refresh_tokens").map((token) => stringMember(token, "id"));
  };
  const revoke = (body: object) => service.manage("POST", "/api/v2/refresh-tokens/revoke", body);

  test("are listed without those that were rotated or revoked, and by client", async () => {
    const first = await signIn();
    await signIn();
    expect(await inUse()).toHaveLength(2);
    await exchangeRefreshToken(service, clientId, first);
    expect(await tokens()).toHaveLength(3);
    expect(await inUse()).toHaveLength(2);
    expect(await inUse(`&client_id=${clientId}`)).toHaveLength(2);
    expect(await inUse("&client_id=another")).toEqual([]);
    expectError(await service.manage("GET", "/api/v2/refresh-tokens"), 400, "invalid_request", "'user_id'");
    expectError(await service.manage("GET", "/api/v2/refresh-tokens?user_id=unknown"), 404, "not_found");
  });

  test("are revoked by their ids, with the family of each", async () => {
    const rotated = await signIn();
    const other = await signIn();
    const [id = ""] = await inUse();
    const successor = stringMember(jsonBody(await exchangeRefreshToken(service, clientId, rotated)), "refresh_token");
    expect((await revoke({ ids: [id, "unknown"] })).status).toBe(202);
    expect(await inUse()).toHaveLength(1);
    expectError(await exchangeRefreshToken(service, clientId, successor), 400, "invalid_grant");
    jsonBody(await exchangeRefreshToken(service, clientId, other));
  });

  test("are revoked by user, client and API", async () => {
    await signIn();
    const { userId } = service.ada;
    const audience = "https://id.example.test/userinfo";
    for (const body of [
      { user_id: userId, client_id: "another" },
      { user_id: userId, client_id: clientId, audience: "https://other.example.test/" },
      { user_id: service.bob.userId },
      { user_id: "unknown" },
    ])
      expect((await revoke(body)).status).toBe(202);
    expect(await inUse()).toHaveLength(1);
    expect((await revoke({ user_id: userId, client_id: clientId, audience })).status).toBe(202);
    expect(await inUse()).toEqual([]);
    await signIn();
    expect((await revoke({ user_id: userId })).status).toBe(202);
    expect(await inUse()).toEqual([]);
  });

  test.each([
    {},
    { ids: [] },
    { ids: ["a"], user_id: "b" },
    { client_id: "a" },
    { user_id: "a", audience: "b" },
    { ids: ["a"], client_id: "b" },
  ])("are not revoked by %j", async (body) => {
    expectError(await revoke(body), 400, "invalid_request");
  });

  test("of another tenant are neither listed nor revoked", async () => {
    await signIn();
    const [id = ""] = await inUse();
    const other = await managerOf(service, "other");
    expectError(await other("GET", `/api/v2/refresh-tokens?user_id=${encodeURIComponent(service.ada.userId)}`), 404, "not_found");
    for (const body of [{ ids: [id] }, { user_id: service.ada.userId }]) await other("POST", "/api/v2/refresh-tokens/revoke", body);
    expect(await inUse()).toEqual([id]);
  });

  test("require the scopes that read and delete refresh tokens", async () => {
    const path = `/api/v2/refresh-tokens?user_id=${encodeURIComponent(service.ada.userId)}`;
    const reader = await tokenWith(service, service.manage, ["read:refresh_tokens"]);
    const remover = await tokenWith(service, service.manage, ["delete:refresh_tokens"]);
    expectError(await service.call("GET", path, { token: remover }), 403, "insufficient_scope");
    const body = { user_id: service.ada.userId };
    expectError(await service.call("POST", "/api/v2/refresh-tokens/revoke", { token: reader, body }), 403, "insufficient_scope");
    expect((await service.call("GET", path, { token: reader })).status).toBe(200);
  });
});
