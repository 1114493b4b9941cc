import type { LogEntry } from "@postern/core";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { operationsOf, organizationOf, tokenFor, childTenantToken } from "../support/child-tenants.ts";
import { obtainTokens, openService, type App, type LoginService } from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import { createTestPostern, managementAudience, type ApiResponse, type TestPostern } from "../support/postern.ts";

let service: LoginService;
let main: Manager;
beforeEach(async () => {
  service = await openService({ sync: false });
  main = service.manage;
  await main.create("/tenants", { id: "acme", name: "Acme" });
});

const call = (token: string, method: string, path: string, body?: unknown, headers = {}): Promise<ApiResponse> =>
  service.call(method, path, { token, headers, ...(body !== undefined && { body }) });

/** Every route with the only scope that allows it, in an order in which each finds the data that it needs. */
async function routes(): Promise<readonly (readonly [scope: string, method: string, path: string, body?: unknown])[]> {
  const [operation] = await operationsOf(main, "acme");
  return [
    ["read:tenants", "GET", "/tenants"],
    ["create:tenants", "POST", "/tenants", { id: "globex", name: "Globex" }],
    ["read:tenants", "GET", "/tenants/acme"],
    ["update:tenants", "PATCH", "/tenants/acme", { name: "Acme Ltd" }],
    ["read:tenant_operations", "GET", "/tenants/acme/operations"],
    ["read:tenant_operations", "GET", `/operations/${stringMember(operation ?? {}, "id")}`],
    ["create:tenant_operations", "POST", "/tenants/acme/operations", { kind: "upgrade" }],
    ["delete:tenants", "DELETE", "/tenants/acme"],
  ];
}

describe("the routes of tenants", () => {
  test("each require one scope, and reject every other scope", async () => {
    const all = await routes();
    const scopes = [...new Set(all.map(([scope]) => scope))];
    for (const [scope, method, path, body] of all) {
      const others = await tokenFor(
        service,
        main,
        scopes.filter((other) => other !== scope),
      );
      expectError(await call(others, method, path, body), 403, "insufficient_scope", scope);
      const token = await tokenFor(service, main, [scope]);
      expect((await call(token, method, path, body)).status, `${method} ${path}`).toBeLessThan(300);
    }
  });

  test("reject a child tenant's token, an organization token and a request without a token, whether the tenant exists or not", async () => {
    const scope = [
      "read:tenants",
      "create:tenants",
      "update:tenants",
      "delete:tenants",
      "read:tenant_operations",
      "create:tenant_operations",
    ];
    const acme = await organizationOf(main, "acme");
    const plain = await organizationsBy(main).create("customer");
    const tokens = [
      await childTenantToken(service, "acme"),
      await service.token("other"),
      await tokenFor(service, main, scope, acme),
      await tokenFor(service, main, scope, plain),
    ];
    const before = await service.data.collections.tenants.count({ id: { gte: "" } });
    for (const [, method, path, body] of await routes()) {
      for (const token of tokens) {
        for (const headers of [{}, { "tenant-id": "main" }, { "tenant-id": "acme" }, { "tenant-id": "unknown" }]) {
          expectError(await call(token, method, path, body, headers), 403, "forbidden");
          expectError(await call(token, method, path.replace("acme", "unknown"), body, headers), 403, "forbidden");
        }
      }
      expectError(await service.call(method, path, body === undefined ? {} : { body }), 401, "invalid_token");
    }
    expect(await service.data.collections.tenants.count({ id: { gte: "" } })).toBe(before);
  });

  test("reject the control plane's token for another tenant id, if organizations need not match", async () => {
    const open = await createTestPostern({ requireOrganizationMatch: false });
    const token = await open.token();
    const headers = { "tenant-id": "other" };
    expect(await open.call("GET", "/api/v2/clients", { token, headers })).toMatchObject({ status: 200 });
    expectError(await open.call("GET", "/tenants", { token, headers }), 403, "forbidden");
    expectError(await open.call("DELETE", "/tenants/other", { token, headers }), 403, "forbidden");
    expect(await open.call("GET", "/tenants", { token, headers: { "tenant-id": "main" } })).toMatchObject({ status: 200 });
  });

  test("give a token for one tenant's organization access to every tenant except the control plane, if organizations need not match", async () => {
    const acme = await organizationOf(main, "acme");
    const token = await tokenFor(service, main, ["read:clients", "read:tenants"], acme);
    const warnings: LogEntry[] = [];
    const open = await createTestPostern({
      data: service.data,
      requireOrganizationMatch: false,
      logger: { log: (entry) => void (entry.event === "setup" && warnings.push(entry)) },
    });
    const clients = (target: TestPostern, tenantId: string) =>
      target.call("GET", "/api/v2/clients", { token, headers: { "tenant-id": tenantId } });
    expectError(await clients(service, "other"), 403, "forbidden");
    expect(await clients(open, "other")).toMatchObject({ status: 200 });
    expect(await clients(open, "acme")).toMatchObject({ status: 200 });
    expectError(await clients(open, "main"), 403, "forbidden");
    expectError(await clients(open, "unknown"), 404, "not_found");
    expectError(await open.call("GET", "/tenants", { token }), 403, "forbidden");
    expect(warnings.filter(({ option }) => option === "requireOrganizationMatch")).toHaveLength(1);
  });

  test("reject tokens from tenants that are not the control plane, even if the control plane does not exist", async () => {
    const orphaned = await createTestPostern({ controlPlane: { tenantId: "nowhere" } });
    expectError(await orphaned.call("GET", "/tenants", { token: await orphaned.token() }), 403, "forbidden");
  });
});

describe("a user's token for the routes of tenants", () => {
  let app: App;
  let token: string;
  const scope = "read:tenants create:tenants update:tenants delete:tenants read:tenant_operations create:tenant_operations";

  beforeEach(async () => {
    app = await service.register({ secret: true, organization_usage: "allow" });
    const role = await organizationsBy(main).createRole("Operator", managementAudience, ...scope.split(" "));
    expect(await main("POST", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`, { roles: [role] })).toMatchObject({
      status: 204,
    });
    token = (await obtainTokens(service, app, service.ada, { audience: managementAudience, scope: `openid ${scope}` })).access;
  });

  const seen = async (): Promise<readonly unknown[]> => list(await call(token, "GET", "/tenants"), "tenants").map(({ id }: JsonBody) => id);

  test("can access the tenants whose organization the user is a member of, and gets the response for unknown tenants for all others", async () => {
    const unknown = async (id: string): Promise<void> => {
      expectError(await call(token, "GET", `/tenants/${id}`), 404, "not_found");
      expectError(await call(token, "PATCH", `/tenants/${id}`, { name: "Mine" }), 404, "not_found");
      expectError(await call(token, "DELETE", `/tenants/${id}`), 404, "not_found");
      expectError(await call(token, "GET", `/tenants/${id}/operations`), 404, "not_found");
      expectError(await call(token, "POST", `/tenants/${id}/operations`, { kind: "upgrade" }), 404, "not_found");
    };
    const [operation] = await operationsOf(main, "acme");
    const path = `/operations/${stringMember(operation ?? {}, "id")}`;
    expect(await seen()).toEqual([]);
    await unknown("acme");
    await unknown("unknown");
    await unknown("main");
    expect((await call(token, "GET", path)).body).toEqual((await call(token, "GET", "/operations/top_nothing")).body);
    const organization = await organizationOf(main, "acme");
    await organizationsBy(main).addMembers(organization, service.ada);
    expect(await seen()).toEqual(["acme"]);
    jsonBody(await call(token, "PATCH", "/tenants/acme", { name: "Acme Ltd" }));
    jsonBody(await call(token, "GET", path));
    await organizationsBy(main).removeMember(organization, service.ada);
    expect(await seen()).toEqual([]);
    await unknown("acme");
  });

  test("can read the control plane with read:tenant_settings, and update it only with update:tenant_settings", async () => {
    const tokenOf = async (...settings: readonly string[]): Promise<string> => {
      const role = await organizationsBy(main).createRole(`Settings ${settings.length}`, managementAudience, ...settings);
      await main("POST", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/roles`, { roles: [role] });
      const requested = ["openid", scope, ...settings].join(" ");
      return (await obtainTokens(service, app, service.ada, { audience: managementAudience, scope: requested })).access;
    };
    const reader = await tokenOf("read:tenant_settings");
    expect(list(await call(reader, "GET", "/tenants"), "tenants").map(({ id }: JsonBody) => id)).toEqual(["main"]);
    jsonBody(await call(reader, "GET", "/tenants/main"));
    expectError(await call(reader, "PATCH", "/tenants/main", { name: "Mine" }), 403, "insufficient_scope", "update:tenant_settings");
    const writer = await tokenOf("read:tenant_settings", "update:tenant_settings");
    jsonBody(await call(writer, "PATCH", "/tenants/main", { name: "Ours" }));
  });

  test("makes the user who creates a tenant the first member of its organization, so that the user can read the tenant", async () => {
    jsonBody(await call(token, "POST", "/tenants", { id: "globex", name: "Globex" }), 201);
    expect(await seen()).toEqual(["globex"]);
    const members = await organizationsBy(main).members(await organizationOf(main, "globex"));
    expect(members.map((member) => member["user_id"])).toEqual([service.ada.userId]);
    jsonBody(await call(token, "DELETE", "/tenants/globex"));
    // A client can read the operations of a deleted tenant. A user who is no longer a member cannot.
    expectError(await call(token, "GET", "/tenants/globex/operations"), 404, "not_found");
  });

  test("lists and finds each tenant once if the user has more memberships than one database condition can contain", async () => {
    const { tenants, organization_members: members } = service.data.collections;
    const [acme] = await tenants.find({ where: { id: "acme" }, limit: 1 });
    if (acme === undefined) throw new Error("no tenant to copy");
    const ids = Array.from({ length: 120 }, (_, i) => `t${String(i).padStart(3, "0")}`);
    for (const [i, id] of ids.entries()) {
      const organization_id = `org_${id}`;
      await tenants.insert([{ ...acme, id, name: `Number ${i}`, organization_id, created_at: acme.created_at + 1 + i }]);
      if (i % 2 === 0) await members.insert([{ tenant_id: "main", organization_id, user_id: service.ada.userId, created_at: 0 }]);
    }
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => jsonBody(await call(token, "GET", `/tenants?page=${page}&per_page=25&sort=id:1`))),
    );
    expect(pages.map(({ total, page, per_page }) => [total, page, per_page])).toEqual([
      [60, 1, 25],
      [60, 2, 25],
      [60, 3, 25],
    ]);
    const shown = pages.flatMap(({ tenants: rows }) => (Array.isArray(rows) ? rows.map((row: JsonBody) => row["id"]) : []));
    expect(shown).toEqual(ids.filter((_, i) => i % 2 === 0));
    const found = async (q: string) =>
      list(await call(token, "GET", `/tenants?q=${encodeURIComponent(q)}`), "tenants").map(({ id }: JsonBody) => id);
    expect(await found("id:t004")).toEqual(["t004"]);
    expect(await found("id:t005")).toEqual([]);
    expect(await found("id:t005 OR id:t006")).toEqual(["t006"]);
  });
});
