import { exportSPKI, generateKeyPair } from "jose";
import { beforeAll, expect, test } from "vitest";
import { auditEvents, expectError, list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, managementAudience, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
let manage: Manager;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

/** A secret that the caller chose. */
const chosenSecret = "a-secret-that-the-caller-has-chosen-itself";
const create = (body: JsonBody = {}) => manage.create("/api/v2/clients", { name: "App", ...body });
const path = (client: JsonBody) => `/api/v2/clients/${stringMember(client, "client_id")}`;

test("the API returns a client's secret only when it is created or rotated", async () => {
  const client = await create({ app_type: "regular_web" });
  const secret = stringMember(client, "client_secret");
  expect(stringMember(client, "client_id")).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(secret).toMatch(/^[\w-]{48,}$/);
  const rotated = stringMember(jsonBody(await manage("POST", `${path(client)}/rotate-secret`)), "client_secret");
  expect(rotated).not.toBe(secret);
  const later = await Promise.all([
    manage("GET", path(client)),
    manage("PATCH", path(client), { name: "Other", client_secret: chosenSecret }),
    manage("GET", "/api/v2/clients?per_page=100"),
    manage("GET", "/api/v2/clients?per_page=100&fields=client_secret,secret_hash"),
    manage("GET", "/api/v2/logs?per_page=100"),
  ]);
  const shown = JSON.stringify(later.map(({ body }) => body));
  for (const hidden of [secret, rotated, chosenSecret, "secret_hash", '"client_secret"']) expect(shown).not.toContain(hidden);
  const [row] = await service.data.collections.clients.find({
    where: { tenant_id: "main", client_id: stringMember(client, "client_id") },
    limit: 1,
  });
  expect(JSON.stringify(row)).not.toContain(rotated);
});

test("a public client has no secret, and a rotation is rejected", async () => {
  const client = await create({ app_type: "spa" });
  expect(client).not.toHaveProperty("client_secret");
  expect(client).toMatchObject({ token_endpoint_auth_method: "none" });
  expectError(await manage("POST", `${path(client)}/rotate-secret`), 400, "invalid_request");
});

test("a PATCH keeps all fields that it does not contain", async () => {
  const client = await create({
    app_type: "regular_web",
    description: "What it is",
    callbacks: ["https://app.example.test/callback"],
    allowed_logout_urls: ["https://app.example.test/bye"],
    web_origins: ["https://app.example.test"],
    allowed_origins: ["https://cdn.example.test"],
    grant_types: ["authorization_code", "refresh_token"],
    client_metadata: { team: "red", owner: "ada" },
    jwt_configuration: { lifetime_in_seconds: 600, alg: "RS256" },
    refresh_token: { rotation_type: "rotating", expiration_type: "expiring", leeway: 5 },
    organization_usage: "allow",
    logo_uri: "https://cdn.example.test/logo.png",
    is_first_party: false,
  });
  const { client_secret: _, ...before } = client;
  expect(jsonBody(await manage("GET", path(client)))).toEqual(before);
  expect(jsonBody(await manage("PATCH", path(client), {}))).toEqual(before);
  expect(jsonBody(await manage("PATCH", path(client), { name: "New" }))).toEqual({ ...before, name: "New" });
  const merged = jsonBody(
    await manage("PATCH", path(client), { client_metadata: { owner: null, tier: "1" }, jwt_configuration: { lifetime_in_seconds: 60 } }),
  );
  expect(merged).toEqual({
    ...before,
    name: "New",
    client_metadata: { team: "red", tier: "1" },
    jwt_configuration: { ...(before["jwt_configuration"] as JsonBody), lifetime_in_seconds: 60 },
  });
  expect(jsonBody(await manage("PATCH", path(client), { callbacks: [] }))).toMatchObject({
    callbacks: [],
    web_origins: ["https://app.example.test"],
  });
  expect(jsonBody(await manage("GET", path(client)))).toEqual({ ...merged, callbacks: [] });
});

test("the API returns the ids of a client's keys, never the keys", async () => {
  const pem = await exportSPKI((await generateKeyPair("ES256")).publicKey);
  const client = await create({
    app_type: "non_interactive",
    client_authentication_methods: { private_key_jwt: { credentials: [{ credential_type: "public_key", pem, alg: "ES256", name: "k" }] } },
  });
  expect(client).toMatchObject({
    client_authentication_methods: { private_key_jwt: { credentials: [{ id: expect.stringMatching(/^cred_/) }] } },
  });
  expect(client).not.toHaveProperty("token_endpoint_auth_method");
  expect(JSON.stringify(client)).not.toContain("BEGIN PUBLIC KEY");
});

test("the list filters by is_global, is_first_party and several application types", async () => {
  await create({ app_type: "native", name: "Filtered native", is_first_party: false });
  await create({ app_type: "spa", name: "Filtered spa" });
  const names = async (query: string) => list(await manage("GET", `/api/v2/clients?per_page=100&${query}`)).map((one) => one["name"]);
  expect(await names("app_type=native")).toEqual(["Filtered native"]);
  expect(await names("app_type=native,spa")).toEqual(expect.arrayContaining(["Filtered native", "Filtered spa"]));
  expect(await names("is_first_party=false")).toContain("Filtered native");
  expect(await names("is_first_party=false")).not.toContain("Filtered spa");
  expect(await names("is_global=true")).toEqual(["All Applications"]);
  expect(await names("q=name:%22Filtered spa%22")).toEqual(["Filtered spa"]);
});

test("a deleted client and its grants are gone, a repeated deletion succeeds, and a client cannot delete itself", async () => {
  const client = await create({ app_type: "non_interactive" });
  const id = stringMember(client, "client_id");
  await manage.create("/api/v2/client-grants", { client_id: id, audience: managementAudience, scope: ["read:users"] });
  for (let i = 0; i < 2; i++) expect(await manage("DELETE", path(client))).toMatchObject({ status: 204, body: undefined });
  for (const [method, more, body] of [
    ["GET", "", undefined],
    ["PATCH", "", { name: "x" }],
    ["POST", "/rotate-secret", undefined],
  ] as const) {
    expect(expectError(await manage(method, path(client) + more, body), 404, "not_found")).toMatchObject({
      errorCode: "inexistent_client",
    });
  }
  expect(list(await manage("GET", `/api/v2/client-grants?client_id=${id}`))).toEqual([]);
  expect(await service.data.collections.directory.find({ where: { kind: "client", value: id }, limit: 1 })).toEqual([]);
  expectError(await manage("DELETE", "/api/v2/clients/main-manager"), 403, "forbidden");
  expect(await manage("GET", "/api/v2/clients/main-manager")).toMatchObject({ status: 200 });
});

test.each([
  [{ name: "" }, "'name'"],
  [{ name: "<b>" }, "'name'"],
  [{}, "'name'"],
  [{ name: "x", client_id: "mine" }, "'client_id'"],
  [{ name: "x", client_secret: "mine" }, "'client_secret'"],
  [{ name: "x", tenant: "other" }, "'tenant'"],
  [{ name: "x", callbacks: ["javascript:alert(1)"] }, "'callbacks"],
  [{ name: "x", callbacks: "https://a.test" }, "'callbacks'"],
  [{ name: "x", callbacks: ["https://a.test/#fragment"] }, "'callbacks"],
  [{ name: "x", web_origins: ["https://a.test/path"] }, "'web_origins"],
  [{ name: "x", app_type: "toaster" }, "'app_type'"],
  [{ name: "x", grant_types: [1] }, "'grant_types"],
  [{ name: "x", jwt_configuration: { lifetime_in_seconds: -1 } }, "'jwt_configuration.lifetime_in_seconds'"],
  [{ name: "x", jwt_configuration: { nonsense: 1 } }, "'jwt_configuration.nonsense'"],
  [{ name: "x", token_endpoint_auth_method: "tls" }, "'token_endpoint_auth_method'"],
  [[], "object"],
  ["text", ""],
])("the body %j is rejected, and the error names the field", async (body, error) => {
  expectError(await manage("POST", "/api/v2/clients", body), 400, "invalid_request", error);
});

/** Returns this number of different origins of this length. */
const urls = (count: number, length: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, i) =>
      `https://${String(i)
        .padStart(6, "0")
        .padEnd(length - 13, ".abcdefghi")}.test`,
  );

test("lists of URLs have a maximum count, a maximum length per URL and a maximum total length", async () => {
  const client = await create();
  for (const [body, error] of [
    [{ callbacks: urls(251, 30) }, "'callbacks' must have at most 250 entries"],
    [{ callbacks: urls(33, 2000) }, "'callbacks' must have at most 65536 characters in total"],
    [{ callbacks: urls(1, 2049) }, "at most 2048 characters"],
    [{ allowed_logout_urls: urls(251, 30) }, "'allowed_logout_urls' must have at most 250 entries"],
    [{ web_origins: urls(251, 30) }, "'web_origins' must have at most 250 entries"],
    [{ allowed_origins: urls(251, 30) }, "'allowed_origins' must have at most 250 entries"],
    [{ oidc_logout: { backchannel_logout_urls: urls(251, 30) } }, "must have at most 250 entries"],
    [{ oidc_backchannel_logout: { backchannel_logout_urls: urls(251, 30) } }, "must have at most 250 entries"],
  ] as const) {
    expectError(await manage("POST", "/api/v2/clients", { name: "x", ...body }), 400, "invalid_request", error);
    expectError(await manage("PATCH", path(client), body), 400, "invalid_request", error);
  }
  const allowed_logout_urls = urls(251, 30);
  expectError(await manage("PATCH", "/api/v2/tenants/settings", { allowed_logout_urls }), 400, "invalid_request", "at most 250 entries");
  const allowed = urls(250, 260);
  jsonBody(await manage("PATCH", path(client), { callbacks: allowed, oidc_logout: { backchannel_logout_urls: allowed } }));
});

test("a client with more URLs than the current maximum stays readable", async () => {
  const client = await create();
  const callbacks = urls(300, 30);
  await service.data.collections.clients.update(
    { client_id: stringMember(client, "client_id"), tenant_id: "main" },
    { set: { callbacks } },
  );
  service.clock.advance("5s");
  expect(jsonBody(await manage("GET", path(client)))).toMatchObject({ callbacks });
  expect(jsonBody(await manage("PATCH", path(client), { description: "changed" }))).toMatchObject({ callbacks });
});

test("a client secret that is easy to guess is rejected", async () => {
  const client = await create({ app_type: "regular_web" });
  for (const [secret, weakness] of [
    ["short", "is shorter than 32 characters"],
    ["a".repeat(40), "has fewer than 8 different characters"],
    ["12345678".repeat(5), "repeats its first 8 characters"],
  ] as const) {
    const answer = await manage("PATCH", path(client), { client_secret: secret });
    expectError(answer, 400, "invalid_request", `'client_secret' ${weakness}`);
  }
});

test("an audit event names the client that made the change", async () => {
  const client = await create();
  await manage("POST", `${path(client)}/rotate-secret`);
  const [event] = (await auditEvents(manage, "sapi")).filter((row) => row["description"] === "Rotate a client's secret");
  expect(event).toMatchObject({ client_id: "main-manager", details: { request: { method: "POST" } } });
});
