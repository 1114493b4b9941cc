import { beforeEach, describe, expect, test } from "vitest";
import { expectError, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import {
  claimsOf,
  codeGrant,
  loginState,
  obtainTokens,
  offline,
  redirectOf,
  refreshGrant,
  sendAuthorization,
  submitStep,
  successParameters,
  tokens,
  type TestAccount,
} from "../support/flow.ts";
import { codeOf } from "../support/outbox.ts";
import { openFactorService, setPolicies, totpAt, type FactorService } from "../factors/support.ts";

/** The My Account API, in the shapes of Auth0's `MyAccountApiClient`. */

const audience = "https://id.example.test/me/";
const methods = "/me/v1/authentication-methods";
const all =
  "openid read:me:factors read:me:authentication_methods create:me:authentication_methods update:me:authentication_methods delete:me:authentication_methods " +
  "read:me:profile update:me:profile read:me:sessions delete:me:sessions read:me:grants delete:me:grants read:me:identities read:me:organizations";

let service: FactorService;

beforeEach(async () => {
  service = await openFactorService();
  await setPolicies(service, []);
});

async function tokenFor(account: TestAccount, scope = all): Promise<string> {
  return (await obtainTokens(service, service.spa, account, { audience, scope })).access;
}

/** Adds an authenticator app. @returns its id and its key. */
async function addApp(token: string): Promise<{ readonly id: string; readonly secret: string; readonly method: JsonBody }> {
  const begun = await service.call("POST", methods, { token, body: { type: "totp" } });
  const { id, auth_session, manual_input_code: secret, barcode_uri: uri } = jsonBody(begun, 202);
  expect(begun.headers.get("location")).toBe(`${service.postern.issuer}me/v1/authentication-methods/${encodeURIComponent(String(id))}`);
  expect(String(uri)).toContain(`secret=${String(secret)}`);
  const location = new URL(begun.headers.get("location") ?? "").pathname;
  const body = { auth_session, otp_code: totpAt(String(secret), service.clock.now()) };
  return {
    id: String(id),
    secret: String(secret),
    method: jsonBody(await service.call("POST", `${location}/verify`, { token, body }), 201),
  };
}

const listOf = async (token: string, query = ""): Promise<readonly JsonBody[]> => {
  const { authentication_methods: list } = jsonBody(await service.call("GET", `${methods}${query}`, { token }));
  return Array.isArray(list) ? list.map((body) => jsonBody({ status: 200, body, headers: new Headers() })) : [];
};

/** Shows sections of the account page. */
async function showSections(sections: object): Promise<void> {
  jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { account_page: { sections } }));
  service.clock.advance("6s");
}

describe("authentication methods", () => {
  test("an old recovery code never becomes valid again", async () => {
    const { secret } = await addApp(await tokenFor(service.ada));
    service.clock.advance("31s");
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.spa, { audience, scope: all, max_age: "0" }));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
    const done = redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) }));
    const { code = "" } = successParameters(done);
    const token = tokens(await service.exchange(codeGrant(service.spa, code))).access;
    const create = async () => jsonBody(await service.call("POST", methods, { token, body: { type: "recovery-code" } }), 202);
    const verify = async ({ id, auth_session }: JsonBody) =>
      (await service.call("POST", `${methods}/${encodeURIComponent(String(id))}/verify`, { token, body: { auth_session } })).status;
    const first = await create();
    expect([await verify(first), await verify(first)]).toEqual([201, 201]);
    const second = await create();
    expect([await verify(second), await verify(first)]).toEqual([201, 404]);
    const late = await create();
    service.clock.advance("11m");
    expect(await verify(late)).not.toBe(201);
  });

  test("are listed, added with a code, renamed and removed", async () => {
    const token = await tokenFor(service.ada);
    expect(await listOf(token)).toMatchObject([{ type: "password", usage: ["primary"], identity_user_id: service.ada.userId }]);
    const { factors } = jsonBody(await service.call("GET", "/me/v1/factors", { token }));
    expect(factors).toEqual(
      expect.arrayContaining([
        { type: "totp", usage: ["secondary"] },
        { type: "phone", usage: ["secondary"] },
      ]),
    );
    const { id, secret, method } = await addApp(token);
    expect(method).toMatchObject({ id, type: "totp", usage: ["secondary"], confirmed: true });
    expect(JSON.stringify(await listOf(token))).not.toContain(secret);
    expect(service.outbox.take(service.ada.email).text).toContain("now has another method: authenticator app");
    expect(await listOf(token, "?type=totp")).toMatchObject([{ id }]);
    const path = `${methods}/${encodeURIComponent(id)}`;
    expect(jsonBody(await service.call("GET", path, { token }))).toEqual(method);
  });

  test("of a user with a factor change only with a token of a login with a factor", async () => {
    const token = await tokenFor(service.ada);
    const { id } = await addApp(token);
    const path = `${methods}/${encodeURIComponent(id)}`;
    const refused = await service.call("DELETE", path, { token });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_user_authentication"');
    expect(jsonBody(refused, 401)).toMatchObject({ status: 401, title: "Unauthorized", detail: expect.stringContaining("second factor") });
    expect((await service.call("PATCH", path, { token, body: { name: "x" } })).status).toBe(401);
    expect((await service.call("POST", methods, { token, body: { type: "totp" } })).status).toBe(401);
    expect(await listOf(token, "?type=totp")).toHaveLength(1);
  });

  test("are added by phone and email, and a wrong code adds none", async () => {
    const token = await tokenFor(service.ada);
    const phone = { type: "phone", phone_number: "+4915112345678", preferred_authentication_method: "sms" };
    const { id, auth_session } = jsonBody(await service.call("POST", methods, { token, body: phone }), 202);
    const verify = `${methods}/${encodeURIComponent(String(id))}/verify`;
    const wrong = await service.call("POST", verify, { token, body: { auth_session, otp_code: "000000" } });
    expect(jsonBody(wrong, 403)).toMatchObject({ type: expect.stringContaining("invalid_grant"), status: 403 });
    expect(await listOf(token, "?type=phone")).toEqual([]);
    const code = codeOf(service.outbox.take(phone.phone_number));
    const added = jsonBody(await service.call("POST", verify, { token, body: { auth_session, otp_code: code } }), 201);
    expect(added).toMatchObject({ type: "phone", phone_number: phone.phone_number, preferred_authentication_method: "sms" });
  });

  test("are not confirmed by another session, another user, or twice", async () => {
    const token = await tokenFor(service.ada);
    const {
      id,
      auth_session,
      manual_input_code: secret,
    } = jsonBody(await service.call("POST", methods, { token, body: { type: "totp" } }), 202);
    const verify = `${methods}/${encodeURIComponent(String(id))}/verify`;
    const body = { auth_session, otp_code: totpAt(String(secret), service.clock.now()) };
    for (const other of [await tokenFor(service.ada), await tokenFor(service.bob)])
      expect((await service.call("POST", verify, { token: other, body })).status).toBe(404);
    expect((await service.call("POST", verify, { token, body: { ...body, auth_session: `${String(id)}:x` } })).status).toBe(404);
    const results = await Promise.all(Array.from({ length: 32 }, () => service.call("POST", verify, { token, body })));
    expect(results.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await listOf(token, "?type=totp")).toHaveLength(1);
  });

  test("of another user are not found", async () => {
    const own = await tokenFor(service.ada);
    const { id } = await addApp(own);
    const token = await tokenFor(service.bob);
    const path = `${methods}/${encodeURIComponent(id)}`;
    expect((await service.call("GET", path, { token })).status).toBe(404);
    expect((await service.call("PATCH", path, { token, body: { name: "Stolen" } })).status).toBe(404);
    expect((await service.call("DELETE", path, { token })).status).toBe(404);
    expect(await listOf(own, "?type=totp")).toMatchObject([{ id }]);
  });

  test("reject invalid bodies with the members of a problem", async () => {
    const token = await tokenFor(service.ada);
    for (const body of [
      {},
      { type: "push-notification" },
      { type: "phone" },
      { type: "phone", phone_number: "1" },
      { type: "email", email: "x" },
      [],
    ])
      expect(jsonBody(await service.call("POST", methods, { token, body }), 400)).toMatchObject({
        type: "urn:postern:error:invalid_request",
        title: "Bad Request",
        status: 400,
        detail: expect.any(String),
      });
    expect(await listOf(token)).toHaveLength(1);
  });
});

describe("access", () => {
  test("requires a user's token for the API, and the scope of the route", async () => {
    const token = await tokenFor(service.ada, "openid read:me:factors");
    expect((await service.call("GET", "/me/v1/factors", { token })).status).toBe(200);
    const refused = await service.call("GET", methods, { token });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toContain('scope="read:me:authentication_methods"');
    const plain = (await obtainTokens(service, service.spa, service.ada)).access;
    for (const other of [plain, await service.token(), "x", `${token}x`])
      expect((await service.call("GET", "/me/v1/factors", { token: other })).status).toBe(401);
    expect((await service.call("GET", "/me/v1/factors")).status).toBe(401);
    expect((await service.call("GET", "/me/v1/none")).status, "unknown paths do not reveal which exist").toBe(401);
    for (const path of ["/userinfo/none", "/api/v2/users", "/mfa/authenticators"])
      expect((await service.call("GET", path, { token })).status).not.toBe(200);
  });

  test("ends with the session, a block and the client", async () => {
    const token = await tokenFor(service.ada);
    const { sid } = claimsOf(token);
    expect((await service.call("DELETE", `/me/v1/sessions/${String(sid)}`, { token })).status).toBe(204);
    expect((await service.call("GET", "/me/v1/profile", { token })).status).toBe(401);
    const other = await tokenFor(service.bob);
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.bob.userId)}`, { blocked: true });
    expect((await service.call("GET", "/me/v1/profile", { token: other })).status).toBe(401);
  });

  test("is readable by scripts of the client's origins, with the header Location", async () => {
    const token = await tokenFor(service.ada);
    const headers = { origin: "https://app.example.test" };
    const preflight = await service.call("OPTIONS", methods, { headers: { ...headers, "access-control-request-method": "POST" } });
    expect(preflight.status).toBe(204);
    const reply = await service.call("POST", methods, { token, headers, body: { type: "totp" } });
    expect(reply.headers.get("access-control-allow-origin")).toBe(headers.origin);
    expect(reply.headers.get("access-control-expose-headers")).toContain("Location");
    const foreign = await service.call("GET", methods, { token, headers: { origin: "https://evil.example.test" } });
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("profile, sessions and grants", () => {
  test("the profile is changed only if the tenant shows it on the account page", async () => {
    const token = await tokenFor(service.ada);
    const patch = (body: object) => service.call("PATCH", "/me/v1/profile", { token, body });
    expect((await patch({ name: "x" })).status).toBe(403);
    await showSections({ profile: "read_only", language: "shown" });
    expect([(await patch({ name: "x" })).status, (await patch({ locale: "de" })).status]).toEqual([403, 200]);
  });

  test("the profile is read and changed, and only with a recent sign-in", async () => {
    await showSections({ profile: "shown", language: "shown" });
    const token = await tokenFor(service.ada);
    expect(jsonBody(await service.call("GET", "/me/v1/profile", { token }))).toMatchObject({
      user_id: service.ada.userId,
      email: service.ada.email,
    });
    const body = { name: "Ada King", locale: "en-GB" };
    expect(jsonBody(await service.call("PATCH", "/me/v1/profile", { token, body }))).toMatchObject(body);
    await service.call("PATCH", "/me/v1/profile", { token, body: { nickname: "Countess" } });
    const cleared = jsonBody(await service.call("PATCH", "/me/v1/profile", { token, body: { nickname: null, locale: null } }));
    expect([cleared["name"], Object.keys(cleared).includes("nickname"), Object.keys(cleared).includes("locale")]).toEqual([
      "Ada King",
      false,
      false,
    ]);
    for (const rejected of [
      { email: "new@example.test" },
      { email_verified: true },
      { blocked: false },
      { app_metadata: {} },
      { locale: "??" },
    ])
      expect((await service.call("PATCH", "/me/v1/profile", { token, body: rejected })).status).toBe(400);
    const browser = service.browser();
    await obtainTokens(service, service.spa, service.ada, {}, browser);
    service.clock.advance("14m");
    const { access } = await obtainTokens(service, service.spa, service.ada, { audience, scope: all }, browser);
    service.clock.advance("2m");
    const refused = await service.call("PATCH", "/me/v1/profile", { token: access, body: { name: "x" } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain('max_age="900"');
  });

  test("sessions of the user are listed and ended, and those of others are not found", async () => {
    const token = await tokenFor(service.ada);
    const bobs = await tokenFor(service.bob);
    const { sessions } = jsonBody(await service.call("GET", "/me/v1/sessions", { token }));
    expect(sessions).toMatchObject([{ id: claimsOf(token)["sid"], current: true }]);
    expect((await service.call("DELETE", `/me/v1/sessions/${String(claimsOf(bobs)["sid"])}`, { token })).status).toBe(404);
    expect((await service.call("GET", "/me/v1/profile", { token: bobs })).status).toBe(200);
  });

  test("grants of the user are listed and removed, and those of others stay", async () => {
    const own = await obtainTokens(service, service.web, service.ada, offline);
    const bobs = await obtainTokens(service, service.web, service.bob, offline);
    const token = await tokenFor(service.ada);
    const { grants } = jsonBody(await service.call("GET", "/me/v1/grants", { token }));
    expect(grants).toMatchObject([{ client_id: service.web.clientId, scope: expect.arrayContaining(["offline_access"]) }]);
    expect((await service.call("DELETE", "/me/v1/grants/none", { token })).status).toBe(404);
    expect((await service.call("DELETE", `/me/v1/grants/${service.web.clientId}`, { token })).status).toBe(204);
    expect((await service.exchange(refreshGrant(service.web, own.refresh))).status).toBe(400);
    expect((await service.exchange(refreshGrant(service.web, bobs.refresh))).status).toBe(200);
  });
});

test("linked accounts and organizations are those of the user, without tokens of providers", async () => {
  const { id } = await service.manage.create("/api/v2/organizations", { name: "acme", display_name: "Acme" });
  await service.manage("POST", `/api/v2/organizations/${String(id)}/members`, { members: [service.ada.userId] });
  const token = await tokenFor(service.ada);
  expect(jsonBody(await service.call("GET", "/me/v1/organizations", { token }))).toEqual({
    organizations: [{ id, name: "acme", display_name: "Acme" }],
  });
  const { identities } = jsonBody(await service.call("GET", "/me/v1/identities", { token }));
  expect(identities).toMatchObject([{ connection: "Username-Password-Authentication", profileData: { email: service.ada.email } }]);
  expect(JSON.stringify(identities)).not.toContain("access_token");
  const bobs = await tokenFor(service.bob);
  expect(jsonBody(await service.call("GET", "/me/v1/organizations", { token: bobs }))).toEqual({ organizations: [] });
});

test("a tenant cannot create an API with the identifier of the My Account API", async () => {
  expectError(await service.manage("POST", "/api/v2/resource-servers", { name: "Mine", identifier: audience }), 409, "conflict");
  expect(
    stringMember(await service.manage.create("/api/v2/resource-servers", { name: "Mine", identifier: "https://x.test/me/" }), "id"),
  ).not.toBe("");
});
