import { createHash } from "node:crypto";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { codeGrant, login, obtainTokens, openService, tokens, type App, type LoginService, type ObtainedTokens } from "../support/flow.ts";

const algorithmOf = (token: string): unknown => decodeProtectedHeader(token).alg;
const keySet = async (service: LoginService): Promise<JSONWebKeySet> =>
  jsonBody(await service.call("GET", "/.well-known/jwks.json")) as unknown as JSONWebKeySet;
const verifyIdToken = async (service: LoginService, { id }: ObtainedTokens): Promise<unknown> => {
  const options = { issuer: service.postern.issuer, currentDate: new Date(service.clock.now()) };
  return (await jwtVerify(id, createLocalJWKSet(await keySet(service)), options)).protectedHeader.alg;
};
const algorithms = async (service: LoginService): Promise<unknown> =>
  jsonBody(await service.call("GET", "/.well-known/openid-configuration"))["id_token_signing_alg_values_supported"];

describe.each([
  ["ES256", "RS256"],
  ["RS256", "ES256"],
] as const)("a service that signs with %s", (defaults, other) => {
  let service: LoginService;
  let app: App;
  beforeAll(async () => {
    service = await openService({ crypto: { signingAlgorithm: defaults } });
    app = await service.register({ secret: true, jwt_configuration: { alg: other } });
  });

  test("uses the default algorithm for clients and APIs that set none, and returns it in their settings", async () => {
    const api = { name: "Shop", identifier: "https://shop.example.test/" };
    expect(await service.manage.create("/api/v2/resource-servers", api)).toMatchObject({ signing_alg: defaults });
    const client = jsonBody(await service.manage("GET", `/api/v2/clients/${service.web.clientId}`));
    expect(client).toMatchObject({ jwt_configuration: { alg: defaults } });
    const result = await obtainTokens(service, service.web, service.ada, { audience: api.identifier });
    expect([algorithmOf(result.id), algorithmOf(result.access)]).toEqual([defaults, defaults]);
    expect(algorithmOf((await obtainTokens(service, service.web, service.ada)).access)).toBe(defaults);
    expect(algorithmOf(await service.token())).toBe(defaults);
  });

  test(`signs with ${other} for a client and an API that select it, with a published key`, async () => {
    const { jwt_configuration: shown } = jsonBody(await service.manage("GET", `/api/v2/clients/${app.clientId}`));
    expect(shown).toMatchObject({ alg: other });
    const api = { name: "Stock", identifier: "https://stock.example.test/", signing_alg: other };
    await service.manage.create("/api/v2/resource-servers", api);
    const result = await obtainTokens(service, app, service.ada, { audience: api.identifier });
    expect([await verifyIdToken(service, result), algorithmOf(result.access)]).toEqual([other, other]);
    expect(jsonBody(await service.userinfo(result.access))["sub"]).toBe(service.ada.userId);
  });

  test("advertises its algorithms, always including RS256 (OpenID Connect Core section 15.1)", async () => {
    expect(await algorithms(service)).toEqual(["RS256", "ES256"]);
    expect(await algorithms(await openService({ crypto: { signingAlgorithm: defaults } }))).toEqual(
      defaults === "RS256" ? ["RS256"] : ["RS256", "ES256"],
    );
  });

  test("keeps the algorithms through key rotations, and never signs with a key that is being retired", async () => {
    for (let i = 0; i < 2; i++) {
      await service.manage("POST", "/api/v2/keys/signing/rotate");
      service.clock.advance("6s");
      for (const [client, alg] of [
        [app, other],
        [service.web, defaults],
      ] as const) {
        const result = await obtainTokens(service, client, service.ada);
        expect(algorithmOf(result.id)).toBe(alg);
        service.clock.advance("25h");
        expect(algorithmOf((await obtainTokens(service, client, service.ada)).id)).toBe(alg);
      }
    }
  });
});

test.each(["PS256", "EdDSA", "Ed25519"] as const)("signs ID tokens, access tokens and their hashes with %s", async (alg) => {
  const service = await openService();
  const app = await service.register({ secret: true, jwt_configuration: { alg }, grant_types: ["authorization_code", "implicit"] });
  const api = { name: "Shop", identifier: "https://shop.example.test/", signing_alg: alg };
  await service.manage.create("/api/v2/resource-servers", api);
  const result = await obtainTokens(service, app, service.ada, { audience: api.identifier });
  expect([await verifyIdToken(service, result), algorithmOf(result.access)]).toEqual([alg, alg]);
  expect(jsonBody(await service.userinfo(result.access))["sub"]).toBe(service.ada.userId);
  expect(await algorithms(service)).toContain(alg);

  // The hash of an access token is that of the signature: SHA-512 for Ed25519.
  const sent = { response_type: "id_token token", scope: "openid", response_mode: "fragment" };
  const { id_token = "", access_token = "" } = await login(service.browser(), app, service.ada, sent);
  const hashed = createHash(alg === "PS256" ? "sha256" : "sha512")
    .update(access_token)
    .digest();
  expect(decodeJwt(id_token)["at_hash"]).toBe(hashed.subarray(0, hashed.length / 2).toString("base64url"));

  // An ID token of each algorithm is an accepted hint.
  const hinted = await login(service.browser(), app, service.ada, { id_token_hint: result.id });
  expect(hinted).toHaveProperty("code");
});

test("creates the first key of an algorithm once for parallel requests", async () => {
  const service = await openService();
  const app = await service.register({ secret: true, jwt_configuration: { alg: "RS256" } });
  const codes = await Promise.all(Array.from({ length: 8 }, async () => (await login(service.browser(), app, service.ada))["code"] ?? ""));
  const all = await Promise.all(codes.map(async (code) => tokens(await service.exchange(codeGrant(app, code)))));
  expect(all.map(({ id }) => algorithmOf(id))).toEqual(Array.from({ length: 8 }, () => "RS256"));
  const { keys } = await keySet(service);
  expect(keys).toHaveLength(2);
  expect(new Set(keys.map(({ alg }) => alg))).toEqual(new Set(["ES256", "RS256"]));
});
