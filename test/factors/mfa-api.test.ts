import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { apiDescriptions } from "../openapi-sweep/description.ts";
import { undeclaredPart } from "../openapi-sweep/replies.ts";
import { auditEvents, expectError, list, jsonBody, stringMember } from "../support/api.ts";
import { codeOf, differentCode, typedInScript, zeros } from "../support/outbox.ts";
import type { ApiResponse } from "../support/postern.ts";
import { mfaAppOrigin, codeGrantType, oobGrant, openMfaService, otpGrant, recoveryGrant, type MfaService } from "./mfa-api-support.ts";
import { setPolicies } from "./support.ts";

let service: MfaService;

beforeEach(async () => {
  service = await openMfaService();
});

const acr = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
const otp = { authenticator_types: ["otp"] };
const sms = { authenticator_types: ["oob"], oob_channels: ["sms"], phone_number: "+49 170 1234567" };
const phone = "+491701234567";

const start = async (more?: { readonly [name: string]: string }): Promise<string> =>
  stringMember(await service.begin(undefined, more), "mfa_token");

function expectExpired(response: ApiResponse): void {
  expectError(response, 401, "expired_token", /^mfa_token is expired$/);
}

const tryCode = async (mfa_token: string, code: string): Promise<ApiResponse> => service.grant(otpGrant, { mfa_token, otp: code });

describe("the error mfa_required", () => {
  test("replaces the tokens of the password grant, and no session exists", async () => {
    const body = await service.begin();
    expect(body).toEqual({
      error: "mfa_required",
      error_description: "Multifactor authentication required",
      mfa_token: expect.any(String),
      mfa_requirements: { enroll: [{ type: "otp" }, { type: "phone" }] },
    });
    expect(await service.data.collections.sessions.count({ tenant_id: "main" })).toBe(0);
  });

  test("is described by the OpenAPI document", async () => {
    const operation = apiDescriptions.auth.operations.find(({ title }) => title === "POST /oauth/token");
    const headers = new Headers({ "content-type": "application/json" });
    const body = await service.begin();
    expect(operation && undeclaredPart(operation, { status: 403, headers, body })).toBeUndefined();
    expect(
      operation && undeclaredPart(operation, { status: 403, headers, body: { ...body, mfa_requirements: { enroll: "otp" } } }),
    ).toContain("mfa_requirements/enroll");
  });

  test("replaces the tokens of the one-time-code grant, whose mailbox is no second factor", async () => {
    const { app, ada, outbox } = service;
    await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    const begin = async () => {
      const client = { client_id: app.clientId, client_secret: app.secret };
      jsonBody(
        await service.call("POST", "/passwordless/start", { body: { ...client, connection: "email", email: ada.email, send: "code" } }),
      );
      const code = codeOf(outbox.take(ada.email));
      return jsonBody(await service.grant(codeGrantType, { username: ada.email, realm: "email", otp: code, scope: "openid" }), 403);
    };
    const mfa_token = stringMember(await begin(), "mfa_token");
    const secret = stringMember(jsonBody(await service.associate(mfa_token, otp)), "secret");
    const { id_token: idToken } = jsonBody(await tryCode(mfa_token, service.codeNow(secret)));
    expect(decodeJwt(String(idToken))).toMatchObject({ acr, amr: ["otp", "mfa"] });
    const again = stringMember(await begin(), "mfa_token");
    expect(new Set(list(await service.authenticators(again)).map(({ type }) => type))).toEqual(new Set(["otp", "recovery-code"]));
    expectError(await service.challenge(again, { challenge_type: "oob" }), 400, "unsupported_challenge_type");
  });
});

describe("an authenticator app", () => {
  test("is added, confirmed and used, and the tokens state it", async () => {
    const mfa_token = await start({ scope: "openid email offline_access" });
    const added = jsonBody(await service.associate(mfa_token, otp));
    expect(added).toEqual({
      authenticator_type: "otp",
      id: expect.stringMatching(/^totp\|dev_\w{16}$/),
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      barcode_uri: expect.stringMatching(/^otpauth:\/\/totp\/.*secret=/),
      recovery_codes: [expect.stringMatching(/^[A-Z0-9]{24}$/)],
    });
    expect(list(await service.authenticators(mfa_token))).toMatchObject([{ id: added["id"], authenticator_type: "otp", active: false }]);
    const tokens = jsonBody(await tryCode(mfa_token, service.codeNow(stringMember(added, "secret"))));
    expect(tokens).toMatchObject({ token_type: "Bearer", scope: "openid email offline_access", refresh_token: expect.any(String) });
    expect(decodeJwt(stringMember(tokens, "id_token"))).toMatchObject({ sub: service.ada.userId, acr, amr: ["pwd", "otp", "mfa"] });
    expect(decodeJwt(stringMember(tokens, "access_token"))).toMatchObject({ gty: "password" });
    expect(service.outbox.take(service.ada.email)).toMatchObject({ subject: "A sign-in method was added to your account" });
    expect(await auditEvents(service.manage, "seotpft")).toHaveLength(1);
    expectExpired(await tryCode(mfa_token, service.codeNow(stringMember(added, "secret"), 1)));
  });

  test("is challenged at the next login, and no other authenticator can be added then", async () => {
    const { secret } = await service.enrollApp();
    const body = await service.begin();
    expect(body["mfa_requirements"]).toEqual({});
    const mfa_token = stringMember(body, "mfa_token");
    expect(jsonBody(await service.challenge(mfa_token, { challenge_type: "otp" }))).toEqual({ challenge_type: "otp" });
    expectError(await service.associate(mfa_token, otp), 400, "access_denied", /^User is already enrolled$/);
    jsonBody(await tryCode(mfa_token, service.codeNow(secret)));
  });

  test("accepts a code once, no older or distant code, and no code with other characters", async () => {
    const { secret } = await service.enrollApp();
    const mfa_token = await start();
    const code = service.codeNow(secret);
    for (const wrong of [service.codeNow(secret, 2), service.codeNow(secret, -1), service.codeNow(secret, -2), `${code}7`, "１２３４５"])
      expectError(await tryCode(mfa_token, wrong), 403, "invalid_grant", /^Invalid otp_code\.$/);
    jsonBody(await tryCode(mfa_token, ` ${code.slice(0, 3)} ${code.slice(3)}`));
    expectError(await tryCode(await start(), code), 403, "invalid_grant");
  });

  test("accepts the codes of an app and of a phone and a recovery code in Persian digits", async () => {
    const { secret, recoveryCode } = await service.enrollApp();
    jsonBody(await tryCode(await start(), typedInScript(service.codeNow(secret), "persian")));
    const persian = recoveryCode.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(zeros.persian + Number(digit)));
    jsonBody(await service.grant(recoveryGrant, { mfa_token: await start(), recovery_code: `\u200e${persian}\u200f` }));
    const mfa_token = stringMember(await service.begin(service.bob), "mfa_token");
    const oob_code = stringMember(jsonBody(await service.associate(mfa_token, sms)), "oob_code");
    const binding_code = typedInScript(codeOf(service.outbox.take(phone)), "persian");
    jsonBody(await service.grant(oobGrant, { mfa_token, oob_code, binding_code }));
  });

  test("cannot be confirmed with another mfa_token or after another factor was added", async () => {
    const [first, second] = [await start(), await start()];
    const secret = stringMember(jsonBody(await service.associate(first, otp)), "secret");
    expectError(await tryCode(second, service.codeNow(secret)), 400, "association_required");
    const other = stringMember(jsonBody(await service.associate(second, otp)), "secret");
    jsonBody(await tryCode(second, service.codeNow(other)));
    expectError(await tryCode(first, service.codeNow(secret)), 400, "access_denied", /^User is already enrolled$/);
  });

  test("gives no valid recovery code before it is confirmed", async () => {
    const { recovery_codes: abandoned } = jsonBody(await service.associate(await start(), otp));
    const { recoveryCode } = await service.enrollApp();
    const mfa_token = await start();
    expectError(await service.grant(recoveryGrant, { mfa_token, recovery_code: String(abandoned) }), 403, "invalid_grant");
    jsonBody(await service.grant(recoveryGrant, { mfa_token, recovery_code: recoveryCode }));
  });

  test("gives no recovery code if the tenant disables recovery codes", async () => {
    await service.manage("PUT", "/api/v2/guardian/factors/recovery-code", { enabled: false });
    expect(jsonBody(await service.associate(await start(), otp))).not.toHaveProperty("recovery_codes");
  });
});

describe("a code by text message or email", () => {
  test("confirms a phone and is used at the next login", async () => {
    const mfa_token = await start();
    const added = jsonBody(await service.associate(mfa_token, sms));
    expect(added).toMatchObject({ authenticator_type: "oob", oob_channel: "sms", binding_method: "prompt" });
    const oob_code = stringMember(added, "oob_code");
    expectError(
      await service.grant(oobGrant, { mfa_token, oob_code }),
      400,
      "invalid_request",
      /^Missing required parameter: binding_code$/,
    );
    const binding_code = codeOf(service.outbox.take(phone));
    const wrong = { mfa_token, oob_code, binding_code: differentCode(binding_code) };
    expectError(await service.grant(oobGrant, wrong), 403, "invalid_grant", /^Invalid binding_code\.$/);
    const { id_token: idToken } = jsonBody(await service.grant(oobGrant, { mfa_token, oob_code, binding_code }));
    expect(decodeJwt(String(idToken))).toMatchObject({ acr, amr: ["pwd", "sms", "mfa"] });

    const next = await start();
    const [listed] = list(await service.authenticators(next));
    expect(listed).toMatchObject({ id: added["id"], type: "phone", active: true, oob_channel: "sms", name: "XXXXXXXXX4567" });
    expect(JSON.stringify(listed)).not.toContain("170123");
    const challenge = jsonBody(await service.challenge(next, { authenticator_id: stringMember(added, "id") }));
    const sent = { mfa_token: next, oob_code: stringMember(challenge, "oob_code"), binding_code: codeOf(service.outbox.take(phone)) };
    jsonBody(await service.grant(oobGrant, sent));
  });

  test("is valid only with its own mfa_token and its own oob_code", async () => {
    const [first, second] = [await start(), await start()];
    const oob_code = stringMember(jsonBody(await service.associate(first, sms)), "oob_code");
    const binding_code = codeOf(service.outbox.take(phone));
    const other = jsonBody(await service.associate(second, sms));
    const grant = (mfa_token: string, code: string) => service.grant(oobGrant, { mfa_token, oob_code: code, binding_code });
    expectError(await grant(second, oob_code), 400, "invalid_request", /^The oob_code doesn't match the mfa_token$/);
    expectError(await grant(first, "nonsense"), 400, "invalid_request", /^Malformed oob_code$/);
    expectError(await grant(second, stringMember(other, "oob_code")), 403, "invalid_grant");
    jsonBody(await grant(first, oob_code));
  });

  test("reaches the verified email address without enrollment, next to another factor", async () => {
    await service.enrollApp();
    const mfa_token = await start();
    const email = list(await service.authenticators(mfa_token)).find(({ type }) => type === "email");
    expect(email).toMatchObject({ id: expect.stringMatching(/^email\|dev_\w{16}$/), active: true, name: "a•••@example.test" });
    const { oob_code } = jsonBody(await service.challenge(mfa_token, { authenticator_id: String(email?.["id"]) }));
    const binding_code = codeOf(service.outbox.take(service.ada.email));
    jsonBody(await service.grant(oobGrant, { mfa_token, oob_code: String(oob_code), binding_code }));
  });

  test("is not offered by push notification or voice call", async () => {
    for (const channel of ["auth0", "voice"])
      expectError(await service.associate(await start(), { ...sms, oob_channels: [channel] }), 400, "invalid_request", "oob_channels");
    expectError(await service.associate(await start(), { ...sms, oob_channels: ["email"] }), 400, "unsupported_challenge_type");
    expectError(await service.associate(await start(), { ...sms, phone_number: "0170" }), 400, "invalid_request", "phone_number");
  });
});

describe("a recovery code", () => {
  test("is replaced by the next one, which works once", async () => {
    const { recoveryCode } = await service.enrollApp();
    const use = async (recovery_code: string) => service.grant(recoveryGrant, { mfa_token: await start(), recovery_code });
    const tokens = jsonBody(await use(recoveryCode.toLowerCase()));
    const next = stringMember(tokens, "recovery_code");
    expect(next).toMatch(/^[A-Z0-9]{24}$/);
    expect(decodeJwt(stringMember(tokens, "id_token"))).toMatchObject({ acr, amr: ["pwd", "mfa"] });
    expectError(await use(recoveryCode), 403, "invalid_grant");
    jsonBody(await use(next));
  });
});

describe("an mfa_token", () => {
  test("is valid for ten minutes", async () => {
    const { secret } = await service.enrollApp();
    const mfa_token = await start();
    service.clock.advance("10m");
    expectExpired(await tryCode(mfa_token, service.codeNow(secret)));
    expectExpired(await service.authenticators(mfa_token));
  });

  test("is not valid for another client, in another tenant, or after one character changed", async () => {
    const { secret } = await service.enrollApp();
    const mfa_token = await start();
    const other = await service.register({ secret: true, grant_types: [otpGrant] });
    const parameters = { mfa_token, otp: service.codeNow(secret) };
    expectError(await service.grant(otpGrant, parameters, other), 400, "invalid_request", /^mfa_token not issued to this client$/);
    const changed = mfa_token.slice(0, -1) + (mfa_token.endsWith("A") ? "B" : "A");
    for (const wrong of [changed, "x", mfa_token.replace("main.", "other."), mfa_token.replace("main.", "")])
      expectError(await tryCode(wrong, service.codeNow(secret)), 403, "invalid_grant", /^Malformed mfa_token$/);
    const elsewhere = await service.call("GET", "/mfa/authenticators", { token: mfa_token, headers: { "tenant-id": "other" } });
    expectError(elsewhere, 403, "invalid_grant", /^Malformed mfa_token$/);
    jsonBody(await service.grant(otpGrant, parameters));
  });

  test("does not accept the code of another user", async () => {
    await service.enrollApp();
    const { secret } = await service.enrollApp(service.bob);
    expectError(await tryCode(await start(), service.codeNow(secret)), 403, "invalid_grant");
  });

  test.each<readonly [string, (userId: string) => Promise<unknown>]>([
    ["the password changed", (id) => service.manage("PATCH", `/api/v2/users/${id}`, { password: "another long password" })],
    ["the email address changed", (id) => service.manage("PATCH", `/api/v2/users/${id}`, { email: "eve@example.test" })],
    ["the user was blocked", (id) => service.manage("PATCH", `/api/v2/users/${id}`, { blocked: true })],
    ["the user was deleted", (id) => service.manage("DELETE", `/api/v2/users/${id}`)],
    [
      "the user was linked",
      (id) =>
        service.manage("POST", `/api/v2/users/${service.bob.userId}/identities`, { provider: "auth0", user_id: id.replace("auth0|", "") }),
    ],
  ])("is void after %s", async (_, change) => {
    const { secret } = await service.enrollApp();
    const mfa_token = await start();
    await change(service.ada.userId);
    const response = await tryCode(mfa_token, service.codeNow(secret));
    expect([response.status, response.body]).toEqual([expect.any(Number), expect.objectContaining({ error: expect.any(String) })]);
    expect(["mfa_token is expired", "Malformed mfa_token"]).toContain(Object(response.body).error_description);
    expect(
      await service.data.collections.sessions.count({ tenant_id: "main", user_id: service.ada.userId, revoked_at: null }),
    ).toBeLessThan(2);
  });

  test("authenticates no other request", async () => {
    const token = await start();
    for (const path of ["/userinfo", "/api/v2/users", "/api/v2/clients"])
      expectError(await service.call("GET", path, { token }), 401, "invalid_token");
    const { body } = await service.call("POST", "/oauth/introspect", {
      body: { token, client_id: service.app.clientId, client_secret: service.app.secret },
    });
    expect(body).toEqual({ active: false });
  });

  test("gives no more scopes and no other API than the first request", async () => {
    const { secret } = await service.enrollApp();
    const api = { name: "API", identifier: "https://api.example.test", scopes: [{ value: "read:all" }] };
    await service.manage.create("/api/v2/resource-servers", api);
    const mfa_token = await start({ scope: "openid email" });
    const code = service.codeNow(secret);
    const other = await service.grant(otpGrant, { mfa_token, otp: code, audience: api.identifier });
    expectError(other, 400, "invalid_request", "audience");
    const tokens = jsonBody(await service.grant(otpGrant, { mfa_token, otp: code, scope: "openid profile offline_access read:all" }));
    expect(tokens["scope"]).toBe("openid");
    expect(tokens).not.toHaveProperty("refresh_token");
  });

  test("is useless if the client may use none of the MFA grants", async () => {
    const app = await service.register({ secret: true, grant_types: ["password"] });
    const { ada } = service;
    const sent = {
      grant_type: "password",
      username: ada.email,
      password: ada.password,
      client_id: app.clientId,
      client_secret: app.secret ?? "",
    };
    const mfa_token = stringMember(jsonBody(await service.exchange(sent), 403), "mfa_token");
    expectError(await service.associate(mfa_token, sms), 400, "unauthorized_client");
    expectError(await service.challenge(mfa_token, {}, app), 400, "unauthorized_client");
    expectError(await service.grant(otpGrant, { mfa_token, otp: "123456" }, app), 400, "unauthorized_client");
    expect(service.outbox.sent).toEqual([]);
  });

  test("is useless after the policy was removed, so that the user signs in again", async () => {
    const { secret } = await service.enrollApp();
    const mfa_token = await start();
    await setPolicies(service, []);
    expectExpired(await tryCode(mfa_token, service.codeNow(secret)));
    jsonBody(await service.password());
  });
});

test("counts wrong codes across tokens and clients, and not as wrong passwords", async () => {
  const { secret } = await service.enrollApp();
  const before = await start();
  for (let i = 0; i < 10; i++) expectError(await tryCode(await start(), "000000"), 403, "invalid_grant");
  const message = /^Too many failed codes\. Wait for some minutes before retrying\.$/;
  expectError(await tryCode(before, service.codeNow(secret)), 429, "TOO_MANY_REQUESTS", message);
  // A right password succeeds, and gives no attempt back.
  expectError(await tryCode(await start(), service.codeNow(secret)), 429, "TOO_MANY_REQUESTS", message);
  expect(await auditEvents(service.manage, "gd_otp_rate_limit_exceed")).toHaveLength(1);
  expect(service.outbox.sent.filter(({ to }) => to === service.ada.email)).not.toEqual([]);
  service.clock.advance("6m");
  jsonBody(await tryCode(await start(), service.codeNow(secret)));
});

test("responds with 404 for the authenticator of another user", async () => {
  await service.enrollApp();
  const mfa_token = stringMember(await service.begin(service.bob), "mfa_token");
  const theirs = stringMember(jsonBody(await service.associate(mfa_token, otp)), "id");
  expectError(await service.challenge(await start(), { authenticator_id: theirs }), 404, "not_found");
});

test("requires a token for the routes with a bearer token, and lets only the client's scripts read responses", async () => {
  expectError(await service.call("GET", "/mfa/authenticators"), 401, "invalid_token");
  expectError(await service.call("POST", "/mfa/associate", { body: otp }), 401, "invalid_token");
  const token = await start();
  const origins = async (origin: string) => {
    const { headers } = await service.call("GET", "/mfa/authenticators", { token, headers: { origin } });
    return headers.get("access-control-allow-origin");
  };
  expect(await origins(mfaAppOrigin)).toBe(mfaAppOrigin);
  expect(await origins("https://evil.test")).toBeNull();
  service.clock.advance("10m");
  expect(await origins(mfaAppOrigin)).toBe(mfaAppOrigin);
});

test("stores and logs no code, no key and no mfa_token", async () => {
  const { secret, recoveryCode } = await service.enrollApp();
  const mfa_token = await start();
  jsonBody(await service.grant(recoveryGrant, { mfa_token, recovery_code: recoveryCode }));
  const { collections } = service.data;
  const query = { where: { tenant_id: "main" }, limit: 1000 };
  const stored = await Promise.all([collections.logs.find(query), collections.tickets.find(query), collections.factors.find(query)]);
  for (const found of stored) {
    const rows = JSON.stringify(found);
    for (const hidden of [secret, recoveryCode, mfa_token, mfa_token.replace("main.", "")]) expect(rows).not.toContain(hidden);
  }
});
