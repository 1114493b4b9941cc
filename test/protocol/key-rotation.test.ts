import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
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
