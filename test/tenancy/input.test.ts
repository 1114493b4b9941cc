import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, type JsonBody, type Manager } from "../support/api.ts";
import { allRows, operationsOf, readOperationSteps } from "../support/child-tenants.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
let main: Manager;
beforeEach(async () => {
  service = await createTestPostern();
  main = await managerOf(service);
});

describe("the id of a new tenant", () => {
  test.each([
    "",
    " ",
    "Acme",
    "ACME",
    "-acme",
    "_acme",
    "__proto__",
    "acme.example",
    "acme/other",
    "acme\\other",
    "..",
    "acme other",
    " acme",
    "acme\n",
    "acme:main",
    "acme|main",
    "acme%2f",
    "acme*",
    "acme'--",
    '"acme"',
    "äcme",
    "аcme",
    "ａcme",
    "acme\u200b",
    "🐙",
    "org_acme",
    "org_",
    "api",
    "www",
    "admin",
    "tenants",
    "operations",
    "oauth",
    "authorize",
    "login",
    "a".repeat(64),
    "a".repeat(5000),
    7,
    true,
    null,
    ["acme"],
    { id: "acme" },
  ])("cannot be %j", async (id) => {
    const before = await allRows(service.data);
    expectError(await main("POST", "/tenants", { id, name: "Acme" }), 400, "invalid_request", "'id'");
    expect(await allRows(service.data)).toEqual(before);
  });

  test.each([
    "a",
    "0",
    "a".repeat(63),
    "a-b_c",
    "1-",
    "constructor",
    "prototype",
    "hasownproperty",
    "undefined",
    "null",
    "organization",
    "org",
  ])("can be %s, and the tenant can be listed, read, updated and deleted by that id", async (id) => {
    expect(jsonBody(await main("POST", "/tenants", { id, name: "Acme" }), 201)).toMatchObject({ tenant: { id } });
    expect(jsonBody(await main("GET", `/tenants/${id}`))).toMatchObject({ tenant: { id } });
    expect(list(await main("GET", "/tenants"), "tenants").map((tenant) => tenant["id"])).toContain(id);
    jsonBody(await main("PATCH", `/tenants/${id}`, { name: "Acme Ltd" }));
    jsonBody(await main("DELETE", `/tenants/${id}`));
  });

  test("must not exist yet, and must be in lower case", async () => {
    const before = await allRows(service.data);
    for (const id of ["main", "other"]) expectError(await main("POST", "/tenants", { id, name: "Mine" }), 409, "conflict");
    for (const id of ["Main", "OTHER"]) expectError(await main("POST", "/tenants", { id, name: "Mine" }), 400, "invalid_request", "'id'");
    expectError(await main("POST", "/tenants", { id: "main\u0000", name: "Mine" }), 400, "invalid_request", "NUL");
    expectError(await main("GET", "/tenants/main%00"), 400, "invalid_request", "NUL");
    for (const id of ["Main", "MAIN", "main%20", "%6dain%2f", "a".repeat(5000)]) {
      expectError(await main("GET", `/tenants/${id}`), 404, "not_found");
      expectError(await main("DELETE", `/tenants/${id}`), 404, "not_found");
      expectError(await main("GET", `/tenants/${id}/operations`), 404, "not_found");
      expectError(await main("GET", `/operations/${id}`), 404, "not_found");
    }
    expect(await allRows(service.data)).toEqual(before);
  });

  test("is rejected and leaves no data behind if an organization of the control plane has the same name, and the operation contains the reason", async () => {
    const organization = await main.create("/api/v2/organizations", { name: "acme", display_name: "Customer" });
    const before = await allRows(service.data);
    expectError(await main("POST", "/tenants", { id: "acme", name: "Acme" }), 409, "conflict", "organization");
    expect(await allRows(service.data)).toEqual(before);
    const [operation] = await operationsOf(main, "acme");
    expect(operation).toMatchObject({ kind: "provision", status: "failed", error: expect.stringContaining("organization") });
    expect(await readOperationSteps(main, operation)).toContain("organization failed");
    expect(jsonBody(await main("GET", "/api/v2/organizations/name/acme"))).toMatchObject({
      id: organization["id"],
      display_name: "Customer",
    });
    // After the organization was deleted, the id is free.
    await main("DELETE", `/api/v2/organizations/${String(organization["id"])}`);
    jsonBody(await main("POST", "/tenants", { id: "acme", name: "Acme" }), 201);
  });
});

describe("the body of a tenant request", () => {
  test.each<readonly [string, JsonBody]>([
    ["name", { name: "" }],
    ["name", { name: "   " }],
    ["name", { name: 7 }],
    ["name", { name: null }],
    ["name", { name: "x".repeat(256) }],
    ["friendly_name", { friendly_name: 7 }],
    ["friendly_name", { friendly_name: "x".repeat(256) }],
    ["organization_id", { organization_id: "org_mine" }],
    ["member_access", { member_access: { permissions: ["read:users"] } }],
    ["ready_at", { ready_at: 0 }],
    ["deleting_at", { deleting_at: null }],
    ["created_at", { created_at: "2020-01-01T00:00:00.000Z" }],
    ["tenant_id", { tenant_id: "main" }],
    ["nonsense", { nonsense: true }],
    ["session_lifetime", { session_lifetime: "long" }],
    ["session_lifetime", { session_lifetime: -1 }],
    ["session_lifetime", { session_lifetime: null }],
    ["support_email", { support_email: 7 }],
    ["flags.enable_client_connections", { flags: { enable_client_connections: "yes" } }],
    ["enabled_locales", { enabled_locales: "en" }],
    ["NUL", { name: "a\u0000b" }],
  ])("is rejected at creation and update, with an error that names the field, if %s is invalid (%j)", async (field, sent) => {
    await main.create("/tenants", { id: "acme", name: "Acme" });
    const before = await allRows(service.data);
    const expectedText = field.split(".").at(-1) ?? "";
    expectError(await main("POST", "/tenants", { id: "globex", name: "Globex", ...sent }), 400, "invalid_request", expectedText);
    expectError(await main("PATCH", "/tenants/acme", sent), 400, "invalid_request", expectedText);
    expect(await allRows(service.data)).toEqual(before);
  });

  test("is an object, requires an id and a name at creation, and allows no id at update", async () => {
    for (const body of [[], "{", "null", "7", ""]) {
      expectError(await main("POST", "/tenants", body), 400, "invalid_request");
      expectError(await main("PATCH", "/tenants/other", body), 400, "invalid_request");
      expectError(await main("POST", "/tenants/other/operations", body), 400, "invalid_request");
    }
    expectError(await main("POST", "/tenants", { id: "acme" }), 400, "invalid_request", "'name'");
    expectError(await main("POST", "/tenants", { name: "Acme" }), 400, "invalid_request", "'id'");
    expectError(await main("PATCH", "/tenants/other", { id: "acme" }), 400, "invalid_request", "id");
    for (const kind of ["provision", "deprovision", "sync", "update", "", null])
      expectError(await main("POST", "/tenants/other/operations", { kind }), 400, "invalid_request", "'kind'");
  });

  test("sets the tenant's settings at creation and update, and null resets a setting to its default", async () => {
    const settings = { session_cookie: { mode: "non-persistent" }, session_lifetime: 2, flags: { enable_client_connections: false } };
    const { tenant } = jsonBody(await main("POST", "/tenants", { id: "acme", name: "Acme", friendly_name: "The Acme", ...settings }), 201);
    expect(tenant).toMatchObject({ ...settings, friendly_name: "The Acme" });
    const changed = jsonBody(await main("PATCH", "/tenants/acme", { session_cookie: null, session_lifetime: 3 }));
    expect(changed).toMatchObject({
      tenant: { session_cookie: { mode: "persistent" }, session_lifetime: 3, friendly_name: "The Acme", name: "Acme" },
    });
    expect(jsonBody(await main("GET", "/tenants/acme"))).toEqual(changed);
    expect(jsonBody(await main("PATCH", "/tenants/acme", {}))).toMatchObject({ tenant: { session_lifetime: 3 } });
  });

  test("the control plane cannot be deleted", async () => {
    const before = await allRows(service.data);
    expectError(await main("DELETE", "/tenants/main"), 403, "forbidden", "control plane");
    expect(await allRows(service.data)).toEqual(before);
  });
});
