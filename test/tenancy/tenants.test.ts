import { beforeEach, describe, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
let main: Manager;
beforeEach(async () => {
  service = await createTestPostern();
  main = await managerOf(service, "main");
});

describe("a tenant", () => {
  test("is created with its organization, listed, read, updated, and deleted with all its data", async () => {
    const { tenant } = jsonBody(await main("POST", "/tenants", { id: "acme", name: "Acme", session_lifetime: 2 }), 201);
    expect(tenant).toMatchObject({ id: "acme", name: "Acme", friendly_name: "Acme", session_lifetime: 2 });
    expect(jsonBody(await main("GET", "/tenants"))).toMatchObject({
      total: 3,
      page: 1,
      per_page: 50,
      tenants: [{ id: "acme" }, { id: "main" }, { id: "other" }],
    });
    expect(jsonBody(await main("GET", "/tenants/acme"))).toMatchObject({ tenant: { id: "acme" } });
    expect(jsonBody(await main("PATCH", "/tenants/acme", { name: "Acme Ltd", support_email: "help@acme.test" }))).toMatchObject({
      tenant: { name: "Acme Ltd", friendly_name: "Acme", support_email: "help@acme.test" },
    });
    const organization = jsonBody(await main("GET", "/api/v2/organizations/name/acme"));
    expect(organization).toMatchObject({ metadata: { tenant_id: "acme" } });
    expectError(await main("DELETE", `/api/v2/organizations/${String(organization["id"])}`), 409, "conflict");

    const operations = jsonBody(await main("GET", "/tenants/acme/operations"));
    expect(operations).toMatchObject({
      total: 1,
      page: 1,
      per_page: 50,
      operations: [{ kind: "provision", status: "succeeded", tenant_id: "acme" }],
    });

    expect(jsonBody(await main("DELETE", "/tenants/acme"))).toEqual({ success: true });
    expectError(await main("GET", "/tenants/acme"), 404, "not_found");
    expectError(await main("GET", "/api/v2/organizations/name/acme"), 404, "not_found");
    const after = jsonBody(await main("GET", "/tenants/acme/operations"));
    expect(after).toMatchObject({ total: 2, operations: [{ kind: "deprovision", status: "succeeded" }, { kind: "provision" }] });
  });
});

test("an upgrade of a seeded tenant creates its organization and its copies of the control plane's resources", async () => {
  await main("POST", "/api/v2/resource-servers", { identifier: "https://shared.example.test/" });
  expectError(await main("GET", "/api/v2/organizations/name/other"), 404, "not_found");
  const operation = jsonBody(await main("POST", "/tenants/other/operations", { kind: "upgrade" }), 201);
  expect(operation).toMatchObject({ kind: "upgrade", status: "pending", tenant_id: "other" });
  expect(jsonBody(await main("GET", `/operations/${String(operation["id"])}`))).toMatchObject({
    status: "succeeded",
    events: [
      { name: "sync", status: "running" },
      { name: "sync", status: "succeeded" },
      { name: "organization", status: "running" },
      { name: "organization", status: "succeeded" },
    ],
  });
  expect(jsonBody(await main("GET", "/api/v2/organizations/name/other"))).toMatchObject({ metadata: { tenant_id: "other" } });
  // A second upgrade keeps the same organization.
  await main("POST", "/tenants/other/operations", { kind: "upgrade" });
  expect(jsonBody(await main("GET", "/tenants/other/operations"))).toMatchObject({
    total: 2,
    operations: [{ status: "succeeded" }, { status: "succeeded" }],
  });
});
