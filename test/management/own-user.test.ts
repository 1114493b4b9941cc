import { beforeEach, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import type { ApiResponse } from "../support/postern.ts";
import { createTestPostern, managementAudience, type TestPostern } from "../support/postern.ts";

/** The actions of users on their own user with Auth0's `current_user` scopes. */

const password = "Correct-horse-1";

let service: TestPostern;
let manage: Manager;
let client: string;
let ann: string;
let bob: string;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  const settings = { name: "App", app_type: "native", grant_types: ["password"] };
  client = stringMember(await manage.create("/api/v2/clients", settings), "client_id");
  ann = await createUser("ann");
  bob = await createUser("bob");
});

async function createUser(name: string): Promise<string> {
  const body = { connection: "Username-Password-Authentication", email: `${name}@example.test`, password, app_metadata: { plan: "free" } };
  return stringMember(await manage.create("/api/v2/users", body), "user_id");
}

/** Returns a function that calls the API as Ann, whose roles grant these scopes. */
async function asAnn(...scopes: readonly string[]): Promise<(method: string, userId: string, body?: unknown) => Promise<ApiResponse>> {
  const role = stringMember(await manage.create("/api/v2/roles", { name: scopes.join(" ") }), "id");
  const permissions = scopes.map((name) => ({ resource_server_identifier: managementAudience, permission_name: name }));
  expect(await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions })).toMatchObject({ status: 201 });
  expect(await manage("POST", `/api/v2/roles/${role}/users`, { users: [ann] })).toMatchObject({ status: 200 });
  const signIn = { grant_type: "password", client_id: client, username: "ann@example.test", password, audience: managementAudience };
  const token = stringMember(
    jsonBody(await service.call("POST", "/oauth/token", { body: { ...signIn, scope: scopes.join(" ") } })),
    "access_token",
  );
  return (method, userId, body) =>
    service.call(method, `/api/v2/users/${encodeURIComponent(userId)}`, { token, ...(body !== undefined && { body }) });
}

const shown = (userId: string): Promise<ApiResponse> => manage("GET", `/api/v2/users/${encodeURIComponent(userId)}`);

test("read:current_user reads only the caller's own user", async () => {
  const call = await asAnn("read:current_user");
  expect(jsonBody(await call("GET", ann))).toEqual(jsonBody(await shown(ann)));
  for (const other of [bob, "unknown", `${ann} `, ann.toUpperCase()]) expectError(await call("GET", other), 403, "forbidden");
  expectError(await call("PATCH", ann, { user_metadata: { a: 1 } }), 403, "insufficient_scope");
  expectError(await call("DELETE", ann), 403, "insufficient_scope");
});

test("update:current_user_metadata updates only the user_metadata of the caller's own user", async () => {
  const call = await asAnn("update:current_user_metadata");
  expect(jsonBody(await call("PATCH", ann, { user_metadata: { color: "green" } }))).toMatchObject({ user_metadata: { color: "green" } });
  const before = jsonBody(await shown(ann));
  for (const body of [
    { app_metadata: { plan: "pro" } },
    { user_metadata: {}, app_metadata: { plan: "pro" } },
    { email: "root@example.test" },
    { email_verified: true },
    { password: "Correct-horse-2" },
    { blocked: false },
    { connection: "Username-Password-Authentication", user_metadata: {} },
  ]) {
    expectError(await call("PATCH", ann, body), 403, "insufficient_scope", "update:users");
  }
  expect(jsonBody(await shown(ann))).toEqual(before);
  for (const other of [bob, "unknown"]) expectError(await call("PATCH", other, { user_metadata: {} }), 403, "forbidden");
  expectError(await call("PATCH", bob, {}), 403, "forbidden");
});

test("delete:current_user deletes only the caller's own user", async () => {
  const call = await asAnn("delete:current_user");
  for (const other of [bob, "unknown"]) expectError(await call("DELETE", other), 403, "forbidden");
  expect(await shown(bob)).toMatchObject({ status: 200 });
  expect(await call("DELETE", ann)).toMatchObject({ status: 204 });
  expect(await shown(ann)).toMatchObject({ status: 404 });
});

test("a current_user scope does not widen a narrow scope for other users", async () => {
  const call = await asAnn("read:current_user", "read:user_idp_tokens", "update:current_user_metadata", "update:users_app_metadata");
  expect(jsonBody(await call("GET", ann))).toEqual(jsonBody(await shown(ann)));
  expect(jsonBody(await call("GET", bob))).toEqual({ user_id: bob, identities: [expect.any(Object)] });
  expect(jsonBody(await call("PATCH", ann, { user_metadata: { a: 1 }, app_metadata: { b: 2 } }))).toMatchObject({
    email: "ann@example.test",
  });
  expectError(await call("PATCH", bob, { user_metadata: { a: 1 } }), 403, "insufficient_scope", "update:users");
  expect(jsonBody(await call("PATCH", bob, { app_metadata: { b: 2 } }))).toEqual({ user_id: bob, app_metadata: { plan: "free", b: 2 } });
});

test("scopes for all users still reach all users", async () => {
  const call = await asAnn("read:users", "read:current_user", "update:users", "update:current_user_metadata");
  expect(await call("GET", bob)).toMatchObject({ status: 200 });
  expect(jsonBody(await call("PATCH", bob, { app_metadata: { plan: "pro" } }))).toMatchObject({ app_metadata: { plan: "pro" } });
});
