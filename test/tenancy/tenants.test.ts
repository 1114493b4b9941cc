import { beforeEach, describe, expect, test } from "vitest";
import { expectRefusal, managerOf, object, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
let main: Manager;
beforeEach(async () => {
  service = await createTestPostern();
  main = await managerOf(service, "main");
});

describe("a tenant", () => {
  test("is created with its organization, listed, read, changed and deleted with everything of it", async () => {
    const { tenant } = object(await main("POST", "/tenants", { id: "acme", name: "Acme", session_lifetime: 2 }), 201);
    expect(tenant).toMatchObject({ id: "acme", name: "Acme", friendly_name: "Acme", session_lifetime: 2 });
    expect(object(await main("GET", "/tenants"))).toMatchObject({
      total: 3,
      page: 1,
      per_page: 50,
      tenants: [{ id: "acme" }, { id: "main" }, { id: "other" }],
    });
    expect(object(await main("GET", "/tenants/acme"))).toMatchObject({ tenant: { id: "acme" } });
    expect(object(await main("PATCH", "/tenants/acme", { name: "Acme Ltd", support_email: "help@acme.test" }))).toMatchObject({
      tenant: { name: "Acme Ltd", friendly_name: "Acme", support_email: "help@acme.test" },
    });
    const organization = object(await main("GET", "/api/v2/organizations/name/acme"));
    expect(organization).toMatchObject({ metadata: { tenant_id: "acme" } });
    expectRefusal(await main("DELETE", `/api/v2/organizations/${String(organization["id"])}`), 409, "conflict");

    const operations = object(await main("GET", "/tenants/acme/operations"));
    expect(operations).toMatchObject({
      total: 1,
      page: 1,
      per_page: 50,
      operations: [{ kind: "provision", status: "succeeded", tenant_id: "acme" }],
    });

    expect(object(await main("DELETE", "/tenants/acme"))).toEqual({ success: true });
    expectRefusal(await main("GET", "/tenants/acme"), 404, "not_found");
    expectRefusal(await main("GET", "/api/v2/organizations/name/acme"), 404, "not_found");
    const after = object(await main("GET", "/tenants/acme/operations"));
    expect(after).toMatchObject({ total: 2, operations: [{ kind: "deprovision", status: "succeeded" }, { kind: "provision" }] });
  });
});
