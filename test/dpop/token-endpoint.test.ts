import { exportJWK, generateKeyPair } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { auditEvents, expectError, jsonBody, stringMember } from "../support/api.ts";
import { claimsOf, codeGrant, login, offline, refreshGrant, tokens, type App, type LoginService } from "../support/flow.ts";
import { openPushed, openPushingService, push } from "../par/pushing.ts";
import { successParameters } from "../support/flow.ts";
import { managementAudience } from "../support/postern.ts";
import { callWithProof, createProver, exchangeWithProof, type Prover } from "./prover.ts";

const audience = "https://api.example.test/";
let service: LoginService;
let prover: Prover;
let other: Prover;
beforeAll(async () => {
  service = await openPushingService();
  [prover, other] = await Promise.all([createProver(service), createProver(service)]);
  await service.manage.create("/api/v2/resource-servers", {
    identifier: audience,
    allow_offline_access: true,
    proof_of_possession: { mechanism: "dpop", required: false },
  });
});

const codeFor = async (app: App, parameters: { readonly [name: string]: string } = {}): Promise<string> =>
  (await login(service.browser(), app, service.ada, { audience, ...offline, ...parameters }))["code"] ?? "";

test("binds tokens to the key of the proof: token_type, cnf in the token and in introspection", async () => {
  const response = await exchangeWithProof(service, prover, codeGrant(service.web, await codeFor(service.web)));
  const { access, id } = tokens(response);
  expect(response.body).toMatchObject({ token_type: "DPoP" });
  expect(claimsOf(access)).toMatchObject({ cnf: { jkt: prover.jkt } });
  expect(claimsOf(id)).not.toHaveProperty("cnf");
  const introspection = await service.call("POST", "/oauth/introspect", {
    body: { token: access, client_id: service.web.clientId, client_secret: service.web.secret },
  });
  expect(introspection.body).toMatchObject({ active: true, token_type: "DPoP", cnf: { jkt: prover.jkt } });
});

test("without a proof, and for an API that does not accept bound tokens, tokens are bearer tokens", async () => {
  const plain = await service.exchange(codeGrant(service.web, await codeFor(service.web)));
  expect(plain.body).toMatchObject({ token_type: "Bearer" });
  await service.manage.create("/api/v2/resource-servers", { identifier: "https://plain.example.test/" });
  const code = await codeFor(service.web, { audience: "https://plain.example.test/" });
  const ignored = await exchangeWithProof(service, prover, codeGrant(service.web, code));
  expect(ignored.body).toMatchObject({ token_type: "Bearer" });
  expect(claimsOf(tokens(ignored).access)).not.toHaveProperty("cnf");
});

describe("a proof", () => {
  const send = async (claims: object, header: object = {}, sent: (proof: string) => string = (proof) => proof) => {
    const proof = await prover.prove("POST", "/oauth/token", { ...claims }, { ...header });
    const body = { grant_type: "client_credentials", client_id: "main-manager", client_secret: String(service.web.secret) };
    return service.exchange({ ...body, audience: managementAudience }, { dpop: sent(proof) });
  };
  const now = () => Math.floor(service.clock.now() / 1000);

  test.each([
    ["with a query and a fragment in htu", () => ({ htu: `${service.postern.issuer}oauth/token?a=b#c` })],
    ["with an upper-case scheme and host and the default port", () => ({ htu: "HTTPS://ID.EXAMPLE.TEST:443/oauth/token" })],
    ["that is four minutes old", () => ({ iat: now() - 290 })],
    ["of a clock that is four minutes ahead", () => ({ iat: now() + 290 })],
    ["with exp and nbf, which have no meaning", () => ({ exp: now() - 60, nbf: now() + 60 })],
    ["with unknown members", () => ({ extra: { a: 1 } })],
  ])("%s is accepted", async (_, claims) => {
    expect(await send(claims())).toMatchObject({ status: 200, body: { token_type: "DPoP" } });
  });

  test.each([
    ["for another method", () => ({ htm: "GET" })],
    ["without htm", () => ({ htm: undefined })],
    ["for another path", () => ({ htu: `${service.postern.issuer}oauth/par` })],
    ["for another host", () => ({ htu: "https://evil.example.test/oauth/token" })],
    ["over http", () => ({ htu: "http://id.example.test/oauth/token" })],
    ["with a htu that is no URL", () => ({ htu: "/oauth/token" })],
    ["without iat", () => ({ iat: undefined })],
    ["that is six minutes old", () => ({ iat: now() - 360 })],
    ["of a clock that is an hour ahead", () => ({ iat: now() + 3600 })],
    ["without jti", () => ({ jti: undefined })],
    ["with a long jti", () => ({ jti: "x".repeat(257) })],
  ])("%s is rejected", async (_, claims) => {
    expectError(await send(claims()), 400, "invalid_dpop_proof");
  });

  test("with a nonce that is too old or invented is rejected with the current one, also for a client that needs none", async () => {
    const first = await send({ nonce: "invented" });
    expectError(first, 400, "use_dpop_nonce");
    const nonce = String(first.headers.get("dpop-nonce"));
    expect((await send({ nonce })).headers.get("dpop-nonce")).toBeNull();
    service.clock.advance("90s");
    const late = await send({ nonce });
    expect(late.status).toBe(200);
    expect(late.headers.get("dpop-nonce")).not.toBe(nonce);
    service.clock.advance("3m");
    expectError(await send({ nonce }), 400, "use_dpop_nonce");
  });

  test("with another type, a private or symmetric key, or an algorithm that is not listed is rejected", async () => {
    const secret = await exportJWK(prover.key);
    const { publicKey: foreign } = await generateKeyPair("ES256", { extractable: true });
    for (const header of [
      { typ: "JWT" },
      { typ: "at+jwt" },
      { typ: undefined },
      { jwk: secret },
      { jwk: { ...prover.jwk, k: "c2VjcmV0" } },
      { jwk: { kty: "oct", k: "c2VjcmV0" } },
      { jwk: undefined },
      { jwk: await exportJWK(foreign) },
      { jwk: { kty: "EC" } },
    ]) {
      expectError(await send({}, header), 400, "invalid_dpop_proof");
    }
    for (const change of [
      (proof: string) => `${proof}, ${proof}`,
      (proof: string) => proof.slice(0, -4),
      (proof: string) => `${proof.split(".").slice(0, 2).join(".")}.`,
      () => "",
      () => "x",
      () => `${Buffer.from('{"alg":"none","typ":"dpop+jwt","jwk":{"kty":"EC"}}').toString("base64url")}.e30.`,
      (proof: string) => proof + "x".repeat(5000),
    ]) {
      const response = await send({}, {}, change);
      expect([response.status, (response.body as { error?: string }).error]).toEqual([400, "invalid_dpop_proof"]);
    }
  });

  test("is used once, also for another request", async () => {
    const claims = { jti: "once" };
    expect((await send(claims)).status).toBe(200);
    expectError(await send(claims), 400, "invalid_dpop_proof", "used before");
    // Another key may have the same id.
    const proof = await other.prove("POST", "/oauth/token", claims);
    const body = { grant_type: "client_credentials", client_id: "main-manager", client_secret: String(service.web.secret) };
    expect((await service.exchange({ ...body, audience: managementAudience }, { dpop: proof })).status).toBe(200);
  });

  test.each(["ES384", "PS256", "RS256", "EdDSA", "Ed25519"])("can be signed with %s", async (alg) => {
    const signer = await createProver(service, alg);
    const code = await codeFor(service.web);
    expect(tokens(await exchangeWithProof(service, signer, codeGrant(service.web, code))).access).not.toBe("");
  });
});

test("a public client needs a nonce, and a rejected proof does not use up the code", async () => {
  const code = await codeFor(service.spa);
  const body = codeGrant(service.spa, code);
  const first = await service.exchange(body, { dpop: await prover.prove("POST", "/oauth/token") });
  expectError(first, 400, "use_dpop_nonce");
  expectError(await service.exchange(body, { dpop: "x" }), 400, "invalid_dpop_proof");
  expect(tokens(await exchangeWithProof(service, prover, body)).access).not.toBe("");
});

describe("the code is bound to the key", () => {
  test("of dpop_jkt: another key and no key are rejected, and use up the code", async () => {
    const right = codeGrant(service.web, await codeFor(service.web, { dpop_jkt: prover.jkt }));
    expect((await exchangeWithProof(service, prover, right)).status).toBe(200);
    for (const send of [(body: { readonly [name: string]: string }) => exchangeWithProof(service, other, body), service.exchange]) {
      const body = codeGrant(service.web, await codeFor(service.web, { dpop_jkt: prover.jkt }));
      expectError(await send(body), 400, "invalid_grant");
      expectError(await exchangeWithProof(service, prover, body), 400, "invalid_grant");
    }
  });

  test("of the proof of a pushed request, which must not name another key in dpop_jkt", async () => {
    const proofOf = async (one: Prover) => ({ dpop: await one.prove("POST", "/oauth/par") });
    expectError(await push(service, service.web, { dpop_jkt: other.jkt }, await proofOf(prover)), 400, "invalid_dpop_proof");
    expectError(await push(service, service.web, { dpop_jkt: "x" }), 400, "invalid_request", "dpop_jkt");
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const pushed = async () => {
      const uri = stringMember(jsonBody(await push(service, service.web, {}, await proofOf(prover)), 201), "request_uri");
      return codeGrant(service.web, successParameters(await openPushed(browser, service.web, uri))["code"] ?? "");
    };
    expectError(await exchangeWithProof(service, other, await pushed()), 400, "invalid_grant");
    expect((await exchangeWithProof(service, prover, await pushed())).body).toMatchObject({ token_type: "DPoP" });
  });
});

describe("a refresh token", () => {
  const obtain = async (app: App) => tokens(await exchangeWithProof(service, prover, codeGrant(app, await codeFor(app)))).refresh;

  test("of a public client is bound to the key: another key gets nothing and revokes nothing", async () => {
    const refresh = await obtain(service.spa);
    const body = refreshGrant(service.spa, refresh);
    expectError(await exchangeWithProof(service, other, body), 400, "invalid_grant");
    expectError(await service.exchange(body), 400, "invalid_grant");
    const renewed = await exchangeWithProof(service, prover, body);
    expect(renewed.body).toMatchObject({ token_type: "DPoP" });
    // A thief with the rotated token cannot end the family, either.
    service.clock.advance("2m");
    expectError(await exchangeWithProof(service, other, body), 400, "invalid_grant");
    const next = await exchangeWithProof(service, prover, refreshGrant(service.spa, tokens(renewed).refresh));
    expect(claimsOf(tokens(next).access)).toMatchObject({ cnf: { jkt: prover.jkt } });
  });

  test("of a confidential client is bound by its authentication, and each access token by its proof", async () => {
    const refresh = await obtain(service.web);
    const renewed = await exchangeWithProof(service, other, refreshGrant(service.web, refresh));
    expect(claimsOf(tokens(renewed).access)).toMatchObject({ cnf: { jkt: other.jkt } });
  });

  test("is revoked and its session is logged out without a proof", async () => {
    const refresh = await obtain(service.spa);
    expect((await service.call("POST", "/oauth/revoke", { body: { token: refresh, client_id: service.spa.clientId } })).status).toBe(200);
    expectError(await exchangeWithProof(service, prover, refreshGrant(service.spa, refresh)), 400, "invalid_grant");
  });
});

describe("who requires bound tokens", () => {
  test("a client: a request without a proof is rejected, and leaves the code valid", async () => {
    const app = await service.register({ secret: true, require_proof_of_possession: true });
    const body = codeGrant(app, await codeFor(app));
    expectError(await service.exchange(body), 400, "invalid_request", "proof is required");
    expect((await exchangeWithProof(service, prover, body)).body).toMatchObject({ token_type: "DPoP" });
    await service.manage.create("/api/v2/resource-servers", { identifier: "https://never.example.test/" });
    const code = await codeFor(app, { audience: "https://never.example.test/" });
    expectError(await exchangeWithProof(service, prover, codeGrant(app, code)), 400, "invalid_request", "accepts none");
  });

  test("an API, for all clients or for public clients, also at the authorization endpoint", async () => {
    for (const [required_for, apps] of [
      ["all_clients", [service.spa, service.web]],
      ["public_clients", [service.spa]],
    ] as const) {
      const identifier = `https://${required_for.replace("_", "-")}.example.test/`;
      await service.manage.create("/api/v2/resource-servers", {
        identifier,
        proof_of_possession: { mechanism: "dpop", required: true, required_for },
      });
      for (const app of [service.spa, service.web]) {
        const body = codeGrant(app, await codeFor(app, { audience: identifier, scope: "openid" }));
        const isRequired = (apps as readonly App[]).includes(app);
        const response = await service.exchange(body);
        expect([response.status, (response.body as { error?: string }).error]).toEqual(
          isRequired ? [400, "invalid_request"] : [200, undefined],
        );
      }
    }
  });

  test("a password grant without the required proof leaves no session", async () => {
    const app = await service.register({ secret: true, grant_types: ["password"], require_proof_of_possession: true });
    const body = { grant_type: "password", client_id: app.clientId, client_secret: String(app.secret) };
    const user = { username: service.bob.email, password: service.bob.password };
    const sessions = () => service.data.collections.sessions.count({ tenant_id: "main", user_id: service.bob.userId });
    const before = await sessions();
    expectError(await service.exchange({ ...body, ...user }), 400, "invalid_request");
    expect(await sessions()).toBe(before);
    expect((await exchangeWithProof(service, prover, { ...body, ...user })).body).toMatchObject({ token_type: "DPoP" });
  });
});

test("an exchanged token stays bound: another key of the client launders nothing", async () => {
  const app = await service.register({
    secret: true,
    grant_types: ["authorization_code", "urn:ietf:params:oauth:grant-type:token-exchange"],
  });
  const { access } = tokens(await exchangeWithProof(service, prover, codeGrant(app, await codeFor(app, { scope: "openid" }))));
  const type = "urn:ietf:params:oauth:token-type:access_token";
  const body = {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    client_id: app.clientId,
    client_secret: String(app.secret),
    subject_token: access,
    subject_token_type: type,
  };
  expectError(await service.exchange(body), 400, "invalid_grant");
  expectError(await exchangeWithProof(service, other, body), 400, "invalid_grant");
  const exchanged = tokens(await exchangeWithProof(service, prover, body));
  expect(claimsOf(exchanged.access)).toMatchObject({ cnf: { jkt: prover.jkt } });
});

test("a client that authenticates with a secret gets bound tokens for itself, and the Management API needs their proof", async () => {
  const body = {
    grant_type: "client_credentials",
    client_id: "main-manager",
    client_secret: String(service.web.secret),
    audience: managementAudience,
  };
  const { access } = tokens(await exchangeWithProof(service, prover, body));
  expect(await callWithProof(service, prover, access, "GET", "/api/v2/clients?per_page=1")).toMatchObject({ status: 200 });
  expect((await service.call("GET", "/api/v2/clients", { token: access })).status).toBe(401);
});

test("discovery lists the algorithms of proofs, and settings are stored and checked", async () => {
  const { dpop_signing_alg_values_supported: listed } = jsonBody(await service.call("GET", "/.well-known/openid-configuration"));
  expect(listed).toEqual(["ES256", "ES384", "PS256", "RS256", "EdDSA", "Ed25519"]);
  for (const proof_of_possession of [{ mechanism: "mtls", required: true }, { mechanism: "dpop" }, { required: true }, true]) {
    const response = await service.manage("POST", "/api/v2/resource-servers", {
      identifier: "https://x.example.test/",
      proof_of_possession,
    });
    expectError(response, 400, "invalid_request");
  }
  expect((await auditEvents(service.manage, "feacft")).length).toBeGreaterThan(0);
});
