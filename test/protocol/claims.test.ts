import { beforeAll, expect, test } from "vitest";
import { expectError, jsonBody } from "../support/api.ts";
import { claimsOf, obtainTokens, openService, type LoginService } from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
  const named = {
    name: "Ada Lovelace",
    given_name: "Ada",
    family_name: "Lovelace",
    nickname: "ada",
    picture: "https://cdn.example.test/ada.png",
  };
  jsonBody(await service.manage("PATCH", path, named), 200);
});

const profile = {
  name: "Ada Lovelace",
  given_name: "Ada",
  family_name: "Lovelace",
  nickname: "ada",
  picture: "https://cdn.example.test/ada.png",
  updated_at: expect.any(Number),
};
const email = { email: "ada@example.test", email_verified: true };

test.each([
  ["openid", {}],
  ["openid profile", profile],
  ["openid email", email],
  ["openid profile email phone address", { ...profile, ...email }],
])("returns exactly the expected claims from userinfo and in the ID token for scope %j", async (scope, claims) => {
  const result = await obtainTokens(service, service.web, service.ada, { scope });
  const userinfo = await service.userinfo(result.access);
  expect(userinfo.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(userinfo.body).toEqual({ sub: service.ada.userId, ...claims });
  const { iss, aud, iat, exp, sub, auth_time, sid, nonce, tenant_id, amr, ...about } = claimsOf(result.id);
  expect({ iss, aud, sub, nonce, tenant_id, amr }).toEqual({
    iss: service.postern.issuer,
    aud: service.web.clientId,
    sub: service.ada.userId,
    nonce: "n-1",
    tenant_id: "main",
    amr: ["pwd"],
  });
  expect([typeof iat, typeof exp, typeof auth_time, typeof sid]).toEqual(["number", "number", "number", "string"]);
  expect(about).toEqual(claims);
});

test("issues no ID token without the openid scope, and rejects the access token at userinfo with insufficient_scope", async () => {
  const result = await obtainTokens(service, service.web, service.ada, { scope: "profile" });
  expect(result.id).toBe("");
  const response = await service.userinfo(result.access);
  expectError(response, 403, "insufficient_scope");
  expect(response.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
});

test("returns single claims in the ID token or from userinfo, as the claims parameter requests", async () => {
  const claims = JSON.stringify({
    userinfo: { name: { essential: true }, shoe_size: null, __proto__: null },
    id_token: { email: null, auth_time: { essential: true } },
  });
  const result = await obtainTokens(service, service.web, service.ada, { scope: "openid", claims });
  expect((await service.userinfo(result.access)).body).toEqual({ sub: service.ada.userId, name: "Ada Lovelace" });
  expect(claimsOf(result.id)).toMatchObject({ email: "ada@example.test", auth_time: expect.any(Number) });
  expect(claimsOf(result.id)).not.toHaveProperty("name");
});

test("accepts one token in the header or in a form body, and rejects it in the query or twice", async () => {
  const { access } = await obtainTokens(service, service.web, service.ada);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const header = { authorization: `bearer ${access}` };
  const good = [
    await service.call("GET", "/userinfo", { headers: header }),
    await service.call("POST", "/userinfo", { headers: header }),
    await service.call("POST", "/userinfo", { headers: form, body: `access_token=${access}` }),
  ];
  for (const response of good) expect(jsonBody(response)["sub"]).toBe(service.ada.userId);
  expectError(await service.call("GET", `/userinfo?access_token=${access}`), 401, "invalid_token");
  expectError(
    await service.call("POST", "/userinfo", { headers: { ...form, ...header }, body: `access_token=${access}` }),
    400,
    "invalid_request",
  );
});

test("responds with a challenge to a token that is not an access token for userinfo", async () => {
  const { id, access } = await obtainTokens(service, service.web, service.ada);
  const api = { name: "Plain", identifier: "https://plain.example.test/", scopes: [{ value: "read:x" }] };
  await service.manage.create("/api/v2/resource-servers", api);
  const other = await obtainTokens(service, service.web, service.ada, { scope: "read:x", audience: api.identifier });
  for (const token of [id, other.access, await service.token(), `${access}x`, access.slice(0, -4), "x"]) {
    const response = await service.userinfo(token);
    expectError(response, 401, "invalid_token");
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
  }
  service.clock.advance("24h");
  expectError(await service.userinfo(access), 401, "invalid_token");
});

test("returns changed user attributes at once", async () => {
  const { access } = await obtainTokens(service, service.web, service.bob);
  await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.bob.userId)}`, { name: "Robert" });
  expect(jsonBody(await service.userinfo(access))["name"]).toBe("Robert");
});
