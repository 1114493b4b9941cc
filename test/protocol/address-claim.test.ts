import { beforeAll, describe, expect, test } from "vitest";
import { expectError, jsonBody, list } from "../support/api.ts";
import { claimsOf, obtainTokens, openService, successParameters, type LoginService } from "../support/flow.ts";
import { searchUsers } from "../upstream/federation.ts";
import { openScriptedProvider } from "../upstream/scripted-provider.ts";

/** The claim `address`: OpenID Connect Core section 5.1.1. */

const address = {
  formatted: "12 St James's Square\nLondon SW1Y 4JH\nUnited Kingdom",
  street_address: "12 St James's Square",
  locality: "London",
  region: "Greater London",
  postal_code: "SW1Y 4JH",
  country: "United Kingdom",
};

let service: LoginService;
let path: string;
beforeAll(async () => {
  service = await openService();
  path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  expect(jsonBody(await service.manage("PATCH", path, { address }))["address"]).toEqual(address);
});

describe("the claim address", () => {
  test("is returned with the scope address, and with no other scope", async () => {
    const result = await obtainTokens(service, service.web, service.ada, { scope: "openid address" });
    expect((await service.userinfo(result.access)).body).toEqual({ sub: service.ada.userId, address });
    expect(claimsOf(result.id)["address"]).toEqual(address);
    const { access } = await obtainTokens(service, service.web, service.ada, { scope: "openid profile email phone" });
    expect((await service.userinfo(access)).body).not.toHaveProperty("address");
  });

  test("is returned if the claims parameter requests it", async () => {
    const claims = JSON.stringify({ userinfo: { address: { essential: true } } });
    const { access } = await obtainTokens(service, service.web, service.ada, { scope: "openid", claims });
    expect((await service.userinfo(access)).body).toEqual({ sub: service.ada.userId, address });
  });

  test("is in the discovery document, with its scope", async () => {
    const metadata = jsonBody(await service.call("GET", "/.well-known/openid-configuration"));
    expect(metadata["claims_supported"]).toContain("address");
    expect(metadata["scopes_supported"]).toEqual(["openid", "profile", "email", "phone", "address", "offline_access"]);
  });

  test("is replaced by a change, and removed by null", async () => {
    const body = { connection: "Username-Password-Authentication", email: "moved@example.test", address };
    const created = jsonBody(await service.manage("POST", "/api/v2/users", body), 201);
    const own = `/api/v2/users/${encodeURIComponent(String(created["user_id"]))}`;
    expect(jsonBody(await service.manage("PATCH", own, { address: { locality: "Paris" } }))["address"]).toEqual({ locality: "Paris" });
    expect(jsonBody(await service.manage("PATCH", own, { name: "Moved" }))["address"]).toEqual({ locality: "Paris" });
    expect(jsonBody(await service.manage("PATCH", own, { address: null }))).not.toHaveProperty("address");
  });

  test.each([
    [{}],
    ["London"],
    [{ locality: 7 }],
    [{ planet: "Earth" }],
    [{ country: "" }],
    [{ postal_code: "1".repeat(33) }],
    [[address]],
  ])("rejects the value %j", async (value) => {
    expectError(await service.manage("PATCH", path, { address: value }), 400, "invalid_request", "'address");
  });

  test("comes from a provider, without unknown and invalid members", async () => {
    const provider = await openScriptedProvider({});
    const person = { sub: "s-1", email: "ann@people.example", email_verified: true };
    const sent = { locality: "Oslo", country: "Norway", region: "", postal_code: "0\u0000150", planet: "Earth" };
    successParameters(await provider.signInAs({ ...person, address: sent }));
    const found = async () => (await searchUsers(provider, "email:ann@people.example"))[0];
    expect((await found())?.["address"]).toEqual({ locality: "Oslo", country: "Norway" });
    successParameters(await provider.signInAs({ ...person, address: "Bergen" }));
    expect((await found())?.["address"]).toEqual({ locality: "Oslo", country: "Norway" });
  });

  test("comes from an import", async () => {
    const user = { email: "imported@example.test", email_verified: true, address: { formatted: "Somewhere" } };
    const connection = "Username-Password-Authentication";
    expect(await service.postern.importUsers("main", [user], { connection })).toMatchObject({ inserted: 1 });
    const [stored] = list(await service.manage("GET", "/api/v2/users?q=email:imported@example.test"));
    expect(stored).toMatchObject({ address: { formatted: "Somewhere" } });
  });
});
