import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

const base = "/api/v2/keys/signing";
const day = 86_400_000;

let service: TestPostern;
let manage: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

const keys = async (query = ""): Promise<readonly JsonBody[]> => list(await manage("GET", base + query));
const current = (all: readonly JsonBody[]): readonly JsonBody[] => all.filter((key) => key["current"] === true);
const jwks = async (): Promise<readonly string[]> =>
  list(await service.call("GET", "/.well-known/jwks.json"), "keys").map((key) => stringMember(key, "kid"));
const later = (days: number): string => new Date(service.clock.now() + days * day).toISOString();

describe("the list of signing keys", () => {
  test("returns keys without private material, with the details of their certificates", async () => {
    const [key = {}, ...more] = await keys();
    expect(more).toEqual([]);
    expect(key).toEqual({
      kid: expect.any(String),
      type: "jwt_signing",
      alg: "ES256",
      cert: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){19}[0-9A-F]{2}$/),
      thumbprint: expect.any(String),
      current: true,
      next: false,
      previous: false,
      current_since: later(0),
      revoked: false,
      expires_at: later(365),
      expired: false,
      inherited: false,
    });
    expect(jsonBody(await manage("GET", `${base}/${stringMember(key, "kid")}`))).toEqual(key);
    expectError(await manage("GET", `${base}/${stringMember(key, "kid")}?type=saml_encryption`), 404, "not_found");
    expectError(await manage("GET", `${base}/nothing`), 404, "not_found");
    expectError(await manage("GET", `${base}/${"x".repeat(300)}`), 404, "not_found");
    expect(await keys("?type=saml_encryption")).toEqual([]);
    expectError(await manage("GET", `${base}?type=encryption`), 400, "invalid_request", "'type'");
  });

  test("of type saml_encryption contains separate keys, which are valid for five years", async () => {
    const created = jsonBody(await manage("POST", `${base}/rotate?type=saml_encryption`), 201);
    expect(created).toMatchObject({ type: "saml_encryption", alg: "RS256", current: true, expires_at: later(5 * 365) });
    expect(await keys("?type=saml_encryption")).toEqual([created]);
    expect(await keys()).toHaveLength(1);
    expect(await jwks()).not.toContain(created["kid"]);
    expectError(await manage("PUT", `${base}/${stringMember(created, "kid")}/revoke`), 404, "not_found");
    jsonBody(await manage("PUT", `${base}/${stringMember(created, "kid")}/revoke?type=saml_encryption`), 201);
    expect(current(await keys("?type=saml_encryption"))).toHaveLength(1);
  });

  test("states whether a certificate has expired", async () => {
    jsonBody(await manage("POST", `${base}/rotate`, { validity_days: 1 }), 201);
    service.clock.advance("2d");
    manage = await managerOf(service);
    expect(current(await keys())).toMatchObject([{ expired: true }]);
  });
});

describe("rotation", () => {
  test("creates a key that signs at once, and keeps the previous key valid for a day", async () => {
    const [before = {}] = await keys();
    const created = jsonBody(await manage("POST", `${base}/rotate`), 201);
    expect(created).toMatchObject({ current: true, next: false, previous: false, inherited: false, expires_at: later(365) });
    expect(jsonBody(await manage("GET", `${base}/${stringMember(before, "kid")}`))).toMatchObject({
      current: false,
      previous: true,
      current_until: later(0),
    });
    expect((await jwks()).toSorted()).toEqual([stringMember(before, "kid"), stringMember(created, "kid")].toSorted());
    service.clock.advance("25h");
    expect(await jwks()).toEqual([created["kid"]]);
    manage = await managerOf(service);
    expect(await keys()).toMatchObject([{ current: false, previous: false, revoked: false }, { current: true }]);
  });

  test("can schedule a key for later and keep the outgoing key longer", async () => {
    const [before = {}] = await keys();
    const created = jsonBody(await manage("POST", `${base}/rotate`, { activate_in_days: 3, grace_days: 2, validity_days: 10 }), 201);
    expect(created).toMatchObject({ current: false, next: true, previous: false, expires_at: later(13) });
    expect(created).not.toHaveProperty("current_since");
    expect(current(await keys())).toMatchObject([{ kid: before["kid"], current_until: later(3) }]);
    expect(await jwks()).toHaveLength(2);
    service.clock.advance("3d");
    manage = await managerOf(service);
    expect(current(await keys())).toMatchObject([{ kid: created["kid"] }]);
    expect(await jwks()).toHaveLength(2);
    service.clock.advance("2d");
    expect(await jwks()).toEqual([created["kid"]]);
  });

  test("before a scheduled key does not change its schedule", async () => {
    const planned = jsonBody(await manage("POST", `${base}/rotate`, { activate_in_days: 30 }), 201);
    const now = jsonBody(await manage("POST", `${base}/rotate`, { grace_days: 0 }), 201);
    manage = await managerOf(service);
    expect(current(await keys())).toMatchObject([{ kid: now["kid"] }]);
    expect((await jwks()).toSorted()).toEqual([stringMember(now, "kid"), stringMember(planned, "kid")].toSorted());
    service.clock.advance("30d");
    manage = await managerOf(service);
    expect(current(await keys())).toMatchObject([{ kid: planned["kid"] }]);
    service.clock.advance("1d");
    expect(await jwks()).toEqual([planned["kid"]]);
  });

  test.each([
    [{ validity_days: 0 }, "'validity_days'"],
    [{ validity_days: 3651 }, "'validity_days'"],
    [{ validity_days: "10" }, "'validity_days'"],
    [{ activate_in_days: 366 }, "'activate_in_days'"],
    [{ activate_in_days: -1 }, "'activate_in_days'"],
    [{ grace_days: 366 }, "'grace_days'"],
    [{ grace_days: 0.5 }, "'grace_days'"],
    [{ type: "x" }, "'type'"],
    [{ kid: "x" }, "'kid'"],
  ])("rejects %j in the body and in the query, and the error names the field", async (body, error) => {
    expectError(await manage("POST", `${base}/rotate`, body), 400, "invalid_request", error);
    const [[name, value] = ["", ""]] = Object.entries(body);
    if (value !== "10") expectError(await manage("POST", `${base}/rotate?${name}=${value}`), 400, "invalid_request", error);
  });

  test("accepts its parameters in the query as well, and rejects contradictory values", async () => {
    expect(jsonBody(await manage("POST", `${base}/rotate?validity_days=5&activate_in_days=1`, { validity_days: 5 }), 201)).toMatchObject({
      expires_at: later(6),
    });
    expectError(await manage("POST", `${base}/rotate?grace_days=5`, { grace_days: 6 }), 400, "invalid_request", "'grace_days'");
  });

  test("in 32 parallel calls creates ten published keys with one current key that never retires", async () => {
    const answers = await Promise.all(Array.from({ length: 32 }, () => manage("POST", `${base}/rotate`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 409, "conflict", "10 keys");
    const all = await keys();
    expect(all).toHaveLength(10);
    expect(current(all)).toHaveLength(1);
    service.clock.advance("2d");
    expect(await jwks()).toEqual([stringMember(current(all)[0] ?? {}, "kid")]);
  });

  test("rejects an eleventh published key until one is revoked or retires, counted per type", async () => {
    for (let created = 1; created < 10; created++) jsonBody(await manage("POST", `${base}/rotate`, { grace_days: created }), 201);
    expect(await jwks()).toHaveLength(10);
    expectError(await manage("POST", `${base}/rotate`), 409, "conflict", "10 keys");
    jsonBody(await manage("POST", `${base}/rotate?type=saml_encryption`), 201);

    const [oldest = {}] = await keys();
    jsonBody(await manage("PUT", `${base}/${stringMember(oldest, "kid")}/revoke`), 201);
    manage = await managerOf(service);
    jsonBody(await manage("POST", `${base}/rotate`, { activate_in_days: 300 }), 201);
    expectError(await manage("POST", `${base}/rotate`), 409, "conflict");
    expect(await jwks()).toHaveLength(10);

    // The second key retires after two days.
    service.clock.advance("49h");
    manage = await managerOf(service);
    expect(await jwks()).toHaveLength(9);
    jsonBody(await manage("POST", `${base}/rotate`, { activate_in_days: 300 }), 201);
    expectError(await manage("POST", `${base}/rotate`), 409, "conflict");
  });
});

describe("revocation", () => {
  test("of the current key creates its successor in the same call, and invalidates the tokens that it signed", async () => {
    const [key = {}] = await keys();
    const answer = jsonBody(await manage("PUT", `${base}/${stringMember(key, "kid")}/revoke`, { validity_days: 7 }), 201);
    expect(answer).toMatchObject({ kid: key["kid"], revoked: true, revoked_at: later(0), current: false, previous: false });
    expect(await jwks()).not.toContain(key["kid"]);
    expectError(await manage("GET", base), 401, "invalid_token");
    manage = await managerOf(service);
    const [successor = {}, ...more] = current(await keys());
    expect(more).toEqual([]);
    expect(successor).toMatchObject({ revoked: false, expires_at: later(7) });
    expect(await jwks()).toEqual([successor["kid"]]);
  });

  test("of another key creates no successor, and a repeated call changes nothing", async () => {
    const [before = {}] = await keys();
    jsonBody(await manage("POST", `${base}/rotate`), 201);
    manage = await managerOf(service);
    const path = `${base}/${stringMember(before, "kid")}/revoke`;
    const first = jsonBody(await manage("PUT", path), 201);
    service.clock.advance("1s");
    expect(jsonBody(await manage("PUT", path), 201)).toEqual(first);
    expect(await keys()).toHaveLength(2);
  });

  test("of a scheduled key keeps the current key", async () => {
    const [before = {}] = await keys();
    const planned = jsonBody(await manage("POST", `${base}/rotate`, { activate_in_days: 1 }), 201);
    jsonBody(await manage("PUT", `${base}/${stringMember(planned, "kid")}/revoke`), 201);
    service.clock.advance("10d");
    manage = await managerOf(service);
    expect(current(await keys())).toMatchObject([{ kid: before["kid"] }]);
    expect(await jwks()).toEqual([before["kid"]]);
  });

  test("in 32 parallel calls leaves one current key", async () => {
    const [key = {}] = await keys();
    const answers = await Promise.all(Array.from({ length: 32 }, () => manage("PUT", `${base}/${stringMember(key, "kid")}/revoke`)));
    expect(new Set(answers.map(({ status }) => status)).has(201)).toBe(true);
    manage = await managerOf(service);
    expect(current(await keys())).toHaveLength(1);
    service.clock.advance("2d");
    expect(await jwks()).toHaveLength(1);
  });

  test("of an unknown key responds with 404, and an invalid validity is rejected", async () => {
    const [key = {}] = await keys();
    expectError(await manage("PUT", `${base}/nothing/revoke`), 404, "not_found");
    expectError(
      await manage("PUT", `${base}/${stringMember(key, "kid")}/revoke`, { validity_days: 0 }),
      400,
      "invalid_request",
      "'validity_days'",
    );
    expectError(
      await manage("PUT", `${base}/${stringMember(key, "kid")}/revoke?validity_days=4000`),
      400,
      "invalid_request",
      "'validity_days'",
    );
    expectError(
      await manage("PUT", `${base}/${stringMember(key, "kid")}/revoke`, { grace_days: 1 }),
      400,
      "invalid_request",
      "'grace_days'",
    );
  });
});

describe("renewal", () => {
  test("issues a new certificate for the same key pair", async () => {
    const [key = {}] = await keys();
    service.clock.advance("1d");
    manage = await managerOf(service);
    const renewed = jsonBody(await manage("POST", `${base}/${stringMember(key, "kid")}/renew`, { validity_days: 30 }));
    expect(renewed).toMatchObject({ kid: key["kid"], current: true, expires_at: later(30), expired: false });
    expect(renewed["cert"]).not.toBe(key["cert"]);
    expect(renewed["thumbprint"]).not.toBe(key["thumbprint"]);
    const [published = {}] = list(await service.call("GET", "/.well-known/jwks.json"), "keys");
    expect(published).toMatchObject({ kid: key["kid"], x5t: renewed["thumbprint"] });
    expect(await manage("GET", base)).toMatchObject({ status: 200 });
    expectError(await manage("POST", `${base}/nothing/renew`), 404, "not_found");
    expectError(
      await manage("POST", `${base}/${stringMember(key, "kid")}/renew`, { validity_days: 4000 }),
      400,
      "invalid_request",
      "'validity_days'",
    );
  });
});

describe("a child tenant of the control plane", () => {
  test("can read the shared keys but not change them", async () => {
    const other = await managerOf(service, "other");
    const [shared = {}] = list(await other("GET", base));
    expect(shared).toMatchObject({ inherited: true, current: true });
    expect(jsonBody(await other("GET", `${base}/${stringMember(shared, "kid")}`))).toEqual(shared);
    expectError(await other("PUT", `${base}/${stringMember(shared, "kid")}/revoke`), 403, "forbidden");
    expectError(await other("POST", `${base}/${stringMember(shared, "kid")}/renew`), 403, "forbidden");
    expect(await keys()).toMatchObject([{ revoked: false, inherited: false }]);
  });

  test("signs with its own key once it has one, independent of the control plane's rotations", async () => {
    const other = await managerOf(service, "other");
    const own = jsonBody(await other("POST", `${base}/rotate`), 201);
    expect(own).toMatchObject({ inherited: false, current: true });
    service.clock.advance("1h");
    jsonBody(await manage("POST", `${base}/rotate`), 201);
    expect(current(list(await other("GET", base)))).toMatchObject([{ kid: own["kid"] }]);
    const [header = ""] = (await service.token("other")).split(".");
    expect(JSON.parse(atob(header.replaceAll("-", "+").replaceAll("_", "/")))).toMatchObject({ kid: own["kid"] });
    expectError(await manage("GET", `${base}/${stringMember(own, "kid")}`), 404, "not_found");
    expectError(await manage("PUT", `${base}/${stringMember(own, "kid")}/revoke`), 404, "not_found");
  });
});

test("each route of signing keys requires its scope", async () => {
  const [key = {}] = await keys();
  const keyPath = `${base}/${stringMember(key, "kid")}`;
  for (const [method, path, ...scopes] of [
    ["GET", base, "read:signing_keys"],
    ["GET", keyPath, "read:signing_keys"],
    ["POST", `${base}/rotate`, "create:signing_keys", "update:signing_keys"],
    ["PUT", `${keyPath}/revoke`, "update:signing_keys"],
    ["POST", `${keyPath}/renew`, "create:signing_keys"],
  ] as const) {
    expectError(await service.call(method, path), 401, "invalid_token");
    const others = await tokenWith(
      service,
      manage,
      ["read:users", "read:signing_keys", "create:signing_keys", "update:signing_keys"].filter(
        (name) => !scopes.some((scope) => scope === name),
      ),
    );
    expectError(await service.call(method, path, { token: others }), 403, "insufficient_scope", scopes.join(","));
  }
  expect(current(await keys())).toMatchObject([{ kid: key["kid"], revoked: false }]);
});
