import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody, list, stringMember } from "../support/api.ts";
import { claimsOf, obtainTokens, openService, successParameters, type LoginService } from "../support/flow.ts";
import { openScriptedProvider } from "../upstream/scripted-provider.ts";
import { searchUsers } from "../upstream/federation.ts";

/** The standard claims that are stored together: OpenID Connect Core section 5.1. */

const claims = {
  middle_name: "King",
  profile: "https://people.example.test/ada",
  website: "https://ada.example.test/",
  gender: "female",
  birthdate: "1815-12-10",
  zoneinfo: "Europe/London",
  locale: "en-GB",
};

let service: LoginService;
let path: string;
beforeAll(async () => {
  service = await openService();
  path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  jsonBody(await service.manage("PATCH", path, claims), 200);
});

describe("standard claims", () => {
  test("are returned by the Management API and with the scope profile, and with no other scope", async () => {
    expect(jsonBody(await service.manage("GET", path))).toMatchObject(claims);
    const result = await obtainTokens(service, service.web, service.ada, { scope: "openid profile" });
    expect(claimsOf(result.id)).toMatchObject(claims);
    expect((await service.userinfo(result.access)).body).toMatchObject(claims);
    const { access } = await obtainTokens(service, service.web, service.ada, { scope: "openid email" });
    expect((await service.userinfo(access)).body).toEqual({
      sub: service.ada.userId,
      email: service.ada.email,
      email_verified: true,
    });
  });

  test("are returned singly if the claims parameter requests them", async () => {
    const request = JSON.stringify({ userinfo: { zoneinfo: null } });
    const { access } = await obtainTokens(service, service.web, service.ada, { scope: "openid", claims: request });
    expect((await service.userinfo(access)).body).toEqual({ sub: service.ada.userId, zoneinfo: claims.zoneinfo });
  });

  test("are listed in the discovery document", async () => {
    const { claims_supported: supported } = jsonBody(await service.call("GET", "/.well-known/openid-configuration"));
    expect(supported).toEqual(expect.arrayContaining(Object.keys(claims)));
  });

  test("stay if a change does not contain them, and are removed by null", async () => {
    const body = { connection: "Username-Password-Authentication", email: "eve@example.test", ...claims };
    const created = jsonBody(await service.manage("POST", "/api/v2/users", body), 201);
    expect(created).toMatchObject(claims);
    const own = `/api/v2/users/${encodeURIComponent(stringMember(created, "user_id"))}`;
    expect(jsonBody(await service.manage("PATCH", own, { name: "Eve", locale: "fr" }))).toMatchObject({ ...claims, locale: "fr" });
    const cleared = jsonBody(await service.manage("PATCH", own, { gender: null, birthdate: "1815" }));
    expect(cleared).toMatchObject({ middle_name: "King", birthdate: "1815" });
    expect(cleared).not.toHaveProperty("gender");
    const none = Object.fromEntries(Object.keys(claims).map((name) => [name, null]));
    const empty = jsonBody(await service.manage("PATCH", own, none));
    for (const name of Object.keys(claims)) expect(empty).not.toHaveProperty(name);
  });

  test.each([
    ["birthdate", "10.12.1815"],
    ["birthdate", "1815-13-01"],
    ["zoneinfo", "Europe/London; drop"],
    ["locale", "english please"],
    ["website", "javascript:alert(1)"],
    ["profile", "ada"],
    ["gender", ""],
    ["middle_name", 7],
  ])("rejects the value of %s: %j", async (name, value) => {
    expectError(await service.manage("PATCH", path, { [name]: value }), 400, "invalid_request", `'${name}'`);
  });

  test("come from a provider, without invalid values, and do not replace a stored language or time zone", async () => {
    const provider = await openScriptedProvider({});
    const person = { sub: "s-1", email: "ann@people.example", email_verified: true, name: "Ann" };
    successParameters(await provider.signInAs({ ...person, locale: "de", zoneinfo: "not a zone!", website: "ftp://x", gender: "x" }));
    const found = async () => (await searchUsers(provider, "email:ann@people.example"))[0];
    expect(await found()).toMatchObject({ locale: "de", gender: "x" });
    expect(await found()).not.toHaveProperty("website");
    expect(await found()).not.toHaveProperty("zoneinfo");
    successParameters(await provider.signInAs({ ...person, locale: "fr", zoneinfo: "Europe/Paris", birthdate: "1990-01-02" }));
    expect(await found()).toMatchObject({ locale: "de", gender: "x", zoneinfo: "Europe/Paris", birthdate: "1990-01-02" });
  });

  test("come from an import, which keeps the others of an existing user", async () => {
    const user = { email: "imp@example.test", email_verified: true, middle_name: "M", zoneinfo: "Asia/Tokyo" };
    const connection = "Username-Password-Authentication";
    expect(await service.postern.importUsers("main", [user], { connection })).toMatchObject({ inserted: 1 });
    const changed = [{ email: user.email, locale: "ja" }];
    expect(await service.postern.importUsers("main", changed, { connection, upsert: true })).toMatchObject({ updated: 1 });
    const [stored] = list(await service.manage("GET", "/api/v2/users?q=email:imp@example.test"));
    expect(stored).toMatchObject({ middle_name: "M", zoneinfo: "Asia/Tokyo", locale: "ja" });
  });
});
