import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { auditEvents, expectError, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { clientSecret, createTestPostern, issuer, managementAudience, type ApiResponse, type TestPostern } from "../support/postern.ts";

const audience = "https://api.example.test/things";

let service: TestPostern;
let manage: Manager;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

/** Creates an API, and a client with a grant for it. */
async function granted(
  options: { readonly scope?: readonly string[]; readonly api?: JsonBody; readonly client?: JsonBody; readonly grant?: JsonBody } = {},
): Promise<{
  readonly client: JsonBody;
  readonly id: string;
  readonly secret: string;
  readonly audience: string;
  readonly grantId: string;
  readonly apiId: string;
}> {
  const identifier = `${audience}/${Math.random()}`;
  const scopes = ["read:things", "write:things", "purge:things"].map((value) => ({ value }));
  const api = await manage.create("/api/v2/resource-servers", { identifier, scopes, ...options.api });
  const client = await manage.create("/api/v2/clients", { name: "Machine", app_type: "non_interactive", ...options.client });
  const id = stringMember(client, "client_id");
  const { scope = ["read:things", "write:things"], grant: more } = options;
  const grant = await manage.create("/api/v2/client-grants", { client_id: id, audience: identifier, scope, ...more });
  return {
    client,
    id,
    secret: stringMember(client, "client_secret"),
    audience: identifier,
    grantId: stringMember(grant, "id"),
    apiId: stringMember(api, "id"),
  };
}

const request = (body: unknown, headers: { readonly [name: string]: string } = {}): Promise<ApiResponse> =>
  service.call("POST", "/oauth/token", { body, headers });

const form = (fields: { readonly [name: string]: string } | readonly (readonly [string, string])[], headers = {}): Promise<ApiResponse> =>
  request(new URLSearchParams(fields as Record<string, string>).toString(), {
    "content-type": "application/x-www-form-urlencoded",
    ...headers,
  });

const encode = (value: string): string => encodeURIComponent(value).replaceAll("%20", "+");
const basic = (id: string, secret: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString("base64")}`,
});

describe("a client credentials request", () => {
  test("gets a token for a JSON body and for a form, with client_secret_post and with client_secret_basic", async () => {
    const { id, secret, audience: aud } = await granted();
    const expected = { grant_type: "client_credentials", audience: aud };
    const methods = [
      await request({ ...expected, client_id: id, client_secret: secret }),
      await form({ ...expected, client_id: id, client_secret: secret }),
      await request(expected, basic(id, secret)),
      await form(expected, basic(id, secret)),
      await form({ ...expected, client_id: id }, basic(id, secret)),
    ];
    for (const response of methods) {
      const body = jsonBody(response);
      expect(body).toEqual({
        access_token: expect.any(String),
        token_type: "Bearer",
        expires_in: 86_400,
        scope: "read:things write:things",
      });
      expect(decodeJwt(stringMember(body, "access_token"))).toMatchObject({ aud, sub: `${id}@clients`, scope: "read:things write:things" });
    }
  });

  test("gets a token with form-encoded id and secret in client_secret_basic (RFC 6749 section 2.3.1)", async () => {
    const secret = "pass:word with+plus%and ümlaut, long enough";
    await service.postern.seed({
      tenantId: "main",
      clients: [{ clientId: "colon:client+%", secret, settings: { name: "Odd", app_type: "non_interactive" }, managesTenant: true }],
    });
    const expected = { grant_type: "client_credentials", audience: managementAudience };
    expect(await form(expected, basic("colon:client+%", secret))).toMatchObject({ status: 200 });
    const raw = { authorization: `Basic ${Buffer.from(`colon:client+%:${secret}`).toString("base64")}` };
    expectError(await form(expected, raw), 401, "invalid_client");
    // The scheme's name is case-insensitive (RFC 9110 section 11.1).
    const { authorization } = basic("colon:client+%", secret);
    expect(await form(expected, { authorization: authorization.replace("Basic", "bAsIc") })).toMatchObject({ status: 200 });
  });

  test("gets headers that prevent caching", async () => {
    const { id, secret, audience: aud } = await granted();
    const { headers } = await request({ grant_type: "client_credentials", audience: aud, client_id: id, client_secret: secret });
    expect([headers.get("cache-control"), headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
    const rejected = await request({ grant_type: "client_credentials", audience: aud, client_id: id, client_secret: "wrong" });
    expect([rejected.headers.get("cache-control"), rejected.headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
  });

  test("gets the requested scopes, each once, if all of them are granted", async () => {
    const { id, secret, audience: aud } = await granted();
    const response = await request({
      grant_type: "client_credentials",
      audience: aud,
      client_id: id,
      client_secret: secret,
      scope: " write:things  write:things ",
    });
    expect(jsonBody(response)["scope"]).toBe("write:things");
  });

  test("gets a token despite unknown parameters (RFC 6749 section 3.2)", async () => {
    const { id, secret, audience: aud } = await granted();
    const expected = {
      grant_type: "client_credentials",
      audience: aud,
      client_id: id,
      client_secret: secret,
      resource_hint: "x",
      nonsense: "1",
    };
    expect(await form(expected)).toMatchObject({ status: 200 });
    expect(await request({ ...expected, nested: { deep: [1] } })).toMatchObject({ status: 200 });
    expect(await service.call("POST", "/oauth/token?unknown=1", { body: expected })).toMatchObject({ status: 200 });
  });

  test("gets a token for the tenant's default audience if none is requested, and only if the tenant has one", async () => {
    const own = await createTestPostern();
    const manageOwn = await managerOf(own);
    const expected = { grant_type: "client_credentials", client_id: "main-manager", client_secret: clientSecret };
    expectError(await own.call("POST", "/oauth/token", { body: expected }), 400, "invalid_request", "audience");
    jsonBody(await manageOwn("PATCH", "/api/v2/tenants/settings", { default_audience: managementAudience }));
    const token = stringMember(jsonBody(await own.call("POST", "/oauth/token", { body: expected })), "access_token");
    expect(decodeJwt(token).aud).toBe(managementAudience);
  });

  test("gets a token with the API's token_lifetime, and a changed lifetime applies to the next token", async () => {
    const { id, secret, audience: aud, apiId } = await granted({ api: { token_lifetime: 120 } });
    const expected = { grant_type: "client_credentials", audience: aud, client_id: id, client_secret: secret };
    const first = jsonBody(await request(expected));
    const { iat = 0, exp = 0 } = decodeJwt(stringMember(first, "access_token"));
    expect([first["expires_in"], exp - iat, iat * 1000]).toEqual([120, 120, service.clock.now()]);
    jsonBody(await manage("PATCH", `/api/v2/resource-servers/${apiId}`, { token_lifetime: 60 }));
    expect(jsonBody(await request(expected))["expires_in"]).toBe(60);
  });
});

describe("the claims of a token", () => {
  const tokenOf = async (api: JsonBody = {}): Promise<{ readonly token: string; readonly id: string; readonly aud: string }> => {
    const { id, secret, audience: aud } = await granted({ api });
    const response = await request({ grant_type: "client_credentials", audience: aud, client_id: id, client_secret: secret });
    return { token: stringMember(jsonBody(response), "access_token"), id, aud };
  };

  test("use Auth0's dialect by default", async () => {
    const { token, id, aud } = await tokenOf();
    const now = service.clock.now() / 1000;
    expect(decodeProtectedHeader(token)).toEqual({ alg: "ES256", typ: "JWT", kid: expect.any(String) });
    expect(decodeJwt(token)).toEqual({
      iss: issuer,
      sub: `${id}@clients`,
      aud,
      iat: now,
      exp: now + 86_400,
      scope: "read:things write:things",
      azp: id,
      gty: "client-credentials",
      tenant_id: "main",
    });
  });

  test("use the dialect of RFC 9068 if the API selects it", async () => {
    const { token, id } = await tokenOf({ token_dialect: "rfc9068_profile" });
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: "at+jwt" });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({ client_id: id, jti: expect.stringMatching(/^.{16,}$/), tenant_id: "main" });
    expect(Object.keys(claims)).not.toEqual(expect.arrayContaining(["azp"]));
    expect(Object.keys(claims)).not.toEqual(expect.arrayContaining(["gty"]));
    expect((await tokenOf({ token_dialect: "rfc9068_profile" })).token).not.toBe(token);
  });

  test.each(["access_token_authz", "rfc9068_profile_authz"])("contain permissions only with RBAC and %s", async (token_dialect) => {
    const { token } = await tokenOf({ token_dialect, enforce_policies: true });
    expect(decodeJwt(token)).toMatchObject({ permissions: ["read:things", "write:things"], scope: "read:things write:things" });
    expect(decodeJwt((await tokenOf({ token_dialect })).token)).not.toHaveProperty("permissions");
    expect(decodeJwt((await tokenOf({ enforce_policies: true })).token)).not.toHaveProperty("permissions");
  });

  test("name the tenant of the client, not the default tenant", async () => {
    expect(decodeJwt(await service.token("other"))).toMatchObject({ tenant_id: "other", iss: issuer });
    expect(decodeJwt(await service.token("main"))).toMatchObject({ tenant_id: "main", iss: issuer });
  });

  test("have no scope if none is granted", async () => {
    const { id, secret, audience: aud } = await granted({ scope: [] });
    const body = jsonBody(await request({ grant_type: "client_credentials", audience: aud, client_id: id, client_secret: secret }));
    expect(body).not.toHaveProperty("scope");
    expect(decodeJwt(stringMember(body, "access_token"))).not.toHaveProperty("scope");
  });
});

describe("the next token", () => {
  test("reflects a removed scope of the grant, a removed scope of the API, and a deleted grant", async () => {
    const { id, secret, audience: aud, grantId, apiId } = await granted();
    const expected = { grant_type: "client_credentials", audience: aud, client_id: id, client_secret: secret };
    expect(jsonBody(await request(expected))["scope"]).toBe("read:things write:things");
    jsonBody(await manage("PATCH", `/api/v2/client-grants/${grantId}`, { scope: ["write:things", "purge:things"] }));
    expect(jsonBody(await request(expected))["scope"]).toBe("write:things purge:things");
    jsonBody(await manage("PATCH", `/api/v2/resource-servers/${apiId}`, { scopes: [{ value: "write:things" }] }));
    expect(jsonBody(await request(expected))["scope"]).toBe("write:things");
    expect(await manage("DELETE", `/api/v2/client-grants/${grantId}`)).toMatchObject({ status: 204 });
    expectError(await request(expected), 400, "access_denied");
  });

  test("reflects a deleted API, a deleted client and a removed grant type", async () => {
    const one = await granted();
    const expected = { grant_type: "client_credentials", audience: one.audience, client_id: one.id, client_secret: one.secret };
    expect(await request(expected)).toMatchObject({ status: 200 });
    jsonBody(await manage("PATCH", `/api/v2/clients/${one.id}`, { grant_types: ["authorization_code"] }));
    expectError(await request(expected), 400, "unauthorized_client", "client_credentials");
    jsonBody(await manage("PATCH", `/api/v2/clients/${one.id}`, { grant_types: ["client_credentials"] }));
    await manage("DELETE", `/api/v2/resource-servers/${one.apiId}`);
    expectError(await request(expected), 400, "access_denied");
    await manage("DELETE", `/api/v2/clients/${one.id}`);
    expectError(await request(expected), 401, "invalid_client");
  });

  test("requires the new secret after a rotation", async () => {
    const { id, secret, audience: aud } = await granted();
    const expected = { grant_type: "client_credentials", audience: aud, client_id: id };
    const rotated = jsonBody(await manage("POST", `/api/v2/clients/${id}/rotate-secret`));
    expectError(await request({ ...expected, client_secret: secret }), 401, "invalid_client");
    expect(await request({ ...expected, client_secret: stringMember(rotated, "client_secret") })).toMatchObject({ status: 200 });
  });

  test("reflects a policy that denies every client", async () => {
    const { id, secret, audience: aud, apiId } = await granted();
    const expected = { grant_type: "client_credentials", audience: aud, client_id: id, client_secret: secret };
    jsonBody(
      await manage("PATCH", `/api/v2/resource-servers/${apiId}`, { subject_type_authorization: { client: { policy: "deny_all" } } }),
    );
    expectError(await request(expected), 400, "access_denied");
  });
});

describe("an invalid client credentials request", () => {
  test("is rejected alike for an unknown client and a wrong secret", async () => {
    const { id, audience: aud } = await granted();
    const expected = { grant_type: "client_credentials", audience: aud };
    const wrong = await request({ ...expected, client_id: id, client_secret: "wrong" });
    const unknown = await request({ ...expected, client_id: "unknown", client_secret: "wrong" });
    expectError(wrong, 401, "invalid_client");
    expect(unknown.body).toEqual(wrong.body);
    expect(unknown.status).toBe(wrong.status);
    const names = (response: ApiResponse) => [...response.headers.keys()].filter((name) => name !== "x-request-id");
    expect(names(unknown)).toEqual(names(wrong));
    // A missing secret gets the same response as a wrong one.
    expect((await request({ ...expected, client_id: id })).body).toEqual(wrong.body);
  });

  test("is rejected with WWW-Authenticate only if the client used the Authorization header (RFC 6749 section 5.2)", async () => {
    const { id, audience: aud } = await granted();
    const expected = { grant_type: "client_credentials", audience: aud };
    for (const headers of [basic(id, "wrong"), basic("unknown", "wrong"), { authorization: "Basic !!!" }, { authorization: "Basic" }]) {
      const response = await form(expected, headers);
      expectError(response, 401, "invalid_client");
      expect(response.headers.get("www-authenticate")).toBe('Basic realm="postern"');
    }
    expect((await form({ ...expected, client_id: id, client_secret: "wrong" })).headers.get("www-authenticate")).toBeNull();
  });

  test("is rejected with two authentication methods or two clients", async () => {
    const { id, secret, audience: aud } = await granted();
    const expected = { grant_type: "client_credentials", audience: aud };
    expectError(
      await form({ ...expected, client_id: id, client_secret: secret }, basic(id, secret)),
      400,
      "invalid_request",
      "more than one authentication method",
    );
    const assertion = { client_assertion: "a.b.c", client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" };
    expectError(
      await form({ ...expected, ...assertion }, basic(id, secret)),
      400,
      "invalid_request",
      "more than one authentication method",
    );
    expectError(
      await form({ ...expected, client_id: id, client_secret: secret, ...assertion }),
      400,
      "invalid_request",
      "more than one authentication method",
    );
    expectError(
      await form({ ...expected, client_id: "other-manager" }, basic(id, secret)),
      400,
      "invalid_request",
      "two different client ids",
    );
  });

  test("is rejected with a repeated parameter", async () => {
    const { id, secret, audience: aud } = await granted();
    const fields = [
      ["grant_type", "client_credentials"],
      ["client_id", id],
      ["client_secret", secret],
      ["audience", aud],
    ] as const;
    expectError(await form([...fields, ["audience", aud]]), 400, "invalid_request", "'audience'.*more than once");
    expectError(await form([...fields, ["client_id", id]]), 400, "invalid_request", "'client_id'.*more than once");
  });

  test("is rejected with unsupported_grant_type for an unknown grant type, and with invalid_request for a missing one", async () => {
    const { id, secret } = await granted();
    const credentials = { client_id: id, client_secret: secret };
    for (const grant_type of ["nonsense", "constructor", "__proto__"]) {
      expectError(await request({ ...credentials, grant_type }), 400, "unsupported_grant_type");
    }
    expectError(await request(credentials), 400, "invalid_request", "'grant_type'");
    expectError(await request({ ...credentials, grant_type: "" }), 400, "invalid_request", "'grant_type'");
    expectError(await request({ ...credentials, grant_type: 7 }), 400, "invalid_request", "'grant_type'");
    expectError(await request({ ...credentials, grant_type: ["client_credentials"] }), 400, "invalid_request", "'grant_type'");
  });

  test("is rejected for an unknown API, an API without a grant, and a scope that is not granted", async () => {
    const { id, secret, audience: aud } = await granted();
    const expected = { grant_type: "client_credentials", client_id: id, client_secret: secret };
    expectError(await request({ ...expected, audience: "https://nowhere.example.test/" }), 400, "access_denied", "nowhere");
    expectError(await request({ ...expected, audience: managementAudience }), 400, "access_denied", "not authorized");
    expectError(await request({ ...expected, audience: aud, scope: "read:things purge:things" }), 400, "invalid_scope", "purge:things");
    expectError(await request({ ...expected, audience: "" }), 400, "invalid_request", "'audience'");
    expectError(await request({ ...expected, audience: "x".repeat(601) }), 400, "invalid_request", "'audience'");
    expectError(await request({ ...expected, audience: [aud] }), 400, "invalid_request", "'audience'");
    expectError(await request({ ...expected, audience: aud, scope: { a: 1 } }), 400, "invalid_request", "'scope'");
  });

  test("is rejected for a public client, although its client_id alone identifies it", async () => {
    const spa = await manage.create("/api/v2/clients", { name: "Page", app_type: "spa" });
    const expected = { grant_type: "client_credentials", audience: managementAudience, client_id: stringMember(spa, "client_id") };
    expectError(await request(expected), 400, "unauthorized_client");
    expectError(await request({ ...expected, client_secret: "anything" }), 401, "invalid_client");
  });

  test("is rejected without a client, or with credentials that are not strings", async () => {
    expectError(
      await request({ grant_type: "client_credentials", client_id: 5, client_secret: "x" }),
      400,
      "invalid_request",
      "'client_id'",
    );
    expectError(
      await request({ grant_type: "client_credentials", client_id: "main-manager", client_secret: 5 }),
      400,
      "invalid_request",
      "'client_secret'",
    );
    expectError(await request({ grant_type: "client_credentials" }), 400, "invalid_request", "'client_id'");
  });

  test("is rejected with 405 and the allowed method if it is a GET request", async () => {
    const response = await service.call("GET", "/oauth/token");
    expectError(response, 405, "method_not_allowed", "POST");
    expect(response.headers.get("allow")).toBe("POST");
  });
});

test("issues only tokens that are short enough to be introspected", async () => {
  const values = Array.from({ length: 60 }, (_, i) => `${i}:${"s".repeat(275)}`.slice(0, 275));
  const get = async (count: number) => {
    const scope = values.slice(0, count);
    const { id, secret, audience: aud } = await granted({ api: { scopes: scope.map((value) => ({ value })) }, scope });
    const authentication = { client_id: id, client_secret: secret };
    return { authentication, response: await request({ grant_type: "client_credentials", audience: aud, ...authentication }) };
  };
  const { authentication, response } = await get(42);
  const token = stringMember(jsonBody(response), "access_token");
  expect(token.length).toBeGreaterThan(15_500);
  expect(await service.call("POST", "/oauth/introspect", { body: { token, ...authentication } })).toMatchObject({
    status: 200,
    body: { active: true },
  });
  for (const count of [44, 60]) expectError((await get(count)).response, 400, "invalid_request", "longer than 16384 characters");
});

describe("the audit log", () => {
  test("contains seccft with client, audience and scope for each token, and never a secret", async () => {
    const { id, secret, audience: aud } = await granted();
    await request({ grant_type: "client_credentials", audience: aud, client_id: id, client_secret: secret }, { "user-agent": "robot/1" });
    const event = (await auditEvents(manage, "seccft")).find((row) => row["client_id"] === id);
    expect(event).toMatchObject({
      client_id: id,
      client_name: "Machine",
      audience: aud,
      scope: "read:things write:things",
      ip: "192.0.2.1",
      user_agent: "robot/1",
      hostname: "id.example.test",
    });
    expect(JSON.stringify(event)).not.toContain(secret);
  });

  test("contains feccft for each rejection: wrong secret, unknown client, ungranted scope", async () => {
    const { id, secret, audience: aud } = await granted();
    const expected = { grant_type: "client_credentials", audience: aud, client_id: id };
    await request({ ...expected, client_secret: "wrong-secret-value" });
    await request({ ...expected, client_secret: secret, scope: "purge:things" });
    await request({ ...expected, client_id: "unknown-client", client_secret: "x" });
    const events = await auditEvents(manage, "feccft");
    expect(events.filter((row) => row["client_id"] === id)).toHaveLength(2);
    expect(events.filter((row) => row["client_id"] === "unknown-client")).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain("wrong-secret-value");
  });
});
