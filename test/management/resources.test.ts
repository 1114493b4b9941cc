import { beforeAll, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, listAllPages, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, managementAudience, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
let manage: Manager;
let clientId: string;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  clientId = stringMember(await manage.create("/api/v2/clients", { name: "App", app_type: "regular_web" }), "client_id");
});

describe("resource servers", () => {
  const base = "/api/v2/resource-servers";

  test("can be created with defaults, read by id and identifier, updated field by field, and deleted with their grants", async () => {
    const identifier = "https://api.example.test/v1?a=b c#d|é";
    const api = await manage.create(base, { identifier, scopes: [{ value: "read:x", description: "Reads" }] });
    expect(api).toEqual({
      id: expect.any(String),
      identifier,
      name: identifier,
      is_system: false,
      scopes: [{ value: "read:x", description: "Reads" }],
      signing_alg: "ES256",
      allow_offline_access: false,
      skip_consent_for_verifiable_first_party_clients: true,
      token_lifetime: 86_400,
      token_lifetime_for_web: 7200,
      enforce_policies: false,
      token_dialect: "access_token",
    });
    const byId = `${base}/${stringMember(api, "id")}`;
    const byIdentifier = `${base}/${encodeURIComponent(identifier)}`;
    expect(jsonBody(await manage("GET", byId))).toEqual(api);
    expect(jsonBody(await manage("GET", byIdentifier))).toEqual(api);
    expect(jsonBody(await manage("PATCH", byIdentifier, { token_lifetime: 60 }))).toEqual({
      ...api,
      token_lifetime: 60,
      token_lifetime_for_web: 60,
    });
    expect(jsonBody(await manage("PATCH", byId, { name: "Mine", scopes: [] }))).toEqual({
      ...api,
      token_lifetime: 60,
      token_lifetime_for_web: 60,
      name: "Mine",
      scopes: [],
    });
    await manage.create("/api/v2/client-grants", { client_id: clientId, audience: identifier, scope: [] });
    for (let i = 0; i < 2; i++) expect(await manage("DELETE", byIdentifier)).toMatchObject({ status: 204 });
    expect(expectError(await manage("GET", byId), 404, "not_found")).toMatchObject({ errorCode: "inexistent_resource_server" });
    expect(list(await manage("GET", `/api/v2/client-grants?audience=${encodeURIComponent(identifier)}`))).toEqual([]);
  });

  test("can be listed by identifier, and unknown identifiers are ignored", async () => {
    const [one, two] = ["https://one.example.test", "https://two.example.test"];
    for (const identifier of [one, two]) await manage.create(base, { identifier });
    const found = async (...identifiers: readonly string[]): Promise<readonly unknown[]> => {
      const query = identifiers.map((identifier) => `identifiers=${encodeURIComponent(identifier)}`).join("&");
      return list(await manage("GET", `${base}?${query}&sort=created_at:1`)).map(({ identifier }) => identifier);
    };
    expect(await found(one)).toEqual([one]);
    expect(new Set(await found(two, "https://nowhere.example.test", managementAudience))).toEqual(new Set([two, managementAudience]));
    expect(jsonBody(await manage("GET", `${base}?identifiers=${one}&include_totals=true`))).toMatchObject({ total: 1 });
    for (const query of ["identifiers=", `identifiers=${"x".repeat(601)}`, `identifiers=a${"&identifiers=b".repeat(50)}`]) {
      expectError(await manage("GET", `${base}?${query}`), 400, "invalid_request", "'identifiers");
    }
  });

  test("accept Auth0's disabled values of unsupported features, and reject enabling them", async () => {
    const disabled = {
      allow_online_access: false,
      allow_online_access_with_ephemeral_sessions: false,
      token_encryption: null,
      consent_policy: null,
      authorization_details: null,
      proof_of_possession: null,
      authorization_policy: null,
    };
    const api = await manage.create(base, { identifier: "https://off.example.test", ...disabled });
    const path = `${base}/${stringMember(api, "id")}`;
    expect(jsonBody(await manage("PATCH", path, disabled))).toEqual(api);
    const pem = "-----BEGIN PUBLIC KEY-----";
    for (const enabled of [
      { signing_alg: "HS256", signing_secret: "x".repeat(32) },
      { signing_secret: "x".repeat(32) },
      { allow_online_access: true },
      { allow_online_access_with_ephemeral_sessions: true },
      { token_encryption: { format: "compact-nested-jwe", encryption_key: { alg: "RSA-OAEP-256", pem } } },
      { consent_policy: "transactional-authorization-with-mfa" },
      { authorization_details: [{ type: "payment" }] },
      { proof_of_possession: { mechanism: "mtls", required: true } },
      { authorization_policy: { policy_id: "p" } },
    ]) {
      const [field = ""] = Object.keys(enabled);
      expectError(await manage("PATCH", path, enabled), 400, "invalid_request", new RegExp(`'${field}[.a-z]*' .*not supported`));
      expectError(
        await manage("POST", base, { identifier: "https://on.example.test", ...enabled }),
        400,
        "invalid_request",
        "not supported",
      );
    }
    expect(jsonBody(await manage("GET", path))).toEqual(api);
  });

  test("are found by id before an equal identifier", async () => {
    const first = await manage.create(base, { identifier: "https://first.example.test" });
    const second = await manage.create(base, { identifier: first["id"] });
    const path = `${base}/${stringMember(first, "id")}`;
    expect(jsonBody(await manage("GET", path))).toEqual(first);
    expect(await manage("DELETE", path)).toMatchObject({ status: 204 });
    expect(jsonBody(await manage("GET", `${base}/${stringMember(second, "id")}`))).toEqual(second);
  });

  test("have unique identifiers, none has that of the Management API, and the Management API cannot be changed or deleted", async () => {
    await manage.create(base, { identifier: "https://taken.example.test" });
    expectError(await manage("POST", base, { identifier: "https://taken.example.test" }), 409, "conflict");
    expect(await manage("POST", base, { identifier: "HTTPS://taken.example.test" })).toMatchObject({ status: 201 });
    expectError(await manage("POST", base, { identifier: managementAudience }), 409, "conflict");
    expectError(await manage("POST", base, { identifier: "api/v2/" }), 409, "conflict");
    // Every login has tokens for this audience, so an API with this identifier would receive those of every client.
    expectError(await manage("POST", base, { identifier: managementAudience.replace("api/v2/", "userinfo") }), 409, "conflict");
    const system = `${base}/${encodeURIComponent(managementAudience)}`;
    expect(jsonBody(await manage("GET", system))).toMatchObject({
      is_system: true,
      // Auth0's Deploy CLI recognizes the Management API by this name and leaves it out of its exports.
      name: "Auth0 Management API",
      identifier: managementAudience,
      scopes: expect.arrayContaining([expect.objectContaining({ value: "read:users" })]),
    });
    expectError(await manage("PATCH", system, { scopes: [] }), 403, "forbidden");
    expectError(await manage("DELETE", system), 403, "forbidden");
    expect(await manage("GET", system)).toMatchObject({ status: 200 });
  });

  test.each([
    [{}, "'identifier'"],
    [{ identifier: "" }, "'identifier'"],
    [{ identifier: "x".repeat(601) }, "'identifier'"],
    [{ identifier: "a", scopes: [{ value: "with space" }] }, "'scopes[0].value'"],
    [{ identifier: "a", scopes: ["read"] }, "'scopes[0]'"],
    [{ identifier: "a", token_lifetime: 2_592_001 }, "'token_lifetime'"],
    [{ identifier: "a", token_lifetime: 1.5 }, "'token_lifetime'"],
    [{ identifier: "a", token_dialect: "x" }, "'token_dialect'"],
    [{ identifier: "a", signing_alg: "none" }, "'signing_alg'"],
    [{ identifier: "a", is_system: true }, "'is_system'"],
  ])("%j is rejected, and the error names the field", async (body, error) => {
    expectError(
      await manage("POST", base, body),
      400,
      "invalid_request",
      error.replaceAll("[", "\\[").replaceAll("]", "\\]") === error
        ? error
        : new RegExp(error.replaceAll("[", "\\[").replaceAll("]", "\\]")),
    );
  });
});

describe("client grants", () => {
  const base = "/api/v2/client-grants";

  test("can be created, read, updated field by field and deleted, one for each client and API", async () => {
    const audience = "https://granted.example.test";
    await manage.create("/api/v2/resource-servers", { identifier: audience, scopes: [{ value: "a" }, { value: "b" }, { value: "c" }] });
    const grant = await manage.create(base, { client_id: clientId, audience, scope: ["b", "a", "b"] });
    expect(grant).toEqual({
      id: expect.stringMatching(/^cgr_/),
      client_id: clientId,
      audience,
      scope: ["b", "a"],
      subject_type: "client",
      allow_any_organization: false,
    });
    expectError(await manage("POST", base, { client_id: clientId, audience, scope: [] }), 409, "conflict");
    const path = `${base}/${stringMember(grant, "id")}`;
    expect(jsonBody(await manage("GET", path))).toEqual(grant);
    expect(jsonBody(await manage("PATCH", path, {}))).toEqual(grant);
    expect(jsonBody(await manage("PATCH", path, { organization_usage: "allow" }))).toEqual({ ...grant, organization_usage: "allow" });
    expect(jsonBody(await manage("PATCH", path, { scope: ["c"] }))).toEqual({ ...grant, scope: ["c"], organization_usage: "allow" });
    expect(jsonBody(await manage("PATCH", path, { organization_usage: null }))).toEqual({ ...grant, scope: ["c"] });
    expect(await manage.create(base, { client_id: clientId, audience, scope: ["a"], subject_type: "user" })).toMatchObject({
      subject_type: "user",
    });
    for (let i = 0; i < 2; i++) expect(await manage("DELETE", path)).toMatchObject({ status: 204 });
    expect(expectError(await manage("GET", path), 404, "not_found")).toMatchObject({ errorCode: "inexistent_client_grant" });
    expectError(await manage("PATCH", path, { scope: [] }), 404, "not_found");
  });

  test("require an existing client, API and scopes", async () => {
    const audience = "https://strict.example.test";
    await manage.create("/api/v2/resource-servers", { identifier: audience, scopes: [{ value: "a" }] });
    expectError(await manage("POST", base, { client_id: "unknown", audience, scope: [] }), 404, "not_found", "'client_id'");
    expectError(await manage("POST", base, { client_id: "other-manager", audience, scope: [] }), 404, "not_found", "'client_id'");
    expectError(
      await manage("POST", base, { client_id: clientId, audience: "https://no.test", scope: [] }),
      404,
      "not_found",
      "'audience'",
    );
    expectError(await manage("POST", base, { client_id: clientId, audience, scope: ["z"] }), 400, "invalid_request", "'scope'.*'z'");
    const grant = await manage.create(base, { client_id: clientId, audience, scope: ["a"] });
    expectError(
      await manage("PATCH", `${base}/${stringMember(grant, "id")}`, { scope: ["a", "z"] }),
      400,
      "invalid_request",
      "'scope'.*'z'",
    );
    expectError(await manage("PATCH", `${base}/${stringMember(grant, "id")}`, { audience: "x" }), 400, "invalid_request", "'audience'");
  });

  test("can be listed by client, audience and subject type, in every list style", async () => {
    const client = stringMember(await manage.create("/api/v2/clients", { name: "Many" }), "client_id");
    const audiences = Array.from({ length: 6 }, (_, i) => `https://many-${i}.example.test`);
    for (const identifier of audiences) {
      await manage.create("/api/v2/resource-servers", { identifier });
      await manage.create(base, { client_id: client, audience: identifier, scope: [] });
    }
    await manage.create(base, { client_id: client, audience: managementAudience, scope: ["read:users"] });
    const of = (items: readonly JsonBody[]) => items.map((one) => one["audience"]);
    expect(of(list(await manage("GET", `${base}?client_id=${client}`)))).toEqual([...audiences, managementAudience]);
    expect(of(list(await manage("GET", `${base}?client_id=${client}&audience=${encodeURIComponent(managementAudience)}`)))).toEqual([
      managementAudience,
    ]);
    expect(of(await listAllPages(manage, `${base}?client_id=${client}`, "client_grants", 2))).toEqual([...audiences, managementAudience]);
    expect(jsonBody(await manage("GET", `${base}?client_id=${client}&include_totals=true&per_page=2`))).toMatchObject({
      total: 7,
      length: 2,
      limit: 2,
      start: 0,
    });
    expect(list(await manage("GET", `${base}?client_id=${client}&subject_type=user`))).toEqual([]);
    expect(list(await manage("GET", `${base}?audience=${encodeURIComponent(audiences[0] ?? "")}`))).toHaveLength(1);
    expectError(await manage("GET", `${base}?subject_type=robot`), 400, "invalid_request", "'subject_type'");
  });
});

describe("connections", () => {
  const base = "/api/v2/connections";

  test("of a new tenant are the default password connection", async () => {
    expect(list(await manage("GET", `${base}?name=Username-Password-Authentication`))).toMatchObject([
      { strategy: "auth0", name: "Username-Password-Authentication" },
    ]);
  });

  test("can be created, read, updated and deleted, never show secrets, and keep secrets that an update does not contain", async () => {
    const secret = "upstream-secret-value";
    const made = await manage.create(base, {
      name: "google",
      strategy: "google-oauth2",
      options: { client_id: "gid", client_secret: secret, scope: ["email"] },
    });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^con_/),
      name: "google",
      strategy: "google-oauth2",
      realms: ["google"],
      enabled_clients: expect.any(Array),
    });
    const path = `${base}/${stringMember(made, "id")}`;
    const answers = [
      made,
      await manage("GET", path),
      await manage("GET", base),
      await manage("PATCH", path, { options: { client_id: "gid2" } }),
      await manage("GET", "/api/v2/logs"),
    ];
    expect(JSON.stringify(answers)).not.toContain(secret);
    const stored = await service.data.collections.connections.find({
      where: { tenant_id: "main", id: stringMember(made, "id") },
      limit: 1,
    });
    expect(stored[0]).toMatchObject({ secrets: { "/client_secret": expect.any(String) }, seal: expect.stringMatching(/^1\./) });
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(jsonBody(await manage("PATCH", path, { display_name: "Google" }))).toMatchObject({
      display_name: "Google",
      options: { client_id: "gid2" },
    });
    expectError(await manage("PATCH", path, { name: "other" }), 400, "invalid_request", "'name'");
    expectError(await manage("PATCH", path, { strategy: "oidc" }), 400, "invalid_request", "'strategy'");
    for (let i = 0; i < 2; i++) expect(await manage("DELETE", path)).toMatchObject({ status: 204 });
    expect(expectError(await manage("GET", path), 404, "not_found")).toMatchObject({ errorCode: "inexistent_connection" });
  });

  test("have unique names and known strategies, and their list can be filtered", async () => {
    await manage.create(base, { name: "texts", strategy: "sms" });
    expectError(await manage("POST", base, { name: "texts", strategy: "sms" }), 409, "conflict");
    expectError(await manage("POST", base, { name: "x", strategy: "carrier-pigeon" }), 400, "invalid_request", "'strategy'");
    expectError(await manage("POST", base, { strategy: "sms" }), 400, "invalid_request", "'name'");
    expect(list(await manage("GET", `${base}?strategy=sms`)).map((one) => one["name"])).toEqual(["texts"]);
    expect(list(await manage("GET", `${base}?strategy=sms&strategy=auth0`)).map((one) => one["name"])).toEqual(
      expect.arrayContaining(["texts", "Username-Password-Authentication"]),
    );
    expect(list(await manage("GET", `${base}?name=nothing`))).toEqual([]);
  });

  test("are deleted with their accounts", async () => {
    const made = await manage.create(base, { name: "leaving", strategy: "auth0" });
    const user = await manage.create("/api/v2/users", { connection: "leaving", email: "a@example.test", password: "Correct-horse-1" });
    await manage("DELETE", `${base}/${stringMember(made, "id")}`);
    expectError(await manage("GET", `/api/v2/users/${encodeURIComponent(stringMember(user, "user_id"))}`), 404, "not_found");
  });
});

describe("tenant settings", () => {
  test("are readable at both paths, updated field by field, and reset to the default with null", async () => {
    const [one, two] = [jsonBody(await manage("GET", "/api/v2/tenants")), jsonBody(await manage("GET", "/api/v2/tenants/settings"))];
    expect(one).toEqual(two);
    expect(one).toMatchObject({
      friendly_name: "main",
      session_lifetime: 168,
      idle_session_lifetime: 72,
      default_directory: "Username-Password-Authentication",
    });
    const change = (body: unknown) => manage("PATCH", "/api/v2/tenants/settings", body);
    const changed = jsonBody(
      await change({ friendly_name: "Acme", session_lifetime: 1.5, flags: { enable_pipeline2: false }, error_page: { html: "<p>x</p>" } }),
    );
    expect(changed).toEqual({
      ...one,
      friendly_name: "Acme",
      session_lifetime: 1.5,
      flags: { ...(one["flags"] as JsonBody), enable_pipeline2: false },
      error_page: { html: "<p>x</p>" },
    });
    expect(jsonBody(await change({ session_lifetime_in_minutes: 30 }))["session_lifetime"]).toBe(0.5);
    const { error_page: _, ...kept } = changed;
    const without = { ...kept, session_lifetime: 0.5 };
    expect(jsonBody(await change({ error_page: null }))).toEqual(without);
    expect(jsonBody(await manage("GET", "/api/v2/tenants/settings"))).toEqual(without);
    expect(jsonBody(await manage("GET", "/api/v2/tenants?fields=friendly_name"))).toEqual({ friendly_name: "Acme" });
    expectError(await change({ nonsense: 1 }), 400, "invalid_request", "'nonsense'");
    expectError(await change({ session_lifetime: 0 }), 400, "invalid_request", "'session_lifetime'");
    expectError(await change({ support_email: "no" }), 400, "invalid_request", "'support_email'");
    // The settings of another tenant are independent.
    const other = await managerOf(service, "other");
    expect(jsonBody(await other("GET", "/api/v2/tenants"))).toMatchObject({ friendly_name: "other", session_lifetime: 168 });
  });
});

describe("logs", () => {
  test("are listed newest first, can be searched and read by id, and cannot be changed", async () => {
    const own = await createTestPostern();
    const manageOwn = await managerOf(own);
    for (let i = 0; i < 12; i++) {
      own.clock.advance("1s");
      await manageOwn.create("/api/v2/clients", { name: `Logged ${i}` });
    }
    const events = list(await manageOwn("GET", "/api/v2/logs?per_page=100"));
    const dates = events.map((event) => String(event["date"]));
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(events.filter((event) => event["type"] === "sapi")).toHaveLength(12);
    expect(jsonBody(await manageOwn("GET", "/api/v2/logs?include_totals=true&per_page=5"))).toMatchObject({
      start: 0,
      limit: 5,
      length: 5,
      total: events.length,
    });
    expect(jsonBody(await manageOwn("GET", `/api/v2/logs/${String(events[3]?.["log_id"])}`))).toEqual(events[3]);
    expect(list(await manageOwn("GET", "/api/v2/logs?q=type:seccft"))).toHaveLength(1);
    expect(list(await manageOwn("GET", "/api/v2/logs?search=type:sapi&per_page=100"))).toHaveLength(12);
    expect(list(await manageOwn("GET", "/api/v2/logs?q=client_id:main-manager&sort=date:1&per_page=2"))[0]).toMatchObject({
      type: "seccft",
    });
    expectError(await manageOwn("GET", "/api/v2/logs/nothing"), 404, "not_found");
    expectError(await manageOwn("GET", `/api/v2/logs/${"x".repeat(100)}`), 404, "not_found");
    expectError(await manageOwn("GET", "/api/v2/logs?q=nonsense:1"), 400, "invalid_request", "'q'");
    expectError(await manageOwn("DELETE", `/api/v2/logs/${String(events[3]?.["log_id"])}`), 405, "method_not_allowed");
    expectError(await manageOwn("POST", "/api/v2/logs", {}), 405, "method_not_allowed");
  });

  test("can be exported from event to event, oldest first, each once, without events of the last three seconds", async () => {
    const own = await createTestPostern();
    const manageOwn = await managerOf(own);
    for (let i = 0; i < 9; i++) await manageOwn.create("/api/v2/clients", { name: `Logged ${i}` });
    expect(list(await manageOwn("GET", "/api/v2/logs?take=5"))).toEqual([]);
    own.clock.advance("3s");
    const exported: string[] = [];
    let from = "";
    for (let pages = 0; pages < 10; pages++) {
      const page = list(await manageOwn("GET", `/api/v2/logs?take=4${from === "" ? "" : `&from=${from}`}`));
      if (page.length === 0) break;
      exported.push(...page.map((event) => String(event["log_id"])));
      from = exported.at(-1) ?? "";
    }
    const all = list(await manageOwn("GET", "/api/v2/logs?per_page=100&sort=date:asc")).map((event) => String(event["log_id"]));
    expect(exported).toEqual(all);
    expect(exported).toHaveLength(10);
    expectError(await manageOwn("GET", "/api/v2/logs?take=4&from=nothing"), 400, "invalid_request", "'from'");
  });

  test("can be exported by following the Link header, which keeps the parameters of the request", async () => {
    const own = await createTestPostern();
    const manageOwn = await managerOf(own);
    for (let i = 0; i < 9; i++) await manageOwn.create("/api/v2/clients", { name: `Logged ${i}` });
    own.clock.advance("3s");
    const exported: string[] = [];
    for (let next: string | undefined = "/api/v2/logs?take=4&fields=log_id"; next !== undefined;) {
      const answer = await manageOwn("GET", next);
      exported.push(...list(answer).map((event) => JSON.stringify(event)));
      const [, nextPath] =
        /^<https:\/\/id\.example\.test(\/api\/v2\/logs\?[^>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "") ?? [];
      expect(nextPath === undefined).toBe(list(answer).length === 0);
      next = nextPath;
    }
    expect(exported).toEqual(
      list(await manageOwn("GET", "/api/v2/logs?per_page=100&sort=date:asc&fields=log_id")).map((event) => JSON.stringify(event)),
    );
    expect((await manageOwn("GET", "/api/v2/logs?per_page=4")).headers.get("link")).toBeNull();
  });
});
