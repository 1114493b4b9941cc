import { beforeEach, expect, test } from "vitest";
import { expectError, managerOf, stringMember, type Manager } from "../support/api.ts";
import { fakeHasher } from "../support/flow.ts";
import { createTestPostern, managementAudience, type ApiResponse, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

const connection = "Username-Password-Authentication";
const scopes = [
  "update:users",
  "create:authentication_methods",
  "update:authentication_methods",
  "delete:authentication_methods",
  "delete:guardian_enrollments",
] as const;

let service: TestPostern;
let manage: Manager;
let administrator: string;
let other: string;
let token: string;

beforeEach(async () => {
  service = await createTestPostern({ crypto: { hasher: fakeHasher } });
  manage = await managerOf(service);
  const create = async (email: string) =>
    stringMember(await manage.create("/api/v2/users", { connection, email, password: "Correct-horse-1" }), "user_id");
  administrator = await create("admin@example.test");
  other = await create("other@example.test");
  token = await tokenWith(service, manage, [...scopes]);
  const permissions = [{ resource_server_identifier: managementAudience, permission_name: "update:clients" }];
  await manage("POST", `${pathOf(administrator)}/permissions`, { permissions });
});

const pathOf = (id: string): string => `/api/v2/users/${encodeURIComponent(id)}`;

const call = (method: string, path: string, body?: object): Promise<ApiResponse> =>
  service.call(method, path, { token, ...(body !== undefined && { body }) });

const phone = { type: "phone", phone_number: "+4312345678" };

test.each<[string, string, object?]>([
  ["PATCH", "", { password: "Correct-horse-2" }],
  ["PATCH", "", { email: "mallory@example.test" }],
  ["PATCH", "", { email_verified: true }],
  ["PATCH", "", { phone_number: "+4312345678" }],
  ["PATCH", "", { username: "mallory" }],
  ["DELETE", "/multifactor/google-authenticator"],
  ["POST", "/recovery-code-regeneration"],
  ["POST", "/authentication-methods", phone],
  ["PUT", "/authentication-methods", []],
  ["DELETE", "/authentication-methods"],
  ["DELETE", "/authentication-methods/none"],
  ["DELETE", "/authenticators"],
])("rejects %s %s %j for a user with a permission that the caller lacks", async (method, path, body) => {
  expectError(await call(method, `${pathOf(administrator)}${path}`, body), 403, "insufficient_scope", "update:clients");
  const { status } = await call(method, `${pathOf(other)}${path}`, body);
  expect(status).not.toBe(403);
});

test("rejects linking an account to or from a user with a permission that the caller lacks", async () => {
  for (const [primary, account] of [
    [administrator, other],
    [other, administrator],
  ] as const)
    expectError(
      await call("POST", `${pathOf(primary)}/identities`, { provider: "auth0", user_id: account }),
      403,
      "insufficient_scope",
      "update:clients",
    );
});

test("rejects removing an enrollment of a user with a permission that the caller lacks", async () => {
  const id = stringMember(await manage.create(`${pathOf(administrator)}/authentication-methods`, phone), "id");
  expectError(await call("DELETE", `/api/v2/guardian/enrollments/${id}`), 403, "insufficient_scope", "update:clients");
});

test("lets the caller change the name of every user", async () => {
  expect(await call("PATCH", pathOf(administrator), { name: "Ada" })).toMatchObject({ status: 200 });
});
