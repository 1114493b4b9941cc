import { createTokenCheck, TokenError } from "@postern/app";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { codeGrant, login, openService, type LoginService } from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";

const orders = "https://orders.example.test";
let service: LoginService;
let token: string;

const requestToken = async (audience: string, clientId = "main-worker"): Promise<string> => {
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, audience };
  const { body } = await service.exchange(form);
  return (body as { access_token: string }).access_token;
};

beforeAll(async () => {
  service = await openService();
  for (const tenantId of ["main", "other"]) {
    await service.postern.seed({
      tenantId,
      apis: [orders, "https://bills.example.test"].map((identifier) => ({ identifier, scopes: [{ value: "read" }, { value: "write" }] })),
      clients: [
        {
          clientId: `${tenantId}-worker`,
          secret: clientSecret,
          settings: { name: "Worker", app_type: "non_interactive" },
          grants: { [orders]: ["read"], "https://bills.example.test": ["read"] },
        },
      ],
    });
  }
  token = await requestToken(orders);
});

const check = (more: Partial<Parameters<typeof createTokenCheck>[0]> = {}) =>
  createTokenCheck({ postern: service.postern, tenantId: "main", audience: orders, now: () => service.clock.now(), ...more });

const rejectionOf = async (verified: Promise<unknown>): Promise<readonly [status: number, challenge: string]> => {
  const error: unknown = await verified.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TokenError)) throw new Error(`not rejected: ${String(error)}`);
  return [error.status, error.challenge];
};

test("accepts a token for the API and returns its claims", async () => {
  expect(await check().verify(`Bearer ${token}`, ["read"])).toMatchObject({ sub: "main-worker@clients", tenant_id: "main", scope: "read" });
  expect(await check({ tenantId: ["other", "main"] }).verify(`bearer ${token}`)).toMatchObject({ tenant_id: "main" });
});

test("returns a challenge without an error code if the token is missing, and with one if the header is malformed (RFC 6750 section 3.1)", async () => {
  for (const header of [null, undefined, "", "Basic YTpi"]) expect(await rejectionOf(check().verify(header))).toEqual([401, "Bearer"]);
  for (const header of ["Bearer", "Bearer ", "Bearer a b", "Bearer ä"]) {
    expect(await rejectionOf(check().verify(header)), header).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  }
});

test("names the missing scope in the challenge and in the error message", async () => {
  expect(await rejectionOf(check().verify(`Bearer ${token}`, ["read", "write"]))).toEqual([
    403,
    'Bearer error="insufficient_scope", scope="read write"',
  ]);
  const response = await check().requireToken({ headers: new Headers({ authorization: `Bearer ${token}` }) }, ["write"]);
  if (!(response instanceof Response)) throw new Error("the token was accepted");
  expect([response.status, await response.json()]).toEqual([
    403,
    { error: "insufficient_scope", error_description: "the access token lacks the scope write" },
  ]);
});

test("rejects a token of another tenant, API or issuer, and a changed, unsigned or expired token", async () => {
  const [head = "", payload = "", signature = ""] = token.split(".");
  const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
  const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), scope: "write" };
  const changed = `${head}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.${signature}`;
  const invalidTokens = [
    await requestToken(orders, "other-worker"),
    await requestToken("https://bills.example.test"),
    changed,
    none,
    "rubbish",
  ];
  for (const other of invalidTokens) {
    expect(await rejectionOf(check().verify(`Bearer ${other}`))).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  }
  const elsewhere = check({ issuer: "https://id.example.test/elsewhere/" });
  await expect(elsewhere.verify(`Bearer ${token}`)).rejects.toThrow();
  const afterExpiry = check({ now: () => service.clock.now() + 86_406_000 });
  expect(await rejectionOf(afterExpiry.verify(`Bearer ${token}`))).toEqual([401, expect.stringContaining("expired")]);
});

test("names the claim, its value and the expected value if the issuer, the audience or the tenant is another one", async () => {
  const messageOf = async (checked: ReturnType<typeof check>, jwt: string): Promise<string> =>
    checked.verify(`Bearer ${jwt}`).then(() => "accepted", String);
  const bills = "https://bills.example.test";
  expect(await messageOf(check(), await requestToken(bills))).toContain(`its claim 'aud' is ${bills}, and the API expects ${orders}`);
  expect(await messageOf(check({ tenantId: ["a", "b"] }), token)).toContain("its claim 'tenant_id' is main, and the API expects a or b");
  // Another spelling of the issuer, with the same keys.
  const jwks = await service.call("GET", "/.well-known/jwks.json");
  const elsewhere = { ...service.postern, issuer: "https://login.example.test/", fetch: async () => Response.json(jwks.body) };
  const [, challenge] = await rejectionOf(check({ postern: elsewhere }).verify(`Bearer ${token}`));
  expect(challenge).toBe(
    `Bearer error="invalid_token", error_description="the access token is not valid for this API: its claim 'iss' is https://id.example.test/, and the API expects https://login.example.test/"`,
  );
});

test("names the URL of the keys if the issuer has none there", async () => {
  const missing = check({ issuer: "https://id.example.test/elsewhere/" });
  await expect(missing.verify(`Bearer ${token}`)).rejects.toThrow(
    "no keys at https://id.example.test/elsewhere/.well-known/jwks.json: compare 'issuer' (https://id.example.test/elsewhere/) with the claim 'iss'",
  );
});

test("rejects an ID token, even if the API's identifier is the client's id", async () => {
  for (const audience of [orders, service.web.clientId]) {
    const nonce = await login(service.browser(), service.web, service.ada, { nonce: "n-1", scope: "openid" });
    const response = await service.exchange(codeGrant(service.web, nonce["code"] ?? ""));
    const { id_token: withNonce } = response.body as { id_token: string };
    expect((await rejectionOf(check({ audience }).verify(`Bearer ${withNonce}`)))[0]).toBe(401);
  }
});

test("rejects an ID token without a nonce, for APIs with either token dialect", async () => {
  for (const dialect of ["access_token", "rfc9068_profile"]) {
    const identifier = `https://${dialect.replaceAll("_", "-")}.example.test`;
    await service.manage.create("/api/v2/resource-servers", { name: dialect, identifier, token_dialect: dialect });
    const given = await login(service.browser(), service.web, service.ada, { scope: "openid profile", audience: identifier });
    const { body } = await service.exchange(codeGrant(service.web, given["code"] ?? ""));
    const { id_token: idToken, access_token: accessToken } = body as { id_token: string; access_token: string };
    expect(await check({ audience: identifier }).verify(`Bearer ${accessToken}`)).toMatchObject({ sub: service.ada.userId });
    expect(await rejectionOf(check({ audience: service.web.clientId }).verify(`Bearer ${idToken}`))).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
  }
});

describe("a validly signed token of the issuer", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "k", alg: "ES256", use: "sig" }] };
  const issuer = "https://id.example.test/";
  const now = 1_700_000_000;
  const signed = createTokenCheck({
    postern: {
      issuer,
      fetch: async () => Response.json(jwks),
      tenant: () => {
        throw new Error("a token check needs no tenant");
      },
    },
    tenantId: "main",
    audience: orders,
    now: () => now * 1000,
  });
  const claims = { iss: issuer, aud: orders, sub: "auth0|1", tenant_id: "main", iat: now, exp: now + 60 };
  const sign = (more: object, typ?: string): Promise<string> =>
    new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: "ES256", kid: "k", ...(typ !== undefined && { typ }) }).sign(privateKey);

  test.each<[what: string, claims: object, typ?: string]>([
    ["an ID token without azp", { sid: "s" }, "JWT"],
    ["an ID token with azp", { azp: "web", auth_time: now }, "JWT"],
    ["an ID token with a code hash", { azp: "web", c_hash: "x" }, "JWT"],
    ["a logout token", { azp: "web", events: {} }, "logout+jwt"],
    ["a logout token without its type", { azp: "web", events: {} }, "JWT"],
    ["a token with another type", { azp: "web", client_id: "web", jti: "1" }, "secevent+jwt"],
    ["at+jwt without client_id", { azp: "web", jti: "1" }, "at+jwt"],
    ["at+jwt with a nonce", { client_id: "web", jti: "1", nonce: "n" }, "at+jwt"],
    ["at+jwt with an actor without a name", { client_id: "web", jti: "1", act: { client_id: "agent" } }, "at+jwt"],
    ["at+jwt with a former actor that is text", { client_id: "web", jti: "1", act: { sub: "agent", act: "web" } }, "at+jwt"],
  ])("is rejected if it is %s", async (_, more, typ) => {
    expect((await rejectionOf(signed.verify(`Bearer ${await sign(more, typ)}`)))[0]).toBe(401);
  });

  test.each<[what: string, claims: object, typ?: string]>([
    ["at+jwt", { client_id: "web", jti: "1" }, "at+jwt"],
    ["application/at+jwt", { client_id: "web", jti: "1" }, "application/AT+JWT"],
    ["JWT with azp", { azp: "web" }, "JWT"],
  ])("is accepted if it is %s", async (_, more, typ) => {
    expect(await signed.verify(`Bearer ${await sign(more, typ)}`)).toMatchObject({ sub: "auth0|1" });
  });
});

test("throws an error that is not a TokenError if the keys cannot be fetched", async () => {
  const unavailable = { ...service.postern, fetch: async () => new Response("away", { status: 503 }) };
  const error: unknown = await check({ postern: unavailable })
    .verify(`Bearer ${token}`)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(TokenError);
});

test("rejects invalid options", () => {
  expect(() => createTokenCheck({ tenantId: "main", audience: orders })).toThrow("pass 'postern', or the 'issuer'");
  expect(() => check({ audience: "" })).toThrow("'audience' is empty");
});
