import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { auditEvents, expectError, list } from "../support/api.ts";
import { createTestPostern, type ApiResponse } from "../support/postern.ts";
import {
  claimsOf,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  tokens,
  randomString,
  type App,
  type LoginService,
  type ObtainedTokens,
} from "../support/flow.ts";
import { stores } from "./stores.ts";

const rotating = { rotation_type: "rotating", expiration_type: "expiring" } as const;
const sdkText = "Unknown or invalid refresh token.";

describe.each(stores)("refresh tokens on $name", ({ open }) => {
  let data: DataAdapter;
  let service: LoginService;
  /** Called before each update of a refresh token. A test sets it to throw, which simulates a crash at that point. */
  let beforeUpdate: (set: object) => void = () => {};

  beforeAll(async () => {
    const inner = await open();
    const { refresh_tokens: real } = inner.collections;
    const refresh_tokens: typeof real = {
      ...real,
      insert: (rows) => real.insert(rows),
      find: (query) => real.find(query),
      count: (where) => real.count(where),
      delete: (where) => real.delete(where),
      update: async (where, change) => {
        beforeUpdate(change.set ?? {});
        return real.update(where, change);
      },
    };
    data = { ...inner, collections: { ...inner.collections, refresh_tokens } };
    service = await openService({ data });
  });
  afterAll(() => data.close?.());

  const begin = (app: App = service.spa): Promise<ObtainedTokens> => obtainTokens(service, app, service.ada, offline);
  const use = (token: string, app: App = service.spa, more = {}): Promise<ApiResponse> => service.exchange(refreshGrant(app, token, more));
  const next = async (token: string, app: App = service.spa): Promise<string> => tokens(await use(token, app)).refresh;
  const expectDead = async (token: string, app: App = service.spa): Promise<void> => {
    expectError(await use(token, app), 400, "invalid_grant", sdkText);
  };
  const reuseEvents = async (): Promise<number> => {
    service.clock.advance("5s");
    return (await auditEvents(service.manage, "ferrt")).length;
  };

  test("each use of a refresh token issues new tokens with the same sub and auth_time in the ID token", async () => {
    const first = await begin();
    service.clock.advance("90s");
    const second = tokens(await use(first.refresh));
    expect(second.refresh).not.toBe(first.refresh);
    expect(second.refresh).toMatch(/^[A-Za-z0-9_-]{64}$/);
    expect(second.access).not.toBe(first.access);
    const [before, after] = [claimsOf(first.id), claimsOf(second.id)];
    expect(after).toMatchObject({ iss: before.iss, sub: before.sub, aud: before.aud, sid: before["sid"], auth_time: before["auth_time"] });
    expect(after.iat).toBe((before.iat ?? 0) + 90);
    expect(after).not.toHaveProperty("nonce");
    expect((await service.userinfo(second.access)).body).toMatchObject({ sub: before.sub, email: "ada@example.test" });
  });

  test("32 parallel uses return the same successor, which is valid", async () => {
    const { refresh } = await begin();
    const responses = await Promise.all(Array.from({ length: 32 }, () => use(refresh)));
    const successors = new Set(responses.map((response) => tokens(response).refresh));
    expect(successors.size).toBe(1);
    for (const successor of successors) await next(successor);
  });

  test("a replay of the old token within the leeway of 30 seconds returns the same successor", async () => {
    const { refresh } = await begin();
    const successor = await next(refresh);
    service.clock.advance("30s");
    expect(await next(refresh)).toBe(successor);
  });

  test("a replay within the leeway returns the same successor from a process whose key ring starts with another key", async () => {
    const { refresh } = await begin();
    const successor = await next(refresh);
    const secret = [
      { id: "2", secret: "fedcba9876543210fedcba9876543210" },
      { id: "1", secret: "0123456789abcdef0123456789abcdef" },
    ] as const;
    const other = await createTestPostern({ data, crypto: { secret }, testing: { clock: service.clock } });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams(refreshGrant(service.spa, refresh)).toString();
    expect(tokens(await other.call("POST", "/oauth/token", { headers, body })).refresh).toBe(successor);
    await next(successor);
  });

  test("a replay after the leeway revokes the family, with one log event, if the successor of the token was used", async () => {
    const before = await reuseEvents();
    const first = await begin();
    const second = tokens(await use(first.refresh));
    const third = tokens(await use(second.refresh));
    service.clock.advance("31s");
    await Promise.all(Array.from({ length: 8 }, () => expectDead(first.refresh)));
    await expectDead(second.refresh);
    await expectDead(third.refresh);
    expect((await service.userinfo(third.access)).status).toBe(401);
    expect(await reuseEvents()).toBe(before + 1);
  });

  test("after a lost response, the old token returns another successor once; using the lost successor revokes the family", async () => {
    const before = await reuseEvents();
    const { refresh } = await begin();
    const lost = await next(refresh);
    service.clock.advance("31s");
    const recovered = await next(refresh);
    expect(recovered).not.toBe(lost);
    expect(await next(refresh), "within the leeway of the recovery").toBe(recovered);
    const following = await next(recovered);
    await expectDead(lost);
    await expectDead(following);
    expect(await reuseEvents()).toBe(before + 1);
  });

  test("parallel recoveries return the same successor", async () => {
    const { refresh } = await begin();
    const lost = await next(refresh);
    service.clock.advance("31s");
    const responses = await Promise.all(Array.from({ length: 16 }, () => use(refresh)));
    const successors = new Set(responses.map((response) => tokens(response).refresh));
    expect(successors.size).toBe(1);
    expect(successors.has(lost)).toBe(false);
    for (const successor of successors) await next(successor);
  });

  test("a token recovers from a lost response once, and another replay after the leeway of that recovery revokes the family", async () => {
    const before = await reuseEvents();
    const { refresh } = await begin();
    await next(refresh);
    service.clock.advance("31s");
    const recovered = await next(refresh);
    service.clock.advance("31s");
    await expectDead(refresh);
    await expectDead(recovered);
    expect(await reuseEvents()).toBe(before + 1);
  });

  test("logs a recovery from a lost response", async () => {
    const { refresh } = await begin();
    await next(refresh);
    service.clock.advance("31s");
    await next(refresh);
    service.clock.advance("5s");
    const events = await auditEvents(service.manage, "sertft");
    expect(events.map(({ description }) => description)).toContain("an unused successor of the refresh token was replaced");
  });

  test("rejects a recovery from a lost response after 24 hours", async () => {
    const { refresh } = await begin();
    const successor = await next(refresh);
    service.clock.advance("24h");
    service.clock.advance("1s");
    await expectDead(refresh);
    await expectDead(successor);
  });

  test("the first replay revokes the family if the client has neither recovery nor leeway", async () => {
    const app = await service.register({ refresh_token: { ...rotating, leeway: 0, recovery_window: 0 } });
    const { refresh } = await begin(app);
    const successor = await next(refresh, app);
    service.clock.advance("1s");
    await expectDead(refresh, app);
    await expectDead(successor, app);
  });

  test("after a crash between the revocation of the lost successor and its replacement, the next request recovers", async () => {
    const { refresh } = await begin();
    const lost = await next(refresh);
    service.clock.advance("31s");
    beforeUpdate = (set) => {
      if (!("recovered_at" in set)) return;
      beforeUpdate = () => {};
      throw new Error("lost");
    };
    expect((await use(refresh)).status).toBe(500);
    const recovered = await next(refresh);
    expect(recovered).not.toBe(lost);
    await next(recovered);
    expect(service.faults.length, "only one internal error is logged").toBe(1);
  });

  test("after a crash before the rotation is stored, the next request rotates the token", async () => {
    const { refresh } = await begin();
    beforeUpdate = (set) => {
      if (!("rotated_to" in set)) return;
      beforeUpdate = () => {};
      throw new Error("lost");
    };
    expect((await use(refresh)).status).toBe(500);
    await next(await next(refresh));
  });

  test("an idle token expires, and a used one lives until its absolute expiry, which rotation does not extend", async () => {
    const app = await service.register({ refresh_token: { ...rotating, idle_token_lifetime: 3600, token_lifetime: 7200 } });
    const idle = await begin(app);
    let { refresh } = await begin(app);
    service.clock.advance("59m");
    refresh = await next(refresh, app);
    service.clock.advance("1m");
    await expectDead(idle.refresh, app);
    service.clock.advance("58m");
    refresh = await next(refresh, app);
    service.clock.advance("2m");
    await expectDead(refresh, app);
  });

  test("a replay of a used token after its expiry revokes its family", async () => {
    const app = await service.register({ refresh_token: { ...rotating, idle_token_lifetime: 3600 } });
    const { refresh } = await begin(app);
    let live = await next(refresh, app);
    service.clock.advance("50m");
    live = await next(live, app);
    service.clock.advance("50m");
    const before = await reuseEvents();
    await expectDead(refresh, app);
    await expectDead(live, app);
    expect(await reuseEvents()).toBe(before + 1);
  });

  test("a used token that expired is not recovered, even if its successor was never used", async () => {
    const app = await service.register({ refresh_token: { ...rotating, idle_token_lifetime: 3600 } });
    const { refresh } = await begin(app);
    await next(refresh, app);
    service.clock.advance("60m");
    await expectDead(refresh, app);
  });

  test("a client without rotation keeps its token, which expires after its idle and its absolute lifetime", async () => {
    const app = await service.register({
      secret: true,
      refresh_token: { rotation_type: "non-rotating", expiration_type: "expiring", idle_token_lifetime: 3600, token_lifetime: 7200 },
    });
    const { refresh } = await begin(app);
    const responses = await Promise.all(Array.from({ length: 8 }, () => use(refresh, app)));
    for (const response of responses) expect(response.body).not.toHaveProperty("refresh_token");
    service.clock.advance("59m");
    tokens(await use(refresh, app));
    service.clock.advance("59m");
    tokens(await use(refresh, app));
    service.clock.advance("2m");
    await expectDead(refresh, app);
  });

  test("a non-rotating, non-expiring token is valid until it is revoked", async () => {
    const { refresh } = await begin(service.web);
    service.clock.advance("400d");
    tokens(await use(refresh, service.web));
    const revoked = await service.call("POST", "/oauth/revoke", {
      body: { client_id: service.web.clientId, client_secret: service.web.secret, token: refresh },
    });
    expect(revoked.status).toBe(200);
    await expectDead(refresh, service.web);
  });

  test("a confidential client must authenticate", async () => {
    const { refresh } = await begin(service.web);
    const { client_secret: _, ...bare } = refreshGrant(service.web, refresh);
    expectError(await service.exchange(bare), 401, "invalid_client");
    expectError(await service.exchange({ ...bare, client_secret: "wrong-secret-that-is-long" }), 401, "invalid_client");
    tokens(await use(refresh, service.web));
  });

  test("rejects another client's token and an unknown token, without any effect on them", async () => {
    const { refresh } = await begin(service.web);
    const other = await service.register({ secret: true });
    await expectDead(refresh, other);
    await expectDead(refresh, service.spa);
    await expectDead(randomString(), service.web);
    tokens(await use(refresh, service.web));
  });

  test("a scope parameter narrows the scope of one response and never widens it", async () => {
    const { refresh } = await begin(service.web);
    const narrow = tokens(await use(refresh, service.web, { scope: "openid email" }));
    expect(narrow.scope).toBe("openid email");
    expect(claimsOf(narrow.id)).not.toHaveProperty("name");
    expect((await service.userinfo(narrow.access)).body).not.toHaveProperty("name");
    expectError(await use(refresh, service.web, { scope: "openid phone" }), 400, "invalid_scope", "phone");
    expect(tokens(await use(refresh, service.web, { scope: "" })).scope).toBe(offline.scope);
    expectError(await use(refresh, service.web, { audience: "https://other.example.test/" }), 400, "invalid_target", "audience");
  });

  test("a rejected request does not use up a rotating token", async () => {
    const { refresh } = await begin();
    expectError(await use(refresh, service.spa, { scope: "openid phone" }), 400, "invalid_scope");
    await next(refresh);
  });

  test("issues no refresh token without offline_access or without the grant type", async () => {
    expect((await obtainTokens(service, service.spa, service.ada)).refresh).toBe("");
    const app = await service.register({ secret: true, grant_types: ["authorization_code"] });
    const result = await begin(app);
    expect(result.refresh).toBe("");
    expect(result.scope).toBe("openid profile email");
    expectError(await use(randomString(), app), 400, "unauthorized_client");
  });

  test("a revoked session invalidates its refresh tokens, and an expired session does not", async () => {
    const browser = service.browser();
    const revoked = await obtainTokens(service, service.spa, service.ada, offline, browser);
    const expired = await obtainTokens(service, service.web, service.ada, offline);
    await browser.get("/v2/logout");
    await expectDead(revoked.refresh);
    expect((await service.userinfo(revoked.access)).status).toBe(401);
    service.clock.advance("31d");
    tokens(await use(expired.refresh, service.web));
  });

  test("after a crash during a logout, the session is revoked and its tokens are rejected", async () => {
    const browser = service.browser();
    const { refresh } = await obtainTokens(service, service.spa, service.ada, offline, browser);
    beforeUpdate = (set) => {
      if (!("revoked_at" in set)) return;
      beforeUpdate = () => {};
      throw new Error("lost");
    };
    expect((await browser.get("/v2/logout")).status).toBe(500);
    await expectDead(refresh);
  });

  test("rejects a blocked user, whose session has ended when they are unblocked, and a deleted user", async () => {
    const carol = await service.addUser("carol@example.test");
    const path = `/api/v2/users/${encodeURIComponent(carol.userId)}`;
    const { refresh, access } = await obtainTokens(service, service.web, carol, offline);
    expect((await service.manage("PATCH", path, { blocked: true })).status).toBe(200);
    expectError(await use(refresh, service.web), 400, "invalid_grant", "user is blocked");
    expect((await service.userinfo(access)).status).toBe(401);
    expect((await service.manage("PATCH", path, { blocked: false })).status).toBe(200);
    await expectDead(refresh, service.web);
    expect((await service.userinfo(access)).status).toBe(401);
    const again = await obtainTokens(service, service.web, carol, offline);
    expect((await service.manage("DELETE", path)).status).toBe(204);
    await expectDead(again.refresh, service.web);
    expect((await service.userinfo(again.access)).status).toBe(401);
  });

  test("the list of a user's refresh tokens shows neither the token nor its family", async () => {
    const { refresh } = await begin();
    await next(refresh);
    const listed = await service.manage("GET", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/refresh-tokens`);
    // If the service has this list, its items must not contain these members.
    if (listed.status === 404) return;
    for (const token of list(listed)) expect(Object.keys(token).join()).not.toMatch(/hash|lookup|family|rotated|successor/);
  });
});
