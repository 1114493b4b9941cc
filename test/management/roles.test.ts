import { beforeEach, expect, test } from "vitest";
import { createTestPostern, managementAudience, type ApiResponse, type ApiCallOptions } from "../support/postern.ts";

let call: (method: string, path: string, body?: unknown) => Promise<ApiResponse>;
let callOther: (method: string, path: string, body?: unknown) => Promise<ApiResponse>;
let userId: string;

beforeEach(async () => {
  const { call: send, token } = await createTestPostern();
  const [main, other] = [await token("main"), await token("other")];
  const options = (accessToken: string, body: unknown): ApiCallOptions => ({ token: accessToken, ...(body !== undefined && { body }) });
  call = (method, path, body) => send(method, path, options(main, body));
  callOther = (method, path, body) => send(method, path, options(other, body));
  const created = await call("POST", "/api/v2/users", { connection: "Username-Password-Authentication", email: "ann@example.test" });
  ({ user_id: userId } = created.body as { user_id: string });
});

async function createRole(name: string): Promise<string> {
  const { status, body } = await call("POST", "/api/v2/roles", { name, description: "for tests" });
  expect(status).toBe(201);
  return (body as { id: string }).id;
}

async function createApi(): Promise<void> {
  const api = {
    identifier: "https://api.example.test",
    scopes: [{ value: "read:things", description: "Read things" }, { value: "write:things" }],
  };
  expect((await call("POST", "/api/v2/resource-servers", api)).status).toBe(201);
}

const permission = { resource_server_identifier: "https://api.example.test", permission_name: "read:things" };

test("a role can be created, read, listed, updated and deleted", async () => {
  const id = await createRole("Editor");
  expect((await call("GET", `/api/v2/roles/${id}`)).body).toEqual({ id, name: "Editor", description: "for tests" });
  expect((await call("PATCH", `/api/v2/roles/${id}`, { name: "Author" })).body).toEqual({ id, name: "Author", description: "for tests" });
  expect((await call("GET", "/api/v2/roles?include_totals=true")).body).toMatchObject({ total: 1, roles: [{ id, name: "Author" }] });
  expect((await call("DELETE", `/api/v2/roles/${id}`)).status).toBe(204);
  expect((await call("GET", `/api/v2/roles/${id}`)).status).toBe(404);
});

test("name_filter matches any part of the name in any case, and Auth0's type parameter is accepted", async () => {
  await createRole("Senior Editor");
  await createRole("Reader");
  const { body } = await call("GET", "/api/v2/roles?name_filter=EDIT&type=tenant");
  expect((body as { name: string }[]).map(({ name }) => name)).toEqual(["Senior Editor"]);
});

test("a role name is unique", async () => {
  await createRole("Editor");
  expect((await call("POST", "/api/v2/roles", { name: "Editor" })).status).toBe(409);
});

test("permissions of a role are added once, returned with the API's name, and removed", async () => {
  await createApi();
  const id = await createRole("Editor");
  const path = `/api/v2/roles/${id}/permissions`;
  for (let i = 0; i < 2; i++) expect((await call("POST", path, { permissions: [permission, permission] })).status).toBe(201);
  expect((await call("GET", path)).body).toEqual([
    { ...permission, resource_server_name: "https://api.example.test", description: "Read things" },
  ]);
  expect((await call("DELETE", path, { permissions: [permission] })).status).toBe(204);
  expect((await call("GET", `${path}?include_totals=true`)).body).toEqual({ permissions: [], start: 0, limit: 10, length: 0, total: 0 });
});

test("the Management API's scopes are permissions of its audience", async () => {
  const id = await createRole("Support");
  const grantedPermission = { resource_server_identifier: managementAudience, permission_name: "read:users" };
  expect((await call("POST", `/api/v2/roles/${id}/permissions`, { permissions: [grantedPermission] })).status).toBe(201);
  expect((await call("GET", `/api/v2/roles/${id}/permissions`)).body).toMatchObject([grantedPermission]);
});

test("unknown APIs, permissions, roles and users respond with 404", async () => {
  await createApi();
  const id = await createRole("Editor");
  const path = `/api/v2/roles/${id}/permissions`;
  const wrong = [
    { ...permission, resource_server_identifier: "https://nothing.test" },
    { ...permission, permission_name: "fly" },
  ];
  for (const one of wrong) {
    const { status, body } = await call("POST", path, { permissions: [one] });
    expect(status).toBe(404);
    expect((body as { error_description: string }).error_description).toMatch(/nothing\.test|fly/);
  }
  expect((await call("POST", `/api/v2/users/${userId}/roles`, { roles: ["rol_none"] })).status).toBe(404);
  expect((await call("POST", `/api/v2/roles/${id}/users`, { users: ["unknown"] })).body).toMatchObject({ errorCode: "inexistent_user" });
  expect((await call("POST", `/api/v2/users/unknown/roles`, { roles: [id] })).status).toBe(404);
});

test("roles and permissions of a user can be assigned from either side, and permissions list their sources", async () => {
  await createApi();
  const [editor, reader] = [await createRole("Editor"), await createRole("Reader")];
  await call("POST", `/api/v2/roles/${editor}/permissions`, { permissions: [permission] });
  expect((await call("POST", `/api/v2/users/${userId}/roles`, { roles: [editor, editor] })).status).toBe(204);
  expect((await call("POST", `/api/v2/roles/${reader}/users`, { users: [userId] })).status).toBe(200);
  expect((await call("POST", `/api/v2/users/${userId}/permissions`, { permissions: [permission] })).status).toBe(201);

  expect((await call("GET", `/api/v2/roles/${reader}/users`)).body).toMatchObject([{ user_id: userId, email: "ann@example.test" }]);
  const roles = (await call("GET", `/api/v2/users/${userId}/roles`)).body as { name: string }[];
  expect(roles.map(({ name }) => name).toSorted()).toEqual(["Editor", "Reader"]);
  expect((await call("GET", `/api/v2/users/${userId}/permissions`)).body).toMatchObject([
    { ...permission, sources: [{ source_type: "DIRECT" }, { source_id: editor, source_name: "Editor", source_type: "ROLE" }] },
  ]);

  expect((await call("DELETE", `/api/v2/users/${userId}/permissions`, { permissions: [permission] })).status).toBe(204);
  expect((await call("DELETE", `/api/v2/users/${userId}/roles`, { roles: [editor] })).status).toBe(204);
  expect((await call("GET", `/api/v2/users/${userId}/permissions`)).body).toEqual([]);
});

test("a deleted role is removed from its users", async () => {
  const id = await createRole("Editor");
  await call("POST", `/api/v2/users/${userId}/roles`, { roles: [id] });
  await call("DELETE", `/api/v2/roles/${id}`);
  expect((await call("GET", `/api/v2/users/${userId}/roles`)).body).toEqual([]);
});

test("roles and users of another tenant respond with 404", async () => {
  const id = await createRole("Editor");
  for (const path of [`/api/v2/roles/${id}`, `/api/v2/roles/${id}/users`, `/api/v2/users/${encodeURIComponent(userId)}/roles`]) {
    expect((await callOther("GET", path)).status).toBe(404);
  }
});

test("a short list can be paged with a cursor, and an invalid cursor is rejected", async () => {
  await createApi();
  const id = await createRole("Editor");
  const both = [permission, { ...permission, permission_name: "write:things" }];
  await call("POST", `/api/v2/roles/${id}/permissions`, { permissions: both });
  const path = `/api/v2/roles/${id}/permissions`;
  const first = (await call("GET", `${path}?take=1`)).body as { permissions: { permission_name: string }[]; next: string };
  const second = (await call("GET", `${path}?take=1&from=${first.next}`)).body as {
    permissions: { permission_name: string }[];
    next?: string;
  };
  expect([...first.permissions, ...second.permissions].map(({ permission_name: name }) => name)).toEqual(["read:things", "write:things"]);
  expect(second.next).toBeUndefined();
  expect((await call("GET", `${path}?take=1&from=-1`)).status).toBe(400);
});
