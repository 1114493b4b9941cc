import { createMemoryAdapter } from "@postern/memory";
import { exportSPKI, generateKeyPair, importSPKI, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { createPublicKey } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { strictAdapter } from "./protocol/stores.ts";
import { expectError, managerOf, jsonBody, type JsonBody, type Manager } from "./support/api.ts";
import { clientSecret, createTestPostern, issuer, managementAudience, type ApiResponse, type TestPostern } from "./support/postern.ts";

const connection = "Username-Password-Authentication";
const json = { "content-type": "application/json" };

let service: TestPostern;
let manage: Manager;
let token: string;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  token = await service.token();
  await manage.create("/api/v2/users", { connection, email: "known@example.test", user_id: "auth0|known" });
});

afterAll(async () => {
  // None of the requests caused a server error, and the process still works.
  expect(service.faults).toEqual([]);
  expect(await manage("GET", "/api/v2/users/auth0%7Cknown")).toMatchObject({ status: 200, body: { email: "known@example.test" } });
});

const routes = [
  ["POST", "/api/v2/users"],
  ["PATCH", "/api/v2/users/auth0%7Cknown"],
  ["POST", "/api/v2/clients"],
  ["POST", "/api/v2/client-grants"],
  ["POST", "/api/v2/connections"],
  ["POST", "/api/v2/resource-servers"],
  ["PATCH", "/api/v2/tenants/settings"],
  ["POST", "/oauth/token"],
] as const;

describe.each(routes)("%s %s", (method, path) => {
  // The token endpoint checks the client first.
  const error = path === "/oauth/token" ? /^body|'client_id' is missing/ : /^body/;
  const send = (body: BodyInit | undefined, headers: { readonly [name: string]: string } = json) =>
    sendRaw(method, path, body, path.startsWith("/api") ? { authorization: `Bearer ${token}`, ...headers } : headers);

  test.each([
    ["half an object", '{"a":'],
    ["a comment", "{} // x"],
    ["single quotes", "{'a':1}"],
    ["a trailing comma", '{"a":1,}'],
    ["words", "hello"],
    ["two values", "{}{}"],
    ["NaN", '{"a":NaN}'],
    ["a byte order mark alone", "\uFEFF"],
    ["spaces", "   "],
  ])("rejects malformed JSON: %s", async (_, body) => {
    expectError(await send(body), 400, "invalid_request", error);
  });

  test.each([
    ["an array", "[]"],
    ["null", "null"],
    ["a number", "1"],
    ["text", '"text"'],
    ["true", "true"],
  ])("rejects JSON that is not an object: %s", async (_, body) => {
    expectError(await send(body), 400, "invalid_request", error);
  });

  test("rejects an empty and a missing body", async () => {
    expectError(await send(""), 400, "invalid_request", /is missing/);
    expectError(await send(undefined), 400, "invalid_request", /is missing/);
  });

  test.each([
    "text/plain",
    "text/html; charset=utf-8",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/jsonp",
    "*/*",
    "",
  ])("rejects the content type %j", async (type) => {
    expectError(await send('{"a":1}', { "content-type": type }), 415, "unsupported_media_type", "content-type");
  });

  test("parses the JSON content types as JSON", async () => {
    for (const type of ["application/json", "APPLICATION/JSON; charset=utf-8", "application/merge-patch+json"]) {
      expectError(await send("[]", { "content-type": type }), 400, "invalid_request", error);
    }
  });

  test("rejects a body of two megabytes, whatever its Content-Length", async () => {
    const large = `{"a":"${"x".repeat(2 * 1024 * 1024)}"}`;
    expectError(await send(large), 413, "payload_too_large");
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < 32; i++) controller.enqueue(new TextEncoder().encode("x".repeat(65_536)));
        controller.close();
      },
    });
    expectError(await send(stream), 413, "payload_too_large");
    expectError(await send("{}", { ...json, "content-length": "99999999" }), 413, "payload_too_large");
  });

  test("rejects JSON that is nested 65 and 5,000 levels deep", async () => {
    for (const depth of [65, 5000]) {
      const deep = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
      expectError(await send(deep), 400, "invalid_request", "nest");
      expectError(await send(`{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`), 400, "invalid_request", "nest");
    }
    // Deep enough to overflow the stack of a recursive parser.
    expectError(await send(`{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`), 400, "invalid_request", "^body");
  });

  test("rejects NUL, lone surrogates, numbers out of range and invalid UTF-8", async () => {
    expectError(await send('{"a":"x\\u0000y"}'), 400, "invalid_request", "NUL");
    expectError(await send('{"x\\u0000y":1}'), 400, "invalid_request", "NUL");
    expectError(await send('{"a":{"b":["\\ud800"]}}'), 400, "invalid_request", "well-formed");
    expectError(await send('{"\\udfff":1}'), 400, "invalid_request", "well-formed");
    expectError(await send('{"a":1e999}'), 400, "invalid_request", "range");
    expectError(await send(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 400, "invalid_request", "UTF-8");
  });

  test("rejects an unknown field, and the error names it", async () => {
    // OAuth ignores unknown parameters (RFC 6749 section 3.2).
    if (path === "/oauth/token") return;
    for (const field of ["nonsense", "__proto__", "constructor", "a.b", ""]) {
      const answer = await send(`{${JSON.stringify(field)}:1}`);
      expect(answer).toMatchObject({ status: 400 });
      if (method === "PATCH") expectError(answer, 400, "invalid_request", `'${field}'`);
    }
  });
});

test("a route that accepts only JSON rejects a form", async () => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" };
  expectError(await sendRaw("POST", "/api/v2/clients", "name=x", headers), 415, "unsupported_media_type", "application/json");
});

test("forms with NUL or a repeated parameter are rejected, and invalid percent-encoding is taken literally", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const base = `grant_type=client_credentials&client_id=main-manager&client_secret=${clientSecret}`;
  expectError(await sendRaw("POST", "/oauth/token", `${base}&audience=%00`, form), 400, "invalid_request", "NUL");
  expectError(await sendRaw("POST", "/oauth/token", `${base}&%00=1`, form), 400, "invalid_request", "NUL");
  expectError(
    await sendRaw("POST", "/oauth/token", `${base}&client_secret=x`, form),
    400,
    "invalid_request",
    "'client_secret'.*more than once",
  );
  expectError(
    await sendRaw("POST", "/oauth/token", `${base}&__proto__=1&__proto__=2`, form),
    400,
    "invalid_request",
    "'__proto__'.*more than once",
  );
  expectError(await sendRaw("POST", "/oauth/token", `${base}&audience=%zz`, form), 400, "access_denied");
  expectError(await sendRaw("POST", "/oauth/token", `${base}&audience=%ff`, form), 400, "access_denied");
});

test("a path with invalid percent-encoding, NUL or a lone surrogate is rejected", async () => {
  for (const path of ["users", "clients", "client-grants", "connections", "resource-servers", "logs"]) {
    for (const [id, error] of [
      ["%zz", "percent-encoding"],
      ["%", "percent-encoding"],
      ["%ff", "percent-encoding"],
      ["%ed%a0%80", "percent-encoding"],
      ["a%00b", "NUL"],
    ] as const) {
      const body = expectError(await manage("GET", `/api/v2/${path}/${id}`), 400, "invalid_request", new RegExp(`'id'.*${error}`));
      expect(body).toMatchObject({ errorCode: "invalid_uri" });
    }
  }
});

test("a query with NUL or invalid percent-encoding is rejected or taken literally", async () => {
  expectError(await manage("GET", "/api/v2/users?q=a%00b"), 400, "invalid_request", "NUL");
  expectError(await manage("GET", "/api/v2/users?a%00b=1"), 400, "invalid_request", "NUL");
  expectError(await manage("GET", "/api/v2/users?per_page=%zz"), 400, "invalid_request", "'per_page'");
  expect([200, 400]).toContain((await manage("GET", "/api/v2/users?q=%ff%fe")).status);
});

test("a query with 25,000 parameters is traversed as often as one with ten, by both APIs", async () => {
  const traversals = async (path: string, count: number): Promise<number> => {
    const query = new URLSearchParams(Array.from({ length: count }, (_, i) => [`n${i}`, "v"])).toString();
    const methods = ["get", "getAll", "has", "keys", "values", "entries", "forEach", "toString"] as const;
    const spies = methods.map((name) => vi.spyOn(URLSearchParams.prototype, name));
    try {
      await service.call("GET", `${path}?${query}`, { token });
      return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  };
  for (const path of ["/authorize", "/u/login", "/api/v2/users", "/api/v2/users/none"]) {
    expect(await traversals(path, 25_000), path).toBe(await traversals(path, 10));
  }
});

test("NUL and lone surrogates in Basic credentials, assertions and token claims never reach the store", async () => {
  const strict = await createTestPostern({ data: strictAdapter(createMemoryAdapter({ strict: true })) });
  const requestToken = (headers: { readonly [name: string]: string }, body: JsonBody = {}) =>
    strict.call("POST", "/oauth/token", { headers, body: { grant_type: "client_credentials", audience: managementAudience, ...body } });
  const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  for (const id of ["a%00b", "%00", "x".repeat(300)]) {
    const answer = await requestToken({ authorization: `Basic ${Buffer.from(`${id}:secret`).toString("base64")}` });
    expect([400, 401]).toContain(answer.status);
  }
  for (const sub of ["a\0b", "\ud800"]) {
    const assertion = new UnsecuredJWT({ sub, iss: sub }).encode();
    expect([400, 401]).toContain((await requestToken({}, { client_assertion: assertion, client_assertion_type: type })).status);
    const forged = `${Buffer.from('{"alg":"ES256","kid":"x"}').toString("base64url")}.${Buffer.from(JSON.stringify({ tenant_id: sub })).toString("base64url")}.x`;
    expect((await strict.call("GET", "/api/v2/users", { token: forged })).status).toBe(401);
  }
  expect(strict.faults).toEqual([]);
});

test("an id longer than any stored id responds with 404 and never reaches the store", async () => {
  const strict = await createTestPostern({ data: strictAdapter(createMemoryAdapter({ strict: true })) });
  const requestToken = await managerOf(strict);
  const paths = [
    "users",
    "clients",
    "client-grants",
    "connections",
    "resource-servers",
    "logs",
    "roles",
    "organizations",
    "organizations/name",
  ];
  for (const path of [...paths, "sessions", "refresh-tokens", "custom-domains"]) {
    for (const id of ["x".repeat(601), `org_${"x".repeat(4000)}`]) {
      expectError(await requestToken("GET", `/api/v2/${path}/${id}`), 404, "not_found");
    }
  }
  for (const path of ["users", "clients", "sessions", "grants"]) {
    expect((await requestToken("DELETE", `/api/v2/${path}/${"x".repeat(601)}`)).status).toBeLessThan(500);
  }
  expect(strict.faults).toEqual([]);
});

describe("an access token", () => {
  const get = (value: string, headers = {}) => service.call("GET", "/api/v2/users", { token: value, headers });

  const expectInvalidToken = (answer: ApiResponse, error = "") => {
    expectError(answer, 401, "invalid_token", error);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
  };

  /** Returns the only key of the JWKS as text, which an attacker could use as a secret. */
  async function publicPem(): Promise<string> {
    const { keys } = jsonBody(await service.call("GET", "/.well-known/jwks.json"));
    const [jwk] = Array.isArray(keys) ? keys : [];
    return createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" }).toString();
  }

  const parts = () =>
    token
      .split(".")
      .map((part, i) =>
        i < 2 ? (JSON.parse(Buffer.from(part, "base64url").toString()) as JWTPayload & { kid: string; alg: string }) : part,
      ) as [JWTPayload & { kid: string; alg: string }, JWTPayload, string];

  test("that is missing, has another scheme, is sent twice or is malformed is rejected", async () => {
    const challenge = await service.call("GET", "/api/v2/users");
    expectInvalidToken(challenge, "Authorization: Bearer");
    for (const authorization of [
      "Bearer",
      "Bearer ",
      "Basic abc",
      "Bearer a b",
      token,
      `Bearer ${token} x`,
      `bearer  ${token}`,
      "Bearer null",
      "Bearer ...",
      "Bearer a.b.c",
      `Bearer ${token.slice(0, -5)}`,
      `Bearer ${token}A`,
    ]) {
      expectInvalidToken(await service.call("GET", "/api/v2/users", { headers: { authorization } }));
    }
    expect(await service.call("GET", "/api/v2/users", { headers: { authorization: `bEARER ${token}` } })).toMatchObject({ status: 200 });
    expectInvalidToken(await service.call("GET", `/api/v2/users?access_token=${token}`));
  });

  test("that is forged is rejected: another key, `alg: none`, HS256 with the public key, changed claims, unusual headers", async () => {
    const [header, payload, signature] = parts();
    const fresh = await generateKeyPair("ES256");
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const pem = await publicPem();
    const spki = await exportSPKI(await importSPKI(pem, "ES256"));
    const forgeries = [
      await new SignJWT(payload).setProtectedHeader(header).sign(fresh.privateKey),
      await new SignJWT(payload).setProtectedHeader({ ...header, kid: "unknown" }).sign(fresh.privateKey),
      new UnsecuredJWT(payload).encode(),
      `${encoded({ ...header, alg: "none" })}.${encoded(payload)}.`,
      `${encoded({ ...header, alg: "None" })}.${encoded(payload)}.${signature}`,
      ...(await Promise.all(
        [pem, spki, pem.trim()].map((secret) =>
          new SignJWT(payload).setProtectedHeader({ ...header, alg: "HS256" }).sign(new TextEncoder().encode(secret)),
        ),
      )),
      `${encoded(header)}.${encoded({ ...payload, scope: "everything" })}.${signature}`,
      `${encoded(header)}.${encoded({ ...payload, tenant_id: "other" })}.${signature}`,
      `${encoded({ ...header, kid: undefined })}.${encoded(payload)}.${signature}`,
      `${encoded({ ...header, kid: { a: 1 } })}.${encoded(payload)}.${signature}`,
      `${encoded({ ...header, jwk: {}, jku: "https://evil.example/" })}.${encoded(payload)}.${signature}`,
      `${encoded({ ...header, crit: ["x"], x: 1 })}.${encoded(payload)}.${signature}`,
      `${encoded(header)}.${encoded([])}.${signature}`,
      `${encoded(header)}.${encoded({ ...payload, tenant_id: { $ne: null } })}.${signature}`,
      `${encoded(header)}.${encoded({ ...payload, tenant_id: "nowhere" })}.${signature}`,
      `${encoded(header)}.${encoded({ ...payload, tenant_id: "x".repeat(500) })}.${signature}`,
      "e30.e30.",
    ];
    for (const forgery of forgeries) expectInvalidToken(await get(forgery));
    expect((await get(token)).status).toBe(200);
  });

  test("is rejected from the second of its expiry on", async () => {
    const fresh = await createTestPostern();
    const freshToken = await fresh.token();
    fresh.clock.advance(86_399_000);
    expect((await fresh.call("GET", "/api/v2/users", { token: freshToken })).status).toBe(200);
    fresh.clock.advance(1000);
    expectInvalidToken(await fresh.call("GET", "/api/v2/users", { token: freshToken }), "expired");
  });

  test("for another API is rejected", async () => {
    await manage.create("/api/v2/resource-servers", { identifier: "https://else.example.test", scopes: [{ value: "read:users" }] });
    await manage.create("/api/v2/client-grants", {
      client_id: "main-manager",
      audience: "https://else.example.test",
      scope: ["read:users"],
    });
    const answer = await service.call("POST", "/oauth/token", {
      body: {
        grant_type: "client_credentials",
        client_id: "main-manager",
        client_secret: clientSecret,
        audience: "https://else.example.test",
      },
    });
    expectInvalidToken(await get(String(jsonBody(answer)["access_token"])), "another API");
  });

  test("that another service with the same issuer and tenant id issued is rejected", async () => {
    const twin = await createTestPostern();
    expectInvalidToken(await get(await twin.token()));
  });

  test("of another tenant is rejected with 403, whether the requested tenant exists or not", async () => {
    const other = await service.token("other");
    expect((await get(other, { "tenant-id": "other" })).status).toBe(200);
    const existing = expectError(await get(other, { "tenant-id": "main" }), 403, "forbidden");
    expect(expectError(await get(other, { "tenant-id": "nowhere" }), 403, "forbidden")).toEqual(existing);
    for (const tenantId of ["", "MAIN", " other", "main,other", "../main", "x".repeat(300)]) {
      if (tenantId.trim() === "other") continue;
      expectError(await get(other, { "tenant-id": tenantId }), 403, "forbidden");
    }
  });

  test("without the required scope is rejected with 403, and the error names the scope", async () => {
    const answer = await service.call("POST", "/oauth/token", {
      body: {
        grant_type: "client_credentials",
        client_id: "main-manager",
        client_secret: clientSecret,
        audience: managementAudience,
        scope: "read:clients",
      },
    });
    const narrow = String(jsonBody(answer)["access_token"]);
    for (const [method, path, scope] of [
      ["GET", "/api/v2/users", "read:users"],
      ["POST", "/api/v2/users", "create:users"],
      ["PATCH", "/api/v2/users/x", "update:users"],
      ["DELETE", "/api/v2/users/x", "delete:users"],
      ["POST", "/api/v2/clients/x/rotate-secret", "update:client_keys"],
      ["GET", "/api/v2/logs", "read:logs"],
      ["PATCH", "/api/v2/tenants/settings", "update:tenant_settings"],
    ] as const) {
      const refusal = await service.call(method, path, { token: narrow, ...(method !== "GET" && method !== "DELETE" && { body: {} }) });
      expect(expectError(refusal, 403, "insufficient_scope", `expected any of: .*${scope}`)).toMatchObject({
        errorCode: "insufficient_scope",
      });
      expect(refusal.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    }
    expect((await service.call("GET", "/api/v2/clients", { token: narrow })).status).toBe(200);
  });
});

test("random requests never cause a server error, and every error has the flat format", async () => {
  const fresh = await createTestPostern();
  const routes: (readonly [string, string])[] = [];
  for (const document of ["/api/v2/spec", "/.well-known/openapi.json"]) {
    for (const [path, methods] of Object.entries(jsonBody(await fresh.call("GET", document))["paths"] as JsonBody)) {
      for (const method of Object.keys(methods as JsonBody)) routes.push([method.toUpperCase(), path]);
    }
  }
  expect(routes.length).toBeGreaterThan(40);
  const freshToken = await fresh.token();
  const seeds = {
    users: "auth0|seed",
    clients: "main-manager",
    connections: "con_x",
    logs: "x",
    "resource-servers": managementAudience,
    "client-grants": "cgr_x",
  };
  const manageOwn = await managerOf(fresh);
  await manageOwn.create("/api/v2/users", { connection, email: "seed@example.test", user_id: "auth0|seed" });

  const word = fc.oneof(
    fc.constantFrom(
      "",
      "0",
      "-1",
      "true",
      "null",
      "main",
      "other",
      "main-manager",
      "auth0|seed",
      "con_x",
      "%",
      "../..",
      "'; drop table users --",
      "$ne",
      "__proto__",
      "\u202e",
      "🦊",
      "\u0000",
      "\ud800",
      ...[64, 128, 150, 255, 300, 301, 601].map((length) => "a".repeat(length)),
      `${"a".repeat(305)}@example.test`,
      "+4912345",
      "a@example.test",
      "read:users",
      "https://x.test/",
      managementAudience,
      connection,
      "client_credentials",
      "authorization_code",
      "refresh_token",
      "password",
      "code",
      "none",
      "login",
      "S256",
      "query",
      "form_post",
      "web_message",
      "openid profile",
      "main.x",
      "2026-01-01T00:00:00Z",
    ),
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.string({ unit: "binary", maxLength: 20 }),
  );
  const name = fc.oneof(
    fc.constantFrom(
      "page",
      "per_page",
      "sort",
      "q",
      "from",
      "take",
      "fields",
      "include_fields",
      "include_totals",
      "name",
      "client_id",
      "client_secret",
      "audience",
      "scope",
      "connection",
      "email",
      "user_id",
      "app_metadata",
      "user_metadata",
      "identifier",
      "scopes",
      "strategy",
      "options",
      "callbacks",
      "grant_type",
      "grant_types",
      "client_assertion",
      "client_assertion_type",
      "token_lifetime",
      "jwt_configuration",
      "refresh_token",
      "flags",
      "session_lifetime",
      "enabled_clients",
      "client_authentication_methods",
      "blocked",
      "password",
      "phone_number",
      "search",
      "client_metadata",
      "metadata",
      "realms",
      "redirect_uri",
      "response_type",
      "response_mode",
      "code_challenge",
      "code_challenge_method",
      "state",
      "nonce",
      "prompt",
      "max_age",
      "login_hint",
      "id_token_hint",
      "organization",
      "request",
      "ui_locales",
      "code",
      "code_verifier",
      "refresh_token",
      "token",
      "token_type_hint",
      "access_token",
      "returnTo",
      "post_logout_redirect_uri",
      "federated",
      "username",
      "action",
    ),
    word,
  );
  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      word,
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(name, tie("value"), { maxKeys: 4 }),
    ),
  }))["value"] as fc.Arbitrary<unknown>;
  const body = fc.oneof(
    { weight: 6, arbitrary: fc.dictionary(name, value, { maxKeys: 6 }).map((fields) => JSON.stringify(fields)) },
    { weight: 1, arbitrary: value.map((one) => JSON.stringify(one) ?? "") },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  );
  const query = fc.array(fc.tuple(name, word), { maxLength: 4 });

  // Bodies that are valid except for a field or two reach more code than completely random ones.
  const validBodies: { readonly [route: string]: (n: number) => object } = {
    "POST /api/v2/users": (n) => ({ connection, email: `fuzz-${n}@example.test` }),
    "PATCH /api/v2/users/{id}": () => ({ name: "x" }),
    "POST /api/v2/clients": () => ({ name: "x", app_type: "regular_web" }),
    "PATCH /api/v2/clients/{id}": () => ({ description: "x" }),
    "POST /api/v2/client-grants": () => ({
      client_id: "main-manager",
      audience: managementAudience,
      scope: ["read:users"],
      subject_type: "user",
    }),
    "POST /api/v2/connections": (n) => ({ name: `fuzz-${n}`, strategy: "auth0" }),
    "POST /api/v2/resource-servers": (n) => ({ identifier: `https://fuzz-${n}.example.test` }),
    "PATCH /api/v2/tenants/settings": () => ({ friendly_name: "x" }),
    "POST /oauth/token": () => ({
      grant_type: "client_credentials",
      client_id: "main-manager",
      client_secret: clientSecret,
      audience: managementAudience,
    }),
  };
  let serial = 0;

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...routes),
      fc.option(word),
      query,
      body,
      fc.constantFrom("application/json", "application/x-www-form-urlencoded", "text/plain"),
      fc.dictionary(
        fc.constantFrom("prefer", "tenant-id", "if-none-match", "origin", "accept", "x-forwarded-for", "x-forwarded-host"),
        fc.string({ unit: fc.constantFrom(...Array.from('abc,;=*/ ":éÿ0')), maxLength: 12 }).map((text) => text.trim()),
        { maxKeys: 2 },
      ),
      fc.option(fc.array(fc.tuple(name, value), { maxLength: 2 })),
      async ([method, route], id, parameters, random, type, headers, changes) => {
        const validBody = changes === null ? undefined : validBodies[`${method} ${route}`]?.(++serial);
        const jsonBody =
          validBody === undefined || changes === null ? random : JSON.stringify({ ...validBody, ...Object.fromEntries(changes) });
        const resource = route.split("/")[3] ?? "";
        const segment = id ?? (resource in seeds ? seeds[resource as keyof typeof seeds] : "x");
        const path = route.replace(/\{\w+\}/g, () => encodeURIComponent(segment.toWellFormed()).replaceAll(".", "%2E"));
        const text = new URLSearchParams(parameters.map(([key, one]) => [key.toWellFormed(), one.toWellFormed()])).toString();
        const form = type.includes("form")
          ? new URLSearchParams(parameters.map(([key, one]) => [key.toWellFormed(), one.toWellFormed()])).toString()
          : jsonBody;
        const answer = await sendRaw(
          method,
          `${path}${text === "" ? "" : `?${text}`}`,
          method === "GET" || method === "DELETE" ? undefined : form,
          { "content-type": type, authorization: `Bearer ${freshToken}`, ...headers },
          fresh,
        );
        expect(answer.status, `${method} ${path}?${text} ${form}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
        if (answer.status >= 400 && answer.headers.get("content-type")?.startsWith("text/html") !== true)
          expect(answer.body).toMatchObject({ error: expect.any(String), error_description: expect.any(String) });
      },
    ),
    { numRuns: 300 },
  );
  expect(fresh.faults).toEqual([]);
});

test("each field of each body accepts each unusual value or rejects it with a 4xx status", { timeout: 60_000 }, async () => {
  const fresh = await createTestPostern();
  const freshToken = await fresh.token();
  const { paths, components } = jsonBody(await fresh.call("GET", "/api/v2/spec")) as { paths: JsonBody; components: { schemas: JsonBody } };
  const unusualValues = [
    null,
    "",
    "x".repeat(301),
    `${"a".repeat(305)}@example.test`,
    "🦊",
    2 ** 53,
    0.5,
    true,
    [null],
    [""],
    {},
    { a: null },
  ];
  const required: { readonly [field: string]: (n: number) => unknown } = {
    connection: () => connection,
    email: (n) => `odd-${n}@example.test`,
    name: (n) => `odd-${n}`,
    strategy: () => "auth0",
    identifier: (n) => `https://odd-${n}.example.test`,
    client_id: () => "main-manager",
    audience: () => managementAudience,
    display_name: () => "odd",
  };
  let serial = 0;
  const faults: string[] = [];
  // The last created id of each resource, for the routes that change one.
  const createdIds = new Map<string, string>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations as JsonBody)) {
      const reference = /"\$ref":"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify((operation as JsonBody)["requestBody"] ?? {}))?.[1];
      const schema = (reference === undefined ? {} : components.schemas[reference]) as {
        readonly properties?: JsonBody;
        readonly required?: readonly string[];
      };
      for (const field of Object.keys(schema.properties ?? {})) {
        // Hashing would take most of the time, and other tests cover it.
        if (field === "password") continue;
        for (const value of unusualValues) {
          serial++;
          const requiredFields =
            ["connection", "email"].every((one) => one in (schema.properties ?? {})) && method === "post" ? ["connection", "email"] : [];
          const base = Object.fromEntries(
            [...requiredFields, ...(schema.required ?? [])].map((one) => [one, required[one]?.(serial) ?? "x"]),
          );
          const url = path
            .replace(/^(\/api\/v2\/[^/]+)\/\{\w+\}/, (_, base: string) => `${base}/${encodeURIComponent(createdIds.get(base) ?? "x")}`)
            .replace(/\{\w+\}/g, "x");
          const body = JSON.stringify({ ...base, [field]: value });
          const answer = await sendRaw(method.toUpperCase(), url, body, { ...json, authorization: `Bearer ${freshToken}` }, fresh);
          if (method === "post" && answer.status === 201) {
            const { user_id: userId, client_id: clientId, id = userId ?? clientId } = jsonBody(answer, 201);
            createdIds.set(path, String(id));
          }
          if (answer.status >= 500) faults.push(`${method} ${url} ${body.slice(0, 120)}`);
        }
      }
    }
  }
  expect(serial).toBeGreaterThan(1000);
  expect(faults).toEqual([]);
});

/** Sends a request with an unmodified body. */
async function sendRaw(
  method: string,
  path: string,
  body: BodyInit | undefined,
  headers: { readonly [name: string]: string },
  to = service,
): Promise<ApiResponse> {
  const init = { method, headers, ...(body !== undefined && { body }), ...(body instanceof ReadableStream && { duplex: "half" }) };
  const response = await to.postern.fetch(new Request(issuer + path.slice(1), init));
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: response.headers.get("content-type")?.startsWith("application/json") === true ? (JSON.parse(text) as unknown) : text,
  };
}
