import { createMemoryAdapter } from "@postern/memory";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, expectError, list, managerOf } from "../support/api.ts";
import { login, obtainTokens, offline, type App } from "../support/flow.ts";
import { issuer, managementAudience } from "../support/postern.ts";
import { logoutUrl, openLogoutService, type LogoutService, type ReceivedLogout } from "./receivers.ts";

let service: LogoutService;

beforeEach(async () => {
  service = await openLogoutService();
});

/** Signs Ada in to a client, and revokes the session. @returns the ID token. */
async function endSession(app: App): Promise<string> {
  const { id } = await obtainTokens(service, app, service.ada, offline, service.browser());
  expect((await service.manage("DELETE", `/api/v2/sessions/${String(decodeJwt(id)["sid"])}`)).status).toBe(202);
  return id;
}

const all = { backchannel_logout_initiators: { mode: "all" } };
const one = (received: readonly ReceivedLogout[]): ReceivedLogout => {
  expect(received).toHaveLength(1);
  const [first] = received;
  if (first === undefined) throw new Error("nothing was received");
  return first;
};
const waiting = async (): Promise<readonly { readonly [name: string]: unknown }[]> =>
  list(await service.manage("GET", "/api/v2/logout-deliveries"));

describe("a logout token", () => {
  test("is posted as the only field of a form, and has the claims of the specification and those of the ID token", async () => {
    const app = await service.receiver("app", all);
    await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, { jwt_configuration: { alg: "RS256" } });
    const idToken = await endSession(app);
    const metadata = await (await service.postern.fetch(new Request(`${issuer}.well-known/openid-configuration`))).json();
    expect(metadata).toMatchObject({ backchannel_logout_supported: true, backchannel_logout_session_supported: true, issuer });
    expect(await service.deliver()).toEqual({ delivered: 1, failed: 0, finished: true, skippedTenants: [] });
    const { url, headers, body, token } = one(service.take());
    expect(url).toBe(logoutUrl("app"));
    expect(headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    expect([...new URLSearchParams(body).keys()]).toEqual(["logout_token"]);
    const { payload, protectedHeader } = await service.verify(token);
    expect(protectedHeader).toMatchObject({ typ: "logout+jwt", alg: "RS256" });
    const now = Math.floor(service.clock.now() / 1000);
    const { iss, aud, sub, sid, tenant_id } = decodeJwt(idToken);
    expect(payload).toEqual({
      iss,
      aud,
      sub,
      sid,
      tenant_id,
      iat: now,
      exp: now + 120,
      jti: expect.stringMatching(/./),
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
  });

  test("is signed with the algorithm of the client's ID tokens", async () => {
    const app = await service.receiver("app", all);
    await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, { jwt_configuration: { alg: "ES256" } });
    await endSession(app);
    await service.deliver();
    expect((await service.verify(one(service.take()).token)).protectedHeader).toMatchObject({ alg: "ES256" });
  });

  test("contains the metadata of the session if the client wants it", async () => {
    const app = await service.receiver("app", { ...all, backchannel_logout_session_metadata: { include: true } });
    const { id } = await obtainTokens(service, app, service.ada, offline, service.browser());
    const path = `/api/v2/sessions/${String(decodeJwt(id)["sid"])}`;
    await service.manage("PATCH", path, { session_metadata: { plan: "pro" } });
    await service.manage("DELETE", path);
    await service.deliver();
    expect(decodeJwt(one(service.take()).token)).toMatchObject({ session_metadata: { plan: "pro" } });
  });

  test.each(["/userinfo", "/api/v2/users"])("is no access token at %s", async (path) => {
    await endSession(await service.receiver("app", all));
    await service.deliver();
    expect((await service.call("GET", path, { token: one(service.take()).token })).status).toBe(401);
  });

  test("is no id_token_hint", async () => {
    await endSession(await service.receiver("app", all));
    await service.deliver();
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const hint = one(service.take()).token;
    await browser.get(`/oidc/logout?id_token_hint=${hint}`);
    await login(browser, service.web, service.ada, { prompt: "none" });
  });
});

test("a logout token proves no account that is to be linked", async () => {
  const app = await service.receiver("app", all);
  const permissions = [{ resource_server_identifier: managementAudience, permission_name: "update:current_user_identities" }];
  await service.manage("POST", `/api/v2/users/${encodeURIComponent(service.bob.userId)}/permissions`, { permissions });
  const request = { scope: "openid update:current_user_identities", audience: managementAudience };
  const { access } = await obtainTokens(service, app, service.bob, request);
  const { id } = await obtainTokens(service, app, service.ada);
  // The session of this token continues.
  await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`, { email: "new@example.test" });
  await service.deliver();
  const { token } = one(service.take());
  const path = `/api/v2/users/${encodeURIComponent(service.bob.userId)}/identities`;
  const link = (proof: string) => service.call("POST", path, { token: access, body: { link_with: proof } });
  expectError(await link(token), 400, "invalid_request", "not a valid ID token");
  expect((await link(id)).status).toBe(201);
});

describe("a client", () => {
  test("that did not take part in the session receives nothing", async () => {
    await service.receiver("other", all);
    await endSession(await service.receiver("app", all));
    await service.deliver();
    expect(service.take().map(({ url }) => url)).toEqual([logoutUrl("app")]);
  });

  test("receives a token at each of its URLs, once", async () => {
    const urls = [logoutUrl("a"), logoutUrl("b"), logoutUrl("a"), ""];
    await endSession(await service.receiver("app", { ...all, backchannel_logout_urls: urls }));
    await service.deliver();
    expect(
      service
        .take()
        .map(({ url }) => url)
        .toSorted(),
    ).toEqual([logoutUrl("a"), logoutUrl("b")]);
  });

  test("receives nothing more at a URL that was removed, and nothing after it was deleted", async () => {
    const app = await service.receiver("app", all);
    service.setResponse(() => new Response(null, { status: 503 }));
    await endSession(app);
    await service.deliver();
    service.take();
    await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, { oidc_logout: { backchannel_logout_urls: [] } });
    service.clock.advance("6s");
    service.clock.advance("10s");
    await service.deliver();
    expect(service.take()).toEqual([]);
    expect(await waiting()).toMatchObject([{ status: "failed", last_error: expect.stringContaining("no longer has this logout URL") }]);
    await service.manage("DELETE", `/api/v2/clients/${app.clientId}`);
    expect(await waiting()).toEqual([]);
  });

  test.each([
    ["http://app.example.test/logout", "https"],
    ["https://{organization_name}.example.test/logout", "placeholders"],
    ["https://app.example.test/logout#part", "fragment"],
    ["javascript:alert(1)", ""],
  ])("cannot have the logout URL %s", async (url, reason) => {
    const changed = await service.manage("PATCH", `/api/v2/clients/${service.web.clientId}`, {
      oidc_logout: { backchannel_logout_urls: [url] },
    });
    expectError(changed, 400, "invalid_request", reason);
  });

  test("of another tenant receives nothing, and its administrator cannot see or repeat the delivery", async () => {
    service.setResponse(() => new Response(null, { status: 400 }));
    await endSession(await service.receiver("app", all));
    await service.deliver();
    const [delivery] = await waiting();
    const other = await managerOf(service, "other");
    expect(list(await other("GET", "/api/v2/logout-deliveries"))).toEqual([]);
    expectError(await other("POST", `/api/v2/logout-deliveries/${String(delivery?.["id"])}/retry`), 404, "not_found");
    expect(await waiting()).toMatchObject([{ status: "failed" }]);
  });
});

describe("a delivery that fails", () => {
  test("is repeated after 10 s, 1, 5, 30 min and 2 h with a new token, and then given up", async () => {
    service.setResponse(() => new Response(null, { status: 503 }));
    await endSession(await service.receiver("app", all));
    const times: number[] = [];
    for (const pause of [0, 10, 60, 300, 1800, 7200]) {
      if (pause > 0) {
        service.clock.advance(`${pause - 1}s`);
        await service.deliver();
        expect(service.take()).toEqual([]);
        service.clock.advance("1s");
      }
      expect(await service.deliver()).toMatchObject({ delivered: 0, failed: 1, finished: true });
      const { iat, jti } = (await service.verify(one(service.take()).token)).payload;
      expect(iat).toBe(Math.floor(service.clock.now() / 1000));
      expect(times).not.toContain(jti);
      times.push(Number(iat));
    }
    service.clock.advance("3h");
    await service.deliver();
    expect(service.take()).toEqual([]);
    expect(await waiting()).toMatchObject([{ status: "failed", failures: 6, last_error: expect.stringContaining("503") }]);
    const [event] = await auditEvents(service.manage, "oidc_backchannel_logout_failed");
    expect(event).toMatchObject({ user_id: service.ada.userId, details: { initiator: "session-revoked", url: logoutUrl("app") } });
  });

  test("with 400 is not repeated, until an administrator requests it", async () => {
    service.setResponse(() => new Response(null, { status: 400 }));
    await endSession(await service.receiver("app", all));
    await service.deliver();
    service.clock.advance("3h");
    await service.deliver();
    expect(service.take()).toHaveLength(1);
    const [delivery] = await waiting();
    expect(delivery).toMatchObject({ status: "failed", failures: 1 });
    const retry = `/api/v2/logout-deliveries/${String(delivery?.["id"])}/retry`;
    expect((await service.manage("POST", retry)).status).toBe(202);
    expect((await service.manage("POST", retry)).status).toBe(202);
    service.setResponse(() => new Response(null, { status: 200 }));
    await service.deliver();
    expect(service.take()).toHaveLength(1);
    expect(await waiting()).toEqual([]);
    expectError(await service.manage("POST", retry), 404, "not_found");
    expect(await auditEvents(service.manage, "oidc_backchannel_logout_succeeded")).toHaveLength(1);
  });

  test.each([301, 302, 307, 404, 429, 500])("with %i is repeated, and follows no redirect", async (status) => {
    service.setResponse(() => new Response(null, { status, headers: { location: "https://evil.example/" } }));
    await endSession(await service.receiver("app", all));
    await service.deliver();
    service.clock.advance("10s");
    await service.deliver();
    expect(service.take().map(({ url }) => url)).toEqual([logoutUrl("app"), logoutUrl("app")]);
  });

  test("because its address is private is not repeated, and its error does not name the address", async () => {
    service = await openLogoutService({ network: {} });
    await endSession(
      await service.receiver("app", { ...all, backchannel_logout_urls: ["https://10.0.0.7/logout", "https://localhost:1/"] }),
    );
    expect(await service.deliver()).toMatchObject({ delivered: 0, failed: 1 });
    const failed = await waiting();
    expect(failed).toMatchObject([
      { status: "failed", failures: 1 },
      { status: "failed", failures: 1 },
    ]);
    for (const { last_error: error } of failed) expect(error).not.toMatch(/127\.0\.0\.1|::1/);
  });

  test("is deleted a week later", async () => {
    service.setResponse(() => new Response(null, { status: 400 }));
    await endSession(await service.receiver("app", all));
    await service.deliver();
    service.clock.advance("8d");
    await service.postern.jobs.sweep();
    expect(await waiting()).toEqual([]);
  });

  test("is given up if no job ran for a day", async () => {
    service.setResponse(() => new Response(null, { status: 503 }));
    await endSession(await service.receiver("app", all));
    await service.deliver();
    service.take();
    service.clock.advance("25h");
    await service.deliver();
    expect(service.take()).toEqual([]);
    expect(await waiting()).toMatchObject([{ status: "failed" }]);
  });
});

describe("a tenant that is being deleted", () => {
  const startDeletion = async (): Promise<void> => {
    await service.data.collections.tenants.update({ id: "main" }, { set: { deleting_at: service.clock.now() } });
    // Tenants are cached for five seconds.
    service.clock.advance("10s");
  };

  test("queues no logout token for sessions that have ended", async () => {
    await endSession(await service.receiver("app", all));
    await startDeletion();
    expect(await service.deliver()).toMatchObject({ delivered: 0, failed: 0, finished: true });
    expect(await service.data.collections.logout_deliveries.count({ tenant_id: "main" })).toBe(0);
    expect(service.take()).toEqual([]);
  });

  test("sends no logout token that waits for another attempt", async () => {
    service.setResponse(() => new Response(null, { status: 503 }));
    await endSession(await service.receiver("app", all));
    await service.deliver();
    expect(service.take()).toHaveLength(1);
    await startDeletion();
    expect(await service.deliver()).toMatchObject({ delivered: 0, failed: 0, finished: true });
    expect(service.take()).toEqual([]);
  });
});

test("sessions that cannot be read do not stop the log streams", async () => {
  const data = createMemoryAdapter({ strict: true });
  const { sessions } = data.collections;
  const find: typeof sessions.find = (query) => ("logout_at" in query.where ? Promise.reject(new Error("lost")) : sessions.find(query));
  service = await openLogoutService({ data: { ...data, collections: { ...data.collections, sessions: { ...sessions, find } } } });
  await service.manage.create("/api/v2/log-streams", { type: "http", sink: { httpEndpoint: "https://siem.example.test/" } });
  service.clock.advance("10s");
  await expect(service.deliver()).rejects.toThrow("lost");
  expect(service.take().map(({ url }) => url)).toEqual(["https://siem.example.test/"]);
});
