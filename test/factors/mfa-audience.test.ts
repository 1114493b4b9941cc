import { beforeEach, describe, expect, test } from "vitest";
import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import {
  claimsOf,
  errorParameters,
  loginState,
  redirectOf,
  sendAuthorization,
  signInAtLoginPage,
  submitStep,
  successParameters,
  tokens,
  type App,
} from "../support/flow.ts";
import { codeOf } from "../support/outbox.ts";
import { oobGrant, openMfaService, otpGrant, type MfaService } from "./mfa-api-support.ts";
import { exchangeLoginCode, setPolicies, totpAt } from "./support.ts";

const audience = "https://id.example.test/mfa/";
const multifactor = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
const allScopes = "enroll read:authenticators remove:authenticators";

let service: MfaService;

beforeEach(async () => {
  service = await openMfaService();
  await setPolicies(service, []);
});

/** Requests an access token of the MFA API with the password, and passes the authenticator app if a code is required. */
async function manage(secret?: string, scope = allScopes): Promise<string> {
  const reply = await service.password(undefined, { audience, scope });
  if (secret === undefined) return stringMember(jsonBody(reply, 200), "access_token");
  const mfa_token = stringMember(jsonBody(reply, 403), "mfa_token");
  const granted = jsonBody(await service.grant(otpGrant, { mfa_token, otp: service.codeNow(secret) }), 200);
  service.clock.advance("31s");
  return stringMember(granted, "access_token");
}

/** Adds an authenticator app with an access token. */
async function addApp(token: string): Promise<{ readonly secret: string; readonly granted: JsonBody; readonly added: JsonBody }> {
  const added = jsonBody(await service.associate(token, { authenticator_types: ["otp"] }), 200);
  const secret = stringMember(added, "secret");
  const granted = jsonBody(await service.grant(otpGrant, { mfa_token: token, otp: service.codeNow(secret) }), 200);
  service.clock.advance("31s");
  return { secret, granted, added };
}

const remove = (token: string, id: string): Promise<ApiResponse> =>
  service.call("DELETE", `/mfa/authenticators/${encodeURIComponent(id)}`, { token });

const listed = async (token: string): Promise<readonly { readonly id: string; readonly type: string; readonly active: boolean }[]> => {
  const { status, body } = await service.authenticators(token);
  expect(status).toBe(200);
  return body as unknown as readonly { readonly id: string; readonly type: string; readonly active: boolean }[];
};

const eventsOf = async (type: string): Promise<number> => (await service.postern.tenant("main").logs.list({ q: `type:${type}` })).length;

describe("a token for the MFA API", () => {
  test("is valid for ten minutes, only there, and cannot be refreshed", async () => {
    const reply = jsonBody(await service.password(undefined, { audience, scope: `openid offline_access ${allScopes}` }), 200);
    expect(reply).not.toHaveProperty("refresh_token");
    expect(reply["expires_in"]).toBe(600);
    const token = stringMember(reply, "access_token");
    expect(claimsOf(token)).toMatchObject({ aud: [audience, "https://id.example.test/userinfo"], scope: `openid ${allScopes}` });
    expect((await service.call("GET", "/api/v2/users", { token })).status).toBe(401);
    expect(await listed(token)).toEqual([]);
    service.clock.advance("10m");
    expect((await service.authenticators(token)).status).toBe(401);
  });

  test("requires a factor of a user who has one, even without a policy and in a trusted browser", async () => {
    const { secret } = await addApp(await manage());
    jsonBody(await service.password(), 200);
    const refused = jsonBody(await service.password(undefined, { audience, scope: allScopes }), 403);
    expect(refused).toMatchObject({ error: "mfa_required", mfa_requirements: {} });
    const claims = claimsOf(await manage(secret));
    expect(claims).toMatchObject({ aud: audience, scope: allScopes, acr: multifactor });
  });

  test("requires the factor again at /authorize in a session that passed it, and fails with prompt=none", async () => {
    const { secret } = await addApp(await manage());
    const browser = service.browser();
    const passFactor = async (parameters: { readonly [name: string]: string }, first: boolean): Promise<JsonBody> => {
      const begun = await sendAuthorization(browser, service.web, parameters);
      const state = loginState(begun);
      if (first) {
        await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
        await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
      }
      const code = totpAt(secret, service.clock.now());
      const done = redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code, remember: "true" }));
      service.clock.advance("31s");
      return exchangeLoginCode(service, successParameters(done)["code"] ?? "");
    };
    const request = { audience, scope: `openid ${allScopes}` };
    await passFactor(request, true);
    expect(errorParameters(await sendAuthorization(browser, service.web, { ...request, prompt: "none" }))).toMatchObject({
      error: "login_required",
      error_description: "Multifactor authentication required",
    });
    const token = stringMember(await passFactor(request, false), "access_token");
    expect((await listed(token)).map(({ type }) => type)).toContain("otp");
    // Another API needs no factor.
    successParameters(await sendAuthorization(browser, service.web, { prompt: "none" }));
  });

  test("is issued without a factor at /authorize to a user who has none", async () => {
    const browser = service.browser();
    const request = { audience, scope: `openid ${allScopes}` };
    const result = await signInAtLoginPage(browser, await sendAuthorization(browser, service.web, request), service.ada);
    const granted = await exchangeLoginCode(service, successParameters(result)["code"] ?? "");
    expect(await listed(stringMember(granted, "access_token"))).toEqual([]);
  });

  test("is not issued to a client for itself, and its identifier is reserved", async () => {
    const reply = await service.exchange({
      grant_type: "client_credentials",
      client_id: service.app.clientId,
      client_secret: clientSecret,
      audience,
    });
    expect(reply.status).not.toBe(200);
    const { status } = await service.manage("POST", "/api/v2/resource-servers", { name: "mine", identifier: audience });
    expect(status).toBe(409);
  });
});

describe("/mfa/associate with an access token", () => {
  test("adds the first authenticator, with a recovery code, and the grant returns a token that has passed it", async () => {
    const token = await manage();
    const { granted, added } = await addApp(token);
    expect(added["recovery_codes"]).toHaveLength(1);
    const stronger = stringMember(granted, "access_token");
    expect(claimsOf(stronger)).toMatchObject({ aud: audience, scope: allScopes, acr: multifactor });
    expect(
      (await listed(stronger))
        .filter(({ active }) => active)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(["email", "otp", "recovery-code"]);
    expect(await eventsOf("gd_enrollment_complete")).toBe(1);
    // The token from before the factor changes nothing any more.
    expect((await service.associate(token, { authenticator_types: ["otp"] })).status).toBe(401);
    expect((await service.grant(otpGrant, { mfa_token: token, otp: "000000" })).body).toMatchObject({ error: "expired_token" });
  });

  test("adds a phone and an email address next to it, without another recovery code", async () => {
    const { secret } = await addApp(await manage());
    for (const [body, type] of [
      [{ oob_channels: ["sms"], phone_number: "+491701234567" }, "phone"],
      [{ oob_channels: ["email"], email: "second@example.test" }, "email"],
    ] as const) {
      const token = await manage(secret);
      const added = jsonBody(await service.associate(token, { authenticator_types: ["oob"], ...body }), 200);
      expect(added).not.toHaveProperty("recovery_codes");
      const binding_code = codeOf(service.outbox.take(type === "phone" ? "+491701234567" : "second@example.test"));
      const oob_code = stringMember(added, "oob_code");
      jsonBody(await service.grant(oobGrant, { mfa_token: token, oob_code, binding_code }), 200);
      expect(await listed(await manage(secret))).toEqual(expect.arrayContaining([expect.objectContaining({ type, active: true })]));
    }
  });

  test("never adds an email address to a user without an independent factor", async () => {
    const reply = await service.associate(await manage(), {
      authenticator_types: ["oob"],
      oob_channels: ["email"],
      email: "x@example.test",
    });
    expect([reply.status, reply.body]).toMatchObject([400, { error: "unsupported_challenge_type" }]);
  });

  test("rejects a token without the scope, for another client, of an ended session, or with an old factor", async () => {
    const app = { authenticator_types: ["otp"] };
    const readOnly = await manage(undefined, "read:authenticators");
    expect((await service.associate(readOnly, app)).body).toMatchObject({ error: "insufficient_scope" });
    expect((await remove(readOnly, "totp|dev_x")).status).toBe(403);
    const writeOnly = await manage(undefined, "enroll");
    expect((await service.authenticators(writeOnly)).body).toMatchObject({ error: "insufficient_scope" });

    const token = await manage();
    const added = jsonBody(await service.associate(token, app), 200);
    const otp = service.codeNow(stringMember(added, "secret"));
    const other: App = await service.register({ secret: true, grant_types: ["password", otpGrant] });
    expect((await service.grant(otpGrant, { mfa_token: token, otp }, other)).body).toMatchObject({ error: "invalid_request" });
    await service.postern.tenant("main").sessions.delete(String(claimsOf(token)["sid"]));
    expect((await service.grant(otpGrant, { mfa_token: token, otp })).body).toMatchObject({ error: "expired_token" });
    expect((await service.associate(token, app)).status).toBe(401);
  });

  test("the grants reject an access token with which no authenticator was added", async () => {
    expect((await service.grant(otpGrant, { mfa_token: await manage(), otp: "000000" })).body).toMatchObject({
      error: "invalid_grant",
      error_description: "Malformed mfa_token",
    });
  });
});

describe("DELETE /mfa/authenticators/{id}", () => {
  test("removes an authenticator, tells the user by mail and writes an audit event", async () => {
    const { secret } = await addApp(await manage());
    const token = await manage(secret);
    const [{ id } = { id: "" }] = (await listed(token)).filter(({ type }) => type === "otp");
    const mails = (): number => service.outbox.sent.filter(({ to }) => to === service.ada.email).length;
    await expect.poll(mails).toBeGreaterThan(0);
    const before = mails();
    const reply = await remove(token, id);
    expect([reply.status, reply.body]).toEqual([204, undefined]);
    expect((await remove(token, id)).status).toBe(404);
    expect(await eventsOf("gd_unenroll")).toBe(1);
    await expect.poll(mails).toBe(before + 1);
    jsonBody(await service.password(undefined, { audience, scope: allScopes }), 200);
  });

  test("keeps the last authenticator while the tenant requires one", async () => {
    const { secret } = await addApp(await manage());
    await setPolicies(service, ["all-applications"]);
    const token = await manage(secret);
    const factors = await listed(token);
    const idOf = (name: string): string => factors.find(({ type }) => type === name)?.id ?? "";
    const refused = await remove(token, idOf("otp"));
    expect([refused.status, refused.body]).toMatchObject([409, { error: "conflict" }]);
    expect(await listed(token)).toEqual(factors);
    expect((await remove(token, idOf("recovery-code"))).status).toBe(204);
    await setPolicies(service, []);
    expect((await remove(token, idOf("otp"))).status).toBe(204);
  });

  test("removes an app after another one was added, also if the tenant requires a factor and enables only apps", async () => {
    const { secret } = await addApp(await manage());
    for (const factor of ["sms", "email", "recovery-code"])
      jsonBody(await service.manage("PUT", `/api/v2/guardian/factors/${factor}`, { enabled: false }), 200);
    await setPolicies(service, ["all-applications"]);
    service.clock.advance("10s");
    const second = await addApp(await manage(secret));
    const token = stringMember(second.granted, "access_token");
    const apps = (await listed(token)).filter(({ type }) => type === "otp");
    expect(apps).toHaveLength(2);
    expect((await remove(token, apps[0]?.id ?? "")).status).toBe(204);
    expect((await remove(token, apps[1]?.id ?? "")).status).toBe(409);
    await manage(second.secret);
  });

  test("rejects an mfa_token, a token from before the factor, and the ids of other users", async () => {
    const weak = await manage();
    const { secret } = await addApp(await manage());
    const token = await manage(secret);
    const [{ id } = { id: "" }] = (await listed(token)).filter(({ type }) => type === "otp");
    const mfaToken = stringMember(jsonBody(await service.password(undefined, { audience, scope: allScopes }), 403), "mfa_token");
    expect((await remove(mfaToken, id)).status).toBe(401);
    const early = await service.call("DELETE", `/mfa/authenticators/${encodeURIComponent(id)}`, { token: weak });
    expect(early.status).toBe(401);
    expect(early.headers.get("www-authenticate")).toContain(`error="insufficient_user_authentication"`);
    const bobs = tokens(await service.password(service.bob, { audience, scope: allScopes })).access;
    expect((await remove(bobs, id)).status).toBe(404);
    expect((await listed(token)).map((one) => one.id)).toContain(id);
    // The account's own email address is a factor without enrollment.
    const [email] = (await listed(token)).filter(({ type }) => type === "email");
    expect((await remove(token, email?.id ?? "")).status).toBe(404);
  });

  test("of two parallel removals of the last two authenticators, one authenticator stays", async () => {
    const { secret } = await addApp(await manage());
    const token = await manage(secret);
    const phone = jsonBody(
      await service.associate(token, { authenticator_types: ["oob"], oob_channels: ["sms"], phone_number: "+491701234567" }),
      200,
    );
    const binding_code = codeOf(service.outbox.take("+491701234567"));
    jsonBody(await service.grant(oobGrant, { mfa_token: token, oob_code: stringMember(phone, "oob_code"), binding_code }), 200);
    await setPolicies(service, ["all-applications"]);
    const fresh = await manage(secret);
    const ids = (await listed(fresh)).filter(({ type }) => type === "otp" || type === "phone").map(({ id }) => id);
    expect(ids).toHaveLength(2);
    await Promise.all(ids.map((id) => remove(fresh, id)));
    expect((await listed(fresh)).filter(({ type }) => type === "otp" || type === "phone").length).toBeGreaterThan(0);
  });
});
