import { createHash } from "node:crypto";
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet, type JWTPayload } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  tokens,
  type App,
  type AuthorizationParameters,
  type LoginService,
} from "../support/flow.ts";

const bare = { code_challenge: undefined, code_challenge_method: undefined };
const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

let service: LoginService;
let app: App;
let keys: ReturnType<typeof createLocalJWKSet>;
beforeAll(async () => {
  service = await openService({ crypto: { signingAlgorithm: "RS256" } });
  app = await service.register({
    secret: true,
    grant_types: ["authorization_code", "refresh_token", "implicit", "password", exchangeGrant],
  });
  const { body } = await service.call("GET", "/.well-known/jwks.json");
  keys = createLocalJWKSet(body as JSONWebKeySet);
});

const seconds = (): number => Math.floor(service.clock.now() / 1000);
const grant = (grant_type: string, more: { readonly [name: string]: string }): { readonly [name: string]: string } => ({
  grant_type,
  client_id: app.clientId,
  client_secret: app.secret ?? "",
  ...more,
});

/** Checks that certification runs on every ID token (OpenID Connect Core sections 2 and 3.1.3.7). */
async function expectSound(token: string): Promise<JWTPayload> {
  const { alg, kid, typ } = decodeProtectedHeader(token);
  expect({ alg, kid, typ }).toEqual({ alg: "RS256", kid: expect.any(String), typ: "JWT" });
  const { payload } = await jwtVerify(token, keys, { currentDate: new Date(service.clock.now()) });
  expect(payload).toMatchObject({
    iss: service.postern.issuer,
    aud: app.clientId,
    sub: service.ada.userId,
    sid: expect.stringMatching(/^sess_/),
    iat: seconds(),
    exp: expect.any(Number),
    auth_time: expect.any(Number),
  });
  expect(payload.exp).toBe(seconds() + 36_000);
  expect(Number(payload["auth_time"])).toBeLessThanOrEqual(seconds());
  expect(payload.sub).toMatch(/^[\x21-\x7e]{1,255}$/);
  for (const claim of ["acr", "azp", "scope", "gty", "permissions"]) expect(payload).not.toHaveProperty(claim);
  return payload;
}

/** Left half of a SHA-256 hash, base64url-encoded (section 3.3.2.11). */
const leftHalf = (text: string): string => createHash("sha256").update(text).digest().subarray(0, 16).toString("base64url");

const front = async (parameters: AuthorizationParameters): Promise<{ readonly [name: string]: string }> => {
  const browser = service.browser();
  await login(browser, app, service.ada);
  return successParameters(await sendAuthorization(browser, app, { ...bare, ...parameters }));
};

describe("an ID token", () => {
  test("from the token endpoint is valid, with a nonce in the request and without one", async () => {
    expect((await expectSound((await obtainTokens(service, app, service.ada)).id))["nonce"]).toBe("n-1");
    expect(await expectSound((await obtainTokens(service, app, service.ada, { nonce: undefined })).id)).not.toHaveProperty("nonce");
  });

  test.each(["id_token", "id_token token", "code id_token", "code id_token token"])(
    "from the authorization endpoint is valid for %j, and is bound to the code and the access token in the same response",
    async (response_type) => {
      const { id_token: id = "", access_token: access, code } = await front({ response_type });
      const claims = await expectSound(id);
      expect(claims["nonce"]).toBe("n-1");
      expect(claims["at_hash"]).toBe(access === undefined ? undefined : leftHalf(access));
      expect(claims["c_hash"]).toBe(code === undefined ? undefined : leftHalf(code));
      expect([access !== undefined, code !== undefined]).toEqual([response_type.includes(" token"), response_type.includes("code")]);
      if (code === undefined) return;
      const second = await expectSound(tokens(await service.exchange(codeGrant(app, code, { code_verifier: undefined }))).id);
      for (const name of ["iss", "sub", "aud", "sid", "auth_time", "nonce"]) expect([name, second[name]]).toEqual([name, claims[name]]);
    },
  );

  test("from a refresh is valid, with the same user, client and auth_time, and a later iat", async () => {
    const first = await obtainTokens(service, app, service.ada, offline);
    const before = claimsOf(first.id);
    service.clock.advance("2m");
    const after = await expectSound(tokens(await service.exchange(refreshGrant(app, first.refresh))).id);
    for (const name of ["iss", "sub", "aud", "azp", "sid", "auth_time"]) expect([name, after[name]]).toEqual([name, before[name]]);
    expect(Number(after.iat)).toBe(Number(before.iat) + 120);
  });

  test("from a token exchange or from the password grant is valid", async () => {
    const { access } = await obtainTokens(service, app, service.ada);
    const subject = { subject_token: access, subject_token_type: "urn:ietf:params:oauth:token-type:access_token" };
    await expectSound(tokens(await service.exchange(grant(exchangeGrant, subject))).id);
    const user = { username: service.ada.email, password: service.ada.password };
    await expectSound(tokens(await service.exchange(grant("password", user))).id);
  });
});

test("has claims of the types in OpenID Connect Core section 5.1", async () => {
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  await service.manage("PATCH", path, { given_name: "Ada", family_name: "Lovelace", picture: "https://cdn.example.test/a.png" });
  const { id } = await obtainTokens(service, app, service.ada, { scope: "openid profile email phone address" });
  const claims = claimsOf(id);
  for (const name of ["name", "given_name", "family_name", "nickname", "picture", "email"])
    expect([name, typeof claims[name]]).toEqual([name, "string"]);
  expect(typeof claims["email_verified"]).toBe("boolean");
  const updated = Number(claims["updated_at"]);
  expect([Number.isInteger(updated), updated > 1_500_000_000, updated <= seconds()]).toEqual([true, true, true]);
});

test("expires after the lifetime that its client sets", async () => {
  const brief = await service.register({ secret: true, jwt_configuration: { lifetime_in_seconds: 60 } });
  const { iat = 0, exp = 0 } = claimsOf((await obtainTokens(service, brief, service.ada)).id);
  expect(exp - iat).toBe(60);
});

test("access tokens and codes hold more than 128 bits and are unique", async () => {
  const result = [];
  for (let i = 0; i < 5; i++) result.push(await front({ response_type: "code token", ...offline }));
  const codes = result.map(({ code = "" }) => code);
  const access = result.map(({ access_token: token = "" }) => token);
  for (const secret of codes) expect(secret).toMatch(/^[\x20-\x7e]{22,}$/);
  for (const token of access) expect(token).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86,}$/);
  expect(new Set(codes).size).toBe(5);
});
