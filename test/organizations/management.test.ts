import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, listAllPages, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
let manage: Manager;
let other: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  [manage, other] = [await managerOf(service), await managerOf(service, "other")];
});

const path = "/api/v2/organizations";
const createOrganization = async (name: string, more: object = {}): Promise<string> =>
  stringMember(await manage.create(path, { name, ...more }), "id");
const createUser = async (email: string): Promise<string> =>
  stringMember(await manage.create("/api/v2/users", { connection: "Username-Password-Authentication", email }), "user_id");
const createRole = async (name: string): Promise<string> => stringMember(await manage.create("/api/v2/roles", { name }), "id");
const passwordConnection = async (): Promise<string> => {
  const [connection = {}] = list(await manage("GET", "/api/v2/connections"));
  return stringMember(connection, "id");
};
const ids = (items: readonly JsonBody[]): readonly unknown[] => items.map(({ id }) => id);

describe("organizations", () => {
  test("are created with all members, read, found by name, updated and deleted", async () => {
    const connectionId = await passwordConnection();
    const values = {
      name: "acme",
      display_name: "Acme Inc.",
      branding: { logo_url: "https://acme.test/logo.png", colors: { primary: "#ff0000", page_background: "#000000" } },
      metadata: { plan: "gold" },
      token_quota: { client_credentials: { enforce: true, per_hour: 10 } },
    };
    const created = await manage.create(path, {
      ...values,
      enabled_connections: [{ connection_id: connectionId, is_signup_enabled: true }],
    });
    const id = stringMember(created, "id");
    expect(id).toMatch(/^org_[A-Za-z0-9]+$/);
    const connection = { name: "Username-Password-Authentication", strategy: "auth0" };
    expect(created).toEqual({
      id,
      ...values,
      enabled_connections: [
        { connection_id: connectionId, assign_membership_on_login: false, show_as_button: true, is_signup_enabled: true, connection },
      ],
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
    });
    expect(jsonBody(await manage("GET", `${path}/${id}`))).toEqual(created);
    expect(jsonBody(await manage("GET", `${path}/name/acme`))).toEqual(created);

    service.clock.advance("1s");
    const change = { display_name: "Acme", metadata: { plan: null, seats: "5" }, branding: { logo_url: null }, token_quota: null };
    const { token_quota: _, ...stored } = created;
    const changed = {
      ...stored,
      display_name: "Acme",
      metadata: { seats: "5" },
      branding: { colors: values.branding.colors },
      updated_at: "2026-01-01T00:00:01.000Z",
    };
    expect(jsonBody(await manage("PATCH", `${path}/${id}`, change))).toEqual(changed);
    expect(jsonBody(await manage("GET", `${path}/${id}`))).toEqual(changed);

    expect((await manage("DELETE", `${path}/${id}`)).status).toBe(204);
    expect((await manage("DELETE", `${path}/${id}`)).status).toBe(204);
    expectError(await manage("GET", `${path}/${id}`), 404, "not_found");
    expectError(await manage("GET", `${path}/name/acme`), 404, "not_found");
    expect((await manage("POST", path, { name: "acme" })).status).toBe(201);
  });

  test("without optional members have no empty ones in responses", async () => {
    const created = await manage.create(path, { name: "plain" });
    expect(Object.keys(created).toSorted()).toEqual(["created_at", "enabled_connections", "id", "name", "updated_at"]);
  });

  test.each([
    ["upper case", { name: "Acme" }, "name"],
    ["a space", { name: "a b" }, "name"],
    ["the prefix of an id", { name: "org_acme" }, "name"],
    ["51 characters", { name: "a".repeat(51) }, "name"],
    ["no name", {}, "name"],
    ["an invalid color", { name: "acme", branding: { colors: { primary: "red", page_background: "#000" } } }, "primary"],
    ["a script URL as the logo", { name: "acme", branding: { logo_url: "javascript:alert(1)" } }, "logo_url"],
    ["26 metadata keys", { name: "acme", metadata: Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`k${i}`, "v"])) }, "metadata"],
    ["a number as metadata", { name: "acme", metadata: { a: 1 } }, "metadata"],
    ["an unknown connection", { name: "acme", enabled_connections: [{ connection_id: "con_none" }] }, "con_none"],
    ["an unknown field", { name: "acme", colour: "red" }, "colour"],
  ])("are rejected with %s", async (_, body, expectedText) => {
    expectError(await manage("POST", path, body), 400, "invalid_request", expectedText);
    expect((await manage("GET", path)).body).toEqual([]);
  });

  test("have unique names: one of 32 parallel creations succeeds", async () => {
    const responses = await Promise.all(Array.from({ length: 32 }, () => manage("POST", path, { name: "acme" })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const response of responses) if (response.status !== 201) expectError(response, 409, "conflict");
    const id = await createOrganization("other");
    expectError(await manage("PATCH", `${path}/${id}`, { name: "acme" }), 409, "conflict");
    expect(ids(list(await manage("GET", path)))).toHaveLength(2);
  });

  test("are listed ten at a time, in order, searched and paged through", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `org-${String(i).padStart(2, "0")}`);
    for (const name of names) await createOrganization(name, { display_name: `Number ${name}` });
    expect(list(await manage("GET", path))).toHaveLength(10);
    const page = jsonBody(await manage("GET", `${path}?include_totals=true&page=1&sort=name:desc`));
    expect(page).toMatchObject({ start: 10, limit: 10, length: 2, total: 12, organizations: [{ name: "org-01" }, { name: "org-00" }] });
    expect(list(await manage("GET", `${path}?q=name:ORG-03`))).toMatchObject([{ name: "org-03" }]);
    expect(list(await manage("GET", `${path}?q=display_name:*org-07*`))).toMatchObject([{ name: "org-07" }]);
    expect((await listAllPages(manage, path, "organizations", 5)).map(({ name }) => name)).toEqual(names);
    expectError(await manage("GET", `${path}?per_page=101`), 400, "invalid_request", "per_page");
    expectError(await manage("GET", `${path}?sort=metadata:1`), 400, "invalid_request", "sort");
  });

  test("of another tenant do not exist, and their names are free", async () => {
    const id = await createOrganization("acme");
    const userId = await createUser("ann@example.test");
    for (const [method, rest, body] of [
      ["GET", ""],
      ["PATCH", "", { display_name: "Mine" }],
      ["GET", "/members"],
      ["POST", "/members", { members: [userId] }],
      ["GET", "/enabled_connections"],
      ["GET", "/connections"],
      ["POST", "/connections", { connection_id: "con_none" }],
      ["GET", `/members/${encodeURIComponent(userId)}/roles`],
    ] as const) {
      expectError(await other(method, `${path}/${id}${rest}`, body), 404, "not_found");
    }
    expectError(await other("GET", `${path}/name/acme`), 404, "not_found");
    expect((await other("DELETE", `${path}/${id}`)).status).toBe(204);
    expect((await manage("GET", `${path}/${id}`)).status).toBe(200);
    expect((await other("POST", path, { name: "acme" })).status).toBe(201);
  });
});

describe("members", () => {
  test("are added once, listed with their profile, and removed", async () => {
    const id = await createOrganization("acme");
    const [ann, ben] = [await createUser("ann@example.test"), await createUser("ben@example.test")];
    for (let i = 0; i < 2; i++) expect((await manage("POST", `${path}/${id}/members`, { members: [ann, ben, ann] })).status).toBe(204);
    const members = list(await manage("GET", `${path}/${id}/members`));
    expect(members.map((member) => stringMember(member, "user_id")).toSorted()).toEqual([ann, ben].toSorted());
    expect(members).toContainEqual({ user_id: ann, name: "ann@example.test", email: "ann@example.test" });
    expect(jsonBody(await manage("GET", `${path}/${id}/members?include_totals=true`))).toMatchObject({ total: 2, length: 2 });
    expect(await listAllPages(manage, `${path}/${id}/members`, "members", 1)).toHaveLength(2);
    expect(list(await manage("GET", `/api/v2/users/${encodeURIComponent(ann)}/organizations`))).toMatchObject([{ id, name: "acme" }]);

    for (let i = 0; i < 2; i++) expect((await manage("DELETE", `${path}/${id}/members`, { members: [ann] })).status).toBe(204);
    expect(list(await manage("GET", `${path}/${id}/members`))).toMatchObject([{ user_id: ben }]);
    expect((await manage("GET", `/api/v2/users/${encodeURIComponent(ann)}/organizations`)).body).toEqual([]);
    expect((await manage("DELETE", `/api/v2/users/${encodeURIComponent(ben)}`)).status).toBe(204);
    expect((await manage("GET", `${path}/${id}/members`)).body).toEqual([]);
  });

  test("must exist, and no member is added if one of them does not", async () => {
    const id = await createOrganization("acme");
    const ann = await createUser("ann@example.test");
    expectError(await manage("POST", `${path}/${id}/members`, { members: [ann, "unknown"] }), 404, "not_found", "unknown");
    expectError(await manage("POST", `${path}/${id}/members`, { members: [] }), 400, "invalid_request", "members");
    expect((await manage("GET", `${path}/${id}/members`)).body).toEqual([]);
    expectError(await manage("POST", `${path}/org_none/members`, { members: [ann] }), 404, "not_found");
  });

  test("have organization roles, which are not roles in the tenant", async () => {
    const id = await createOrganization("acme");
    const ann = await createUser("ann@example.test");
    const roleId = await createRole("Editor");
    const rolesPath = `${path}/${id}/members/${encodeURIComponent(ann)}/roles`;
    expectError(await manage("POST", rolesPath, { roles: [roleId] }), 404, "not_found", "not a member");
    await manage("POST", `${path}/${id}/members`, { members: [ann] });
    expectError(await manage("POST", rolesPath, { roles: [roleId, "rol_none"] }), 404, "not_found", "rol_none");
    for (let i = 0; i < 2; i++) expect((await manage("POST", rolesPath, { roles: [roleId] })).status).toBe(204);
    expect(list(await manage("GET", rolesPath))).toEqual([{ id: roleId, name: "Editor", description: "" }]);
    expect((await manage("GET", `/api/v2/users/${encodeURIComponent(ann)}/roles`)).body).toEqual([]);
    expect((await manage("GET", `/api/v2/roles/${roleId}/users`)).body).toEqual([]);
    const fields = "?fields=user_id,roles";
    expect(list(await manage("GET", `${path}/${id}/members${fields}`))).toEqual([
      { user_id: ann, roles: [{ id: roleId, name: "Editor" }] },
    ]);

    expect((await manage("DELETE", rolesPath, { roles: [roleId] })).status).toBe(204);
    expect((await manage("GET", rolesPath)).body).toEqual([]);
  });

  test("who are removed and added again have no roles", async () => {
    const id = await createOrganization("acme");
    const ann = await createUser("ann@example.test");
    const rolesPath = `${path}/${id}/members/${encodeURIComponent(ann)}/roles`;
    const members = { members: [ann] };
    await manage("POST", `${path}/${id}/members`, members);
    await manage("POST", rolesPath, { roles: [await createRole("Editor")] });
    await manage("DELETE", `${path}/${id}/members`, members);
    expectError(await manage("GET", rolesPath), 404, "not_found");
    await manage("POST", `${path}/${id}/members`, members);
    expect((await manage("GET", rolesPath)).body).toEqual([]);
  });

  test("keep their roles in one organization when another one is deleted", async () => {
    const [acme, beta] = [await createOrganization("acme"), await createOrganization("beta")];
    const ann = await createUser("ann@example.test");
    const roleId = await createRole("Editor");
    for (const id of [acme, beta]) {
      await manage("POST", `${path}/${id}/members`, { members: [ann] });
      await manage("POST", `${path}/${id}/members/${encodeURIComponent(ann)}/roles`, { roles: [roleId] });
    }
    await manage("DELETE", `${path}/${acme}`);
    expect(list(await manage("GET", `${path}/${beta}/members/${encodeURIComponent(ann)}/roles`))).toHaveLength(1);
    expect(list(await manage("GET", `/api/v2/users/${encodeURIComponent(ann)}/organizations`))).toMatchObject([{ id: beta }]);
  });
});

describe("connections of an organization", () => {
  const views = ["enabled_connections", "connections"] as const;

  test.each(views)("are added, read, updated, listed and removed as %s", async (view) => {
    const id = await createOrganization("acme");
    const connectionId = await passwordConnection();
    const at = `${path}/${id}/${view}`;
    const added = await manage.create(at, { connection_id: connectionId });
    const flags = { assign_membership_on_login: false, show_as_button: true, is_signup_enabled: false };
    expect(added).toEqual({
      connection_id: connectionId,
      ...flags,
      connection: { name: "Username-Password-Authentication", strategy: "auth0" },
    });
    for (const either of views)
      expectError(await manage("POST", `${path}/${id}/${either}`, { connection_id: connectionId }), 409, "conflict");
    expect(jsonBody(await manage("GET", `${at}/${connectionId}`))).toEqual(added);
    const changed = { ...added, assign_membership_on_login: true };
    expect(jsonBody(await manage("PATCH", `${at}/${connectionId}`, { assign_membership_on_login: true }))).toEqual(changed);
    expect(jsonBody(await manage("PATCH", `${at}/${connectionId}`, {}))).toEqual(changed);
    for (const either of views) {
      expect(jsonBody(await manage("GET", `${path}/${id}/${either}?include_totals=true`))).toMatchObject({ total: 1, [either]: [changed] });
    }
    expect(list(await manage("GET", `${at}?is_enabled=true`))).toEqual([changed]);
    expect(list(await manage("GET", `${at}?is_enabled=false`))).toEqual([]);
    expectError(await manage("GET", `${at}?is_enabled=1`), 400, "invalid_request", "'is_enabled'");
    expect(jsonBody(await manage("GET", `${path}/${id}`))).toMatchObject({ enabled_connections: [changed] });
    for (let i = 0; i < 2; i++) expect((await manage("DELETE", `${at}/${connectionId}`)).status).toBe(204);
    expectError(await manage("GET", `${at}/${connectionId}`), 404, "not_found");
    expectError(await manage("PATCH", `${at}/${connectionId}`, { show_as_button: false }), 404, "not_found");
  });

  test.each(views)("as %s accept default values of members that are not supported, and reject other values", async (view) => {
    const id = await createOrganization("acme");
    const connectionId = await passwordConnection();
    const at = `${path}/${id}/${view}`;
    const defaultValues = { organization_connection_name: null, organization_access_level: null, is_enabled: true };
    const added = await manage.create(at, { connection_id: connectionId, ...defaultValues });
    expect(jsonBody(await manage("PATCH", `${at}/${connectionId}`, { ...defaultValues, is_enabled: null }))).toEqual(added);
    for (const [body, field] of [
      [{ organization_connection_name: "Staff" }, "organization_connection_name"],
      [{ organization_access_level: "full" }, "organization_access_level"],
      [{ is_enabled: false }, "is_enabled"],
      [{ show_as_button: "yes" }, "show_as_button"],
      [{ connection: {} }, "connection"],
      [{ organization_id: "org_x" }, "organization_id"],
    ] as const) {
      expectError(await manage("PATCH", `${at}/${connectionId}`, body), 400, "invalid_request", `'${field}'`);
      expectError(await manage("POST", at, { connection_id: connectionId, ...body }), 400, "invalid_request", `'${field}'`);
    }
    expect(jsonBody(await manage("GET", `${at}/${connectionId}`))).toEqual(added);
  });

  test("are removed when the connection is deleted", async () => {
    const id = await createOrganization("acme");
    const connectionId = stringMember(await manage.create("/api/v2/connections", { name: "second", strategy: "auth0" }), "id");
    await manage.create(`${path}/${id}/enabled_connections`, { connection_id: connectionId });
    expect((await manage("DELETE", `/api/v2/connections/${connectionId}`)).status).toBe(204);
    expect((await manage("GET", `${path}/${id}/enabled_connections`)).body).toEqual([]);
  });

  test("must exist in the tenant", async () => {
    const id = await createOrganization("acme");
    const [foreign = {}] = list(await other("GET", "/api/v2/connections"));
    for (const connectionId of ["con_none", stringMember(foreign, "id")]) {
      const body = { connection_id: connectionId };
      expectError(await manage("POST", `${path}/${id}/enabled_connections`, body), 400, "invalid_request", "connection_id");
    }
  });
});
