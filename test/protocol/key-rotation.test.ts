import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expectError, jsonBody, list, stringMember } from "../support/api.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { createTestPostern, type ApiResponse, type TestOptions, type TestPostern } from "../support/postern.ts";
import {
  sendAuthorization,
  successParameters,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  tokens,
  type LoginService,
} from "../support/flow.ts";
import { stores } from "./stores.ts";

describe.each(stores)("key rotation on $name", ({ open }) => {
  let data: DataAdapter;
  let service: LoginService;
  beforeAll(async () => {
    data = await open();
    service = await openService({ data });
  });
  afterAll(() => data.close?.());

  const published = async (): Promise<JSONWebKeySet> => (await service.call("GET", "/.well-known/jwks.json")).body as JSONWebKeySet;
  const kids = async (): Promise<readonly (string | undefined)[]> => (await published()).keys.map(({ kid }) => kid);
  const rotate = async (terms: object = {}): Promise<string> =>
    stringMember(jsonBody(await service.manage("POST", "/api/v2/keys/signing/rotate", terms), 201), "kid");
  const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? "";
  const verify = async (token: string, audience: string): Promise<unknown> =>
    jwtVerify(token, createLocalJWKSet(await published()), {
      issuer: service.postern.issuer,
      audience,
      currentDate: new Date(service.clock.now()),
    });

  test("signs with the new key at once, publishes both keys, and accepts tokens that the old key signed during the grace period", async () => {
    const browser = service.browser();
    const before = await obtainTokens(service, service.web, service.ada, offline, browser);
    const fresh = await rotate({ grace_days: 3 });
    const after = await obtainTokens(service, service.web, service.ada, offline, browser);
    expect([kidOf(after.id), kidOf(after.access)]).toEqual([fresh, fresh]);
    expect(kidOf(before.id)).not.toBe(fresh);
    expect(await kids()).toEqual(expect.arrayContaining([fresh, kidOf(before.id)]));
    for (const { id } of [before, after]) await verify(id, service.web.clientId);
    expect((await service.userinfo(before.access)).status).toBe(200);
    successParameters(await sendAuthorization(browser, service.web, { prompt: "none", id_token_hint: before.id }));
    tokens(await service.exchange(refreshGrant(service.web, before.refresh)));

    service.clock.advance("3d");
    expect(await kids()).not.toContain(kidOf(before.id));
    expect(await kids()).toContain(fresh);
    // An expired hint is accepted, even if its key was retired, because it still identifies the user.
    const late = await obtainTokens(service, service.web, service.ada, {}, browser);
    expect(kidOf(late.id)).toBe(fresh);
    successParameters(await sendAuthorization(browser, service.web, { prompt: "none", id_token_hint: before.id }));
  });

  test("signs with a key that is published ahead only after its activation date, so that caches have it by then", async () => {
    const current = kidOf((await obtainTokens(service, service.web, service.ada)).id);
    const next = await rotate({ activate_in_days: 2 });
    expect(await kids()).toEqual(expect.arrayContaining([current, next]));
    service.clock.advance("47h");
    expect(kidOf((await obtainTokens(service, service.web, service.ada)).id)).toBe(current);
    service.clock.advance("1h");
    expect(kidOf((await obtainTokens(service, service.web, service.ada)).id)).toBe(next);
    expect(await kids()).toEqual(expect.arrayContaining([current, next]));
  });

  test("revoking a key invalidates everything that it signed, but no refresh tokens, which are not signed", async () => {
    const browser = service.browser();
    const before = await obtainTokens(service, service.web, service.ada, offline, browser);
    jsonBody(await service.manage("PUT", `/api/v2/keys/signing/${kidOf(before.id)}/revoke`), 201);
    expect(await kids()).not.toContain(kidOf(before.id));
    expectError(await service.userinfo(before.access), 401, "invalid_token");
    const hinted = await sendAuthorization(browser, service.web, { prompt: "none", id_token_hint: before.id });
    expect(hinted).toMatchObject({ parameters: { error: "invalid_request" } });
    const after = tokens(await service.exchange(refreshGrant(service.web, before.refresh)));
    expect(await kids()).toContain(kidOf(after.id));
    await verify(after.id, service.web.clientId);
  });
});

describe("a key that another process created", () => {
  const open = async (options: TestOptions = {}) => {
    const data = countingAdapter(createMemoryAdapter({ strict: true }));
    const one = await openService({ data, ...options });
    const two = await createTestPostern({ data, ...options, testing: { clock: one.clock } });
    // The second process caches the keys.
    expect((await two.call("GET", "/userinfo", { token: (await obtainTokens(one, one.web, one.ada)).access })).status).toBe(200);
    return { data, one, two };
  };
  const publishedBy = async ({ call }: Pick<TestPostern, "call">): Promise<readonly unknown[]> =>
    list(await call("GET", "/.well-known/jwks.json"), "keys").map(({ kid }) => kid);
  const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? "";

  test("by a rotation is accepted at once, in access tokens and in hints, and is in the JWKS", async () => {
    const { one, two } = await open();
    const rotate = async (): Promise<string> =>
      stringMember(jsonBody(await one.manage("POST", "/api/v2/keys/signing/rotate", { activate_in_days: 0 }), 201), "kid");
    const first = await rotate();
    const { access } = await obtainTokens(one, one.web, one.ada);
    expect(kidOf(access)).toBe(first);
    expect((await two.call("GET", "/userinfo", { token: access })).status).toBe(200);
    expect(await publishedBy(two)).toContain(first);

    one.clock.advance("1s");
    const second = await rotate();
    const { id } = await obtainTokens(one, one.web, one.ada);
    expect(kidOf(id)).toBe(second);
    const bye = { id_token_hint: id, post_logout_redirect_uri: "https://app.example.test/bye" };
    const loggedOut = await two.postern.fetch(new Request(`${one.postern.issuer}oidc/logout?${new URLSearchParams(bye)}`));
    expect([loggedOut.status, loggedOut.headers.get("location")]).toEqual([303, "https://app.example.test/bye"]);
  });

  test("by a rotation is in the JWKS a second later, although no token named it", async () => {
    const { one, two } = await open();
    await publishedBy(two);
    const kid = stringMember(jsonBody(await one.manage("POST", "/api/v2/keys/signing/rotate", {}), 201), "kid");
    one.clock.advance("1s");
    expect(await publishedBy(two)).toContain(kid);
  });

  test("for the first token with another algorithm is accepted at once, and is in the JWKS", async () => {
    const { one, two } = await open({ crypto: { signingAlgorithm: "ES256" } });
    const identifier = "https://rs256.example.test/";
    await one.manage.create("/api/v2/resource-servers", { identifier, signing_alg: "RS256", scopes: [{ value: "read:x" }] });
    await one.manage.create("/api/v2/client-grants", { client_id: one.web.clientId, audience: identifier, scope: ["read:x"] });
    const client = { client_id: one.web.clientId, client_secret: one.web.secret ?? "" };
    const issued = await one.exchange({ grant_type: "client_credentials", audience: identifier, ...client });
    const token = stringMember(jsonBody(issued), "access_token");
    expect(decodeProtectedHeader(token).alg).toBe("RS256");
    expect(await two.call("POST", "/oauth/introspect", { body: { token, ...client } })).toMatchObject({ body: { active: true } });
    expect(await publishedBy(two)).toContain(kidOf(token));
  });

  test("costs one read of the keys a second, however many unknown keys tokens name", async () => {
    const { data, one, two } = await open();
    const { access } = await obtainTokens(one, one.web, one.ada);
    const [, payload, signature] = access.split(".");
    const forged = (kid: number): string =>
      `${Buffer.from(JSON.stringify({ alg: "RS256", kid: `unknown-${kid}` })).toString("base64url")}.${payload}.${signature}`;
    const sendForged = (): Promise<readonly ApiResponse[]> =>
      Promise.all(Array.from({ length: 20 }, (_, kid) => two.call("GET", "/userinfo", { token: forged(kid) })));
    for (let second = 0; second < 2; second++) {
      const { statements } = await data.costOf(async () => {
        for (const response of [...(await sendForged()), ...(await sendForged())]) expectError(response, 401, "invalid_token");
      });
      expect(statements.filter((statement) => statement === "signing_keys.find")).toHaveLength(1);
      one.clock.advance("1s");
    }
  });
});
