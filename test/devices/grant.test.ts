import { beforeEach, describe, expect, test } from "vitest";
import { deviceCodeGrantType } from "../../packages/core/src/model/clients/grant-types.ts";
import { auditEvents, expectError, jsonBody, stringMember } from "../support/api.ts";
import {
  claimsOf,
  openService,
  refreshGrant,
  sendAuthorization,
  submitStep,
  tokens,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import {
  signInAndConnect,
  deviceScreen,
  typeUserCode,
  openDeviceLogin,
  poll,
  registerDevice,
  requestDevice,
  signInForDevice,
  startDevice,
} from "./support.ts";

let service: LoginService;
let tv: App;
beforeEach(async () => {
  service = await openService();
  tv = await registerDevice(service);
});

/** Connects a device to Ada's account. @returns its tokens. */
async function connected() {
  const { deviceCode, userCode } = await startDevice(service, tv);
  const browser = service.browser();
  await signInAndConnect(browser, userCode, service.ada);
  return { browser, deviceCode, ...tokens(await poll(service, tv, deviceCode)) };
}

describe("a request for a device code", () => {
  test("returns codes, the page for the user and the polling interval", async () => {
    const body = jsonBody(await requestDevice(service, tv), 200);
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${service.postern.issuer}activate?tenant=main`,
      verification_uri_complete: `${service.postern.issuer}activate?tenant=main&user_code=${stringMember(body, "user_code")}`,
      expires_in: 900,
      interval: 5,
    });
  });

  test("uses the character set and the mask of the tenant's settings", async () => {
    await service.manage("PATCH", "/api/v2/tenants/settings", { device_flow: { charset: "digits", mask: "*** *** ****" } });
    expect((await startDevice(service, tv)).userCode).toMatch(/^\d{3} \d{3} \d{4}$/);
    await service.manage("PATCH", "/api/v2/tenants/settings", { device_flow: { charset: "digits" } });
    expect((await startDevice(service, tv)).userCode).toMatch(/^\d{3}-\d{3}-\d{3}$/);
  });

  test.each([
    { charset: "digits", mask: "****-****" },
    { charset: "base20", mask: "***-***" },
    { mask: "***-***" },
    { mask: "****_****" },
    { charset: "base64" },
  ])("rejects settings whose codes could be guessed or not be displayed: %o", async (device_flow) => {
    expectError(await service.manage("PATCH", "/api/v2/tenants/settings", { device_flow }), 400, "invalid_request");
  });

  test("is rejected for a client without the grant type, and writes an audit event", async () => {
    expectError(await requestDevice(service, service.spa), 400, "unauthorized_client");
    expect(await auditEvents(service.manage, "fdeaz")).toHaveLength(1);
  });

  test("requires the credentials of a confidential client", async () => {
    const box = await service.register({ secret: true, grant_types: [deviceCodeGrantType] });
    expectError(await requestDevice(service, { ...box, secret: "wrong" }), 401, "invalid_client");
    jsonBody(await requestDevice(service, box), 200);
  });

  test.each([
    ["invalid_scope", { scope: 'a"b' }],
    ["access_denied", { audience: "https://unknown.example" }],
    ["invalid_target", { resource: "https://unknown.example" }],
    ["invalid_request", { organization: "unknown" }],
    ["invalid_request", { scope: "a ".repeat(6000) }],
  ])("is rejected with %s: %o", async (error, parameters) => {
    expectError(await requestDevice(service, tv, parameters), 400, error);
  });

  test("is limited by IP address", async () => {
    const send = async (clientAddress: string): Promise<number> => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const request = new Request(`${service.postern.issuer}oauth/device/code`, {
        method: "POST",
        headers,
        body: `client_id=${tv.clientId}`,
      });
      return (await service.postern.fetch(request, { clientAddress })).status;
    };
    for (let i = 0; i < 100; i++) expect(await send("198.51.100.1")).toBe(200);
    expect(await send("198.51.100.1")).toBe(429);
    expect(await send("198.51.100.2")).toBe(200);
  });
});

describe("a poll", () => {
  test("is pending until the user connects the device, and then returns the tokens once", async () => {
    const { deviceCode, userCode } = await startDevice(service, tv);
    expectError(await poll(service, tv, deviceCode), 400, "authorization_pending");
    const to = await signInAndConnect(service.browser(), userCode, service.ada);
    expect(to).toBe(`${service.postern.issuer}activate?tenant=main&result=approved`);
    const { access, id, refresh } = tokens(await poll(service, tv, deviceCode));
    expect(claimsOf(id)).toMatchObject({ sub: service.ada.userId, aud: tv.clientId });
    expect((await service.userinfo(access)).body).toMatchObject({ sub: service.ada.userId, name: "ada" });
    tokens(await service.exchange(refreshGrant(tv, refresh)));
    expectError(await poll(service, tv, deviceCode), 400, "invalid_grant");
    expect(await auditEvents(service.manage, "sede")).toMatchObject([
      { client_id: tv.clientId, user_id: service.ada.userId, details: { approved_from: "192.0.2.7" } },
    ]);
  });

  test("that comes too early must slow down for good, and leaves no audit event", async () => {
    const { deviceCode } = await startDevice(service, tv);
    const pollAfter = async (wait: `${number}s`) => {
      service.clock.advance(wait);
      const { status, body } = await poll(service, tv, deviceCode);
      expect(status).toBe(400);
      return stringMember(body as { [name: string]: unknown }, "error");
    };
    expect(await pollAfter("0s")).toBe("authorization_pending");
    expect(await pollAfter("5s")).toBe("authorization_pending");
    expect(await pollAfter("3s")).toBe("slow_down");
    expect(await pollAfter("6s")).toBe("slow_down");
    expect(await pollAfter("15s")).toBe("authorization_pending");
    expect(await auditEvents(service.manage, "fede")).toEqual([]);
  });

  test("returns the tokens at once when the user has decided, however early it comes", async () => {
    const { deviceCode, userCode } = await startDevice(service, tv);
    await poll(service, tv, deviceCode);
    await signInAndConnect(service.browser(), userCode, service.ada);
    tokens(await poll(service, tv, deviceCode));
  });

  test("returns access_denied after the user denied, also repeatedly", async () => {
    const { deviceCode, userCode } = await startDevice(service, tv);
    const browser = service.browser();
    const state = await signInForDevice(browser, userCode, service.ada);
    const { redirect_to: to } = await submitStep(browser, state, { action: "deny" });
    expect(to).toBe(`${service.postern.issuer}activate?tenant=main&result=denied`);
    for (let i = 0; i < 2; i++) expectError(await poll(service, tv, deviceCode), 400, "access_denied");
    expect(await auditEvents(service.manage, "fdecc")).toMatchObject([{ user_id: service.ada.userId, client_id: tv.clientId }]);
  });

  test("returns expired_token after 15 minutes, whether a user approved or not", async () => {
    const pending = await startDevice(service, tv);
    const approved = await startDevice(service, tv);
    await signInAndConnect(service.browser(), approved.userCode, service.ada);
    service.clock.advance("15m");
    for (const { deviceCode } of [pending, approved]) expectError(await poll(service, tv, deviceCode), 400, "expired_token");
  });

  test.each(["unknown", ""])("rejects the device code %o", async (code) => {
    const { status, body } = await poll(service, tv, code);
    expect([status, (body as { error?: string }).error]).toEqual([400, code === "" ? "invalid_request" : "invalid_grant"]);
  });

  test("rejects the device code of another client, which stays valid", async () => {
    const other = await registerDevice(service);
    const { deviceCode, userCode } = await startDevice(service, tv);
    await signInAndConnect(service.browser(), userCode, service.ada);
    expectError(await poll(service, other, deviceCode), 400, "invalid_grant");
    tokens(await poll(service, tv, deviceCode));
  });

  test("rejects a code of another kind, and a device code is no code of another kind", async () => {
    const { deviceCode, userCode } = await startDevice(service, tv);
    expectError(await poll(service, tv, userCode), 400, "invalid_grant");
    const app = await service.register({ grant_types: ["authorization_code", deviceCodeGrantType] });
    await signInAndConnect(service.browser(), userCode, service.ada);
    const code = { grant_type: "authorization_code", client_id: app.clientId, code: deviceCode, redirect_uri: app.redirectUri };
    expect((await service.exchange(code)).body).toMatchObject({ error: "invalid_grant" });
  });

  test("of 32 parallel ones, one returns tokens, and one refresh token is stored", async () => {
    const { deviceCode, userCode } = await startDevice(service, tv);
    await signInAndConnect(service.browser(), userCode, service.ada);
    const replies = await Promise.all(Array.from({ length: 32 }, () => poll(service, tv, deviceCode)));
    const [winner, ...others] = replies.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    for (const reply of replies) if (reply !== winner) expectError(reply, 400, "invalid_grant");
    expect(await service.data.collections.refresh_tokens.count({ tenant_id: "main" })).toBe(1);
    if (winner === undefined) throw new Error("no poll succeeded");
    tokens(await service.exchange(refreshGrant(tv, tokens(winner).refresh)));
  });

  test("before the decision, 32 parallel ones count as one", async () => {
    const { deviceCode } = await startDevice(service, tv);
    const replies = await Promise.all(Array.from({ length: 32 }, () => poll(service, tv, deviceCode)));
    const errors = replies.map(({ body }) => stringMember(body as { [name: string]: unknown }, "error"));
    expect(errors.filter((error) => error === "authorization_pending")).toHaveLength(1);
    expect(errors.filter((error) => error === "slow_down")).toHaveLength(31);
  });
});

describe("the tokens of a device", () => {
  test("stay valid when the user signs out in the browser, and end with the session of the device", async () => {
    const { browser, access, refresh } = await connected();
    await browser.get(`/v2/logout?client_id=${tv.clientId}`);
    expect(await sendAuthorization(browser, service.web, { prompt: "none" })).toMatchObject({ parameters: { error: "login_required" } });
    const next = tokens(await service.exchange(refreshGrant(tv, refresh)));
    const sessions = await service.data.collections.sessions.find({ where: { tenant_id: "main", revoked_at: null }, limit: 5 });
    expect(sessions).toMatchObject([{ cookie_hash: null, clients: [tv.clientId] }]);
    await service.manage("POST", `/api/v2/sessions/${sessions[0]?.id}/revoke`);
    expect((await service.userinfo(access)).status).toBe(401);
    expect((await service.exchange(refreshGrant(tv, next.refresh))).body).toMatchObject({ error: "invalid_grant" });
  });

  test("are listed as device credentials with the device's user agent, and can be revoked there", async () => {
    const { refresh } = await connected();
    const list = await service.manage("GET", `/api/v2/device-credentials?user_id=${service.ada.userId}`);
    const [credential] = list.body as { id: string; client_id: string }[];
    expect(credential).toMatchObject({ client_id: tv.clientId, type: "rotating_refresh_token" });
    await service.manage("DELETE", `/api/v2/device-credentials/${credential?.id}`);
    expect((await service.exchange(refreshGrant(tv, refresh))).body).toMatchObject({ error: "invalid_grant" });
  });

  test("have no refresh token without offline_access, and no ID token without openid", async () => {
    const { deviceCode, userCode } = await startDevice(service, tv, { scope: "profile" });
    await signInAndConnect(service.browser(), userCode, service.ada);
    const { body } = await poll(service, tv, deviceCode);
    expect(Object.keys(body as object).toSorted()).toEqual(["access_token", "expires_in", "scope", "token_type"]);
  });

  test("are for the API and the organization of the request", async () => {
    await service.manage.create("/api/v2/resource-servers", { identifier: "https://films.example", scopes: [{ value: "watch" }] });
    const organizations = organizationsBy(service.manage);
    const acme = await organizations.create("acme");
    await service.manage("POST", `/api/v2/organizations/${acme}/members`, { members: [service.ada.userId] });
    await service.manage("POST", `/api/v2/organizations/${acme}/enabled_connections`, {
      connection_id: stringMember(await connectionOf(service), "id"),
    });
    await service.manage("PATCH", `/api/v2/clients/${tv.clientId}`, { organization_usage: "allow" });
    const { deviceCode, userCode } = await startDevice(service, tv, {
      scope: "openid watch",
      audience: "https://films.example",
      organization: "acme",
    });
    await signInAndConnect(service.browser(), userCode, service.ada);
    const { access } = tokens(await poll(service, tv, deviceCode));
    expect(claimsOf(access)).toMatchObject({ scope: "openid watch", org_id: acme });
    expect(claimsOf(access)["aud"]).toContain("https://films.example");
  });

  test.each([
    ["the user is blocked", { blocked: true }],
    ["the password changed", { password: "another long password" }],
  ])("are not issued if %s after the approval", async (_, change) => {
    const { deviceCode, userCode } = await startDevice(service, tv);
    await signInAndConnect(service.browser(), userCode, service.ada);
    await service.manage("PATCH", `/api/v2/users/${service.ada.userId}`, change);
    const { status, body } = await poll(service, tv, deviceCode);
    expect(status).toBe(400);
    expect(["invalid_grant", "access_denied"]).toContain((body as { error: string }).error);
    await service.manage("PATCH", `/api/v2/users/${service.ada.userId}`, { blocked: false });
    expectError(await poll(service, tv, deviceCode), 400, "invalid_grant");
    expect(await service.data.collections.refresh_tokens.count({ tenant_id: "main" })).toBe(0);
  });

  test("are not issued after the user was deleted, or the client lost the grant type or the connection", async () => {
    const start = async () => {
      const codes = await startDevice(service, tv);
      await signInAndConnect(service.browser(), codes.userCode, service.bob);
      return codes.deviceCode;
    };
    const [first, second] = [await start(), await start()];
    await service.manage("PATCH", `/api/v2/clients/${tv.clientId}`, { grant_types: ["refresh_token"] });
    expectError(await poll(service, tv, first), 400, "unauthorized_client");
    await service.manage("PATCH", `/api/v2/clients/${tv.clientId}`, { grant_types: [deviceCodeGrantType] });
    await service.manage("DELETE", `/api/v2/users/${service.bob.userId}`);
    expectError(await poll(service, tv, second), 400, "invalid_grant");
  });
});

describe("the confirmation", () => {
  test("names the client, the code, the scopes and the address of the device, also to a signed-in user", async () => {
    const browser = service.browser();
    const first = await startDevice(service, tv);
    await signInAndConnect(browser, first.userCode, service.ada);
    const { userCode } = await startDevice(service, tv);
    const state = await openDeviceLogin(browser, userCode.toLowerCase().replace("-", " "));
    expect(await deviceScreen(browser, state)).toMatchObject({
      name: "confirm-device",
      client: { name: tv.clientId },
      account: service.ada.email,
      userCode,
      scopes: [{ value: "openid" }, { value: "profile" }, { value: "offline_access" }],
    });
  });

  test("is required: a signed-in user who only enters the code connects no device", async () => {
    const browser = service.browser();
    await signInAndConnect(browser, (await startDevice(service, tv)).userCode, service.ada);
    const { deviceCode, userCode } = await startDevice(service, tv);
    const state = await openDeviceLogin(browser, userCode);
    await browser.get(`/u/login?state=${encodeURIComponent(state)}`);
    await browser.get(`/activate?user_code=${userCode}`);
    expectError(await poll(service, tv, deviceCode), 400, "authorization_pending");
  });

  test("counts only for the user to whom the page was shown", async () => {
    const { deviceCode, userCode } = await startDevice(service, tv);
    const browser = service.browser();
    const state = await signInForDevice(browser, userCode, service.ada);
    await submitStep(browser, state, { action: "other-account" });
    const reply = await submitStep(browser, state, { action: "connect-device" });
    expect(reply).not.toHaveProperty("redirect_to");
    expectError(await poll(service, tv, deviceCode), 400, "authorization_pending");
  });

  test("by one of two users decides, and the other sees that the code is no longer valid", async () => {
    const { deviceCode, userCode } = await startDevice(service, tv);
    const [ada, bob] = [service.browser(), service.browser()];
    const states = [await signInForDevice(ada, userCode, service.ada), await signInForDevice(bob, userCode, service.bob)] as const;
    const replies = await Promise.all([
      submitStep(ada, states[0], { action: "connect-device" }),
      submitStep(bob, states[1], { action: "connect-device" }),
    ]);
    const results = replies.map((reply) => new URL(stringMember(reply, "redirect_to")).searchParams.get("result"));
    expect(new Set(results)).toEqual(new Set(["approved", "lost"]));
    const winner = results[0] === "approved" ? service.ada : service.bob;
    expect(claimsOf(tokens(await poll(service, tv, deviceCode)).id)["sub"]).toBe(winner.userId);
    // The other user has no session on the device.
    expect(await service.data.collections.sessions.count({ tenant_id: "main" })).toBe(3);
  });

  test("of an expired code shows that the code is no longer valid", async () => {
    const { userCode } = await startDevice(service, tv);
    const browser = service.browser();
    const state = await signInForDevice(browser, userCode, service.ada);
    service.clock.advance("15m");
    const page = await browser.get(`/u/login?state=${encodeURIComponent(state)}&step=confirm-device`);
    expect(await page.text()).toContain("This code is no longer valid");
  });
});

describe("the page for user codes", () => {
  test("fills in the code of the URL, and its POST requires the page's own origin", async () => {
    const { userCode } = await startDevice(service, tv);
    const browser = service.browser();
    expect(await (await browser.get(`/activate?user_code=${userCode}`)).text()).toContain(`value="${userCode}"`);
    const response = await browser.post("/activate", { form: { user_code: userCode }, headers: { origin: "https://evil.example" } });
    expect(response.status).toBe(403);
  });

  test("has one response for unknown, used and expired codes", async () => {
    const browser = service.browser();
    const used = await startDevice(service, tv);
    await signInAndConnect(browser, used.userCode, service.ada);
    const expired = await startDevice(service, tv);
    service.clock.advance("15m");
    const answers = [];
    for (const code of [used.userCode, expired.userCode, "BCDF-GHJK"]) answers.push(await typeUserCode(browser, code));
    expect(new Set(answers)).toEqual(new Set([`${service.postern.issuer}activate?tenant=main&problem=wrong`]));
    expect(await auditEvents(service.manage, "fdeac")).toHaveLength(3);
    expect(await (await browser.get(answers[0] ?? "")).text()).toContain("This code is wrong or has expired.");
  });

  test.each(["", " - ", "!!"])("asks for a code that is missing: %o", async (code) => {
    expect(await typeUserCode(service.browser(), code)).toContain("problem=missing");
  });

  test("allows five wrong codes in five minutes from one network, also in parallel, and then not even the right one", async () => {
    const { userCode } = await startDevice(service, tv);
    const answers = await Promise.all(Array.from({ length: 12 }, () => typeUserCode(service.browser(), "BCDF-GHJK")));
    expect(answers.filter((answer) => answer.includes("problem=wrong")).length).toBeLessThanOrEqual(5);
    expect(await typeUserCode(service.browser(), userCode)).toContain("problem=too-many");
    service.clock.advance("5m");
    await openDeviceLogin(service.browser(), userCode);
  });

  test("does not count correct codes as guesses", async () => {
    for (let i = 0; i < 8; i++) await openDeviceLogin(service.browser(), (await startDevice(service, tv)).userCode);
  });

  test("limits wrong codes of all networks of a tenant together, and not those of another tenant", async () => {
    const guess = async (ip: string) => {
      const origin = new URL(service.postern.issuer).origin;
      const response = await service.postern.fetch(
        new Request(`${service.postern.issuer}activate`, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded", origin },
          body: "tenant=main&user_code=BCDF-GHJK",
        }),
        { clientAddress: ip },
      );
      return response.headers.get("location") ?? "";
    };
    for (let i = 0; i < 100; i++) expect(await guess(`198.51.${i}.1`)).toContain("problem=wrong");
    expect(await guess("198.51.200.1")).toContain("problem=too-many");
  });
});

test.each(["me/", "mfa/"])("a device cannot get tokens for the API %s, with which users change their own account", async (api) => {
  const audience = `${service.postern.issuer}${api}`;
  expectError(await requestDevice(service, tv, { audience }), 400, "invalid_target", "a device cannot");
});

test("the codes are not stored in a readable form", async () => {
  const { deviceCode, userCode } = await startDevice(service, tv);
  const browser = service.browser();
  await signInForDevice(browser, userCode, service.ada);
  const { device_codes: devices, login_sessions: logins } = service.data.collections;
  const query = { where: { tenant_id: "main" }, limit: 10 };
  const rows = [await devices.find(query), await logins.find(query)];
  const text = JSON.stringify(rows);
  for (const secret of [deviceCode, userCode, userCode.replace("-", "")]) expect(text).not.toContain(secret);
});

test("discovery names the endpoint and the grant type", async () => {
  const { body } = await service.call("GET", "/.well-known/openid-configuration");
  expect(body).toMatchObject({ device_authorization_endpoint: `${service.postern.issuer}oauth/device/code` });
  expect((body as { grant_types_supported: string[] }).grant_types_supported).toContain(deviceCodeGrantType);
});

async function connectionOf({ manage }: LoginService) {
  const { body } = await manage("GET", "/api/v2/connections?name=Username-Password-Authentication");
  return (body as { [name: string]: unknown }[])[0] ?? {};
}
