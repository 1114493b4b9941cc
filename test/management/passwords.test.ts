import { beforeAll, beforeEach, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type ApiResponse, type TestPostern } from "../support/postern.ts";

const realmGrant = "http://auth0.com/oauth/grant-type/password-realm";

let service: TestPostern;
let manage: Manager;
let app: JsonBody;
let serial = 0;
let email: string;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  await manage.create("/api/v2/connections", {
    name: "staff",
    strategy: "auth0",
    options: {
      passwordPolicy: "good",
      password_dictionary: { enable: true, dictionary: ["Postern-Castle-1"] },
      password_no_personal_info: { enable: true },
      password_history: { enable: true, size: 2 },
    },
  });
  const { client_id, client_secret } = await manage.create("/api/v2/clients", {
    name: "App",
    app_type: "regular_web",
    grant_types: [realmGrant],
  });
  app = { client_id, client_secret };
});
beforeEach(() => {
  email = `castellan-${serial++}@example.test`;
});

const create = (password: string, more: JsonBody = {}): Promise<ApiResponse> =>
  manage("POST", "/api/v2/users", { connection: "staff", email, password, ...more });

/** Creates a user of the connection `staff`. `set` changes the password. */
async function user(password: string): Promise<{ readonly id: string; set(password: string): Promise<ApiResponse> }> {
  const id = stringMember(jsonBody(await create(password), 201), "user_id");
  return { id, set: (next) => manage("PATCH", `/api/v2/users/${encodeURIComponent(id)}`, { password: next }) };
}

const logIn = (password: string): Promise<ApiResponse> =>
  service.call("POST", "/oauth/token", {
    body: { ...app, grant_type: realmGrant, realm: "staff", username: email, password },
  });

test.each([
  ["short", "PasswordStrengthError: Password is too weak"],
  ["alllowercase", "PasswordStrengthError: Password is too weak"],
  ["postern-castle-1", "PasswordDictionaryError: Password is too common"],
])("rejects a password that violates the connection's policy for a new and an existing user: %s", async (password, error) => {
  expectError(await create(password), 400, "invalid_request", `^body: 'password': ${error}`);
  const { set } = await user("Drawbridge-9");
  expectError(await set(password), 400, "invalid_request", `^body: 'password': ${error}`);
  expect((await logIn("Drawbridge-9")).status).toBe(200);
});

test("enforces the newer `password_options` of a connection", async () => {
  const { id } = await manage.create("/api/v2/connections", {
    name: "strict",
    strategy: "auth0",
    options: {
      password_options: {
        complexity: { min_length: 10, character_types: ["number"], sequential_characters: "block", max_length_exceeded: "error" },
        dictionary: { active: true, custom: ["Portcullis-9"] },
        history: { active: true, size: 1 },
        profile_data: { active: true, blocked_fields: ["nickname"] },
      },
    },
  });
  const add = (password: string) => create(password, { connection: "strict", nickname: "isolde" });
  for (const [password, error] of [
    ["moat-and-9", ""],
    ["moat-99", "PasswordStrengthError"],
    ["moat-and-wall", "PasswordStrengthError"],
    ["moat-and-456", "PasswordStrengthError"],
    ["portcullis-9", "PasswordDictionaryError"],
    ["moat-ISOLDE-9", "PasswordNoUserInfoError"],
  ] as const) {
    email = `warden-${serial++}@example.test`;
    if (error !== "") expectError(await add(password), 400, "invalid_request", `^body: 'password': ${error}`);
    else {
      const user = stringMember(jsonBody(await add(password), 201), "user_id");
      const again = await manage("PATCH", `/api/v2/users/${encodeURIComponent(user)}`, { password });
      expectError(again, 400, "invalid_request", "PasswordHistoryError");
    }
  }
  const options = { password_options: { complexity: { max_length_exceeded: "truncate" } } };
  expectError(await manage("PATCH", `/api/v2/connections/${String(id)}`, { options }), 400, "invalid_request", "max_length_exceeded");
});

test("rejects a password that contains the user's name or email address", async () => {
  const error = "^body: 'password': PasswordNoUserInfoError";
  expectError(await create(`${email.split("@")[0]}-X9`), 400, "invalid_request", error);
  expectError(await create("Isolde-and-9", { name: "Isolde" }), 400, "invalid_request", error);
  const { id } = await user("Drawbridge-9");
  const change = { name: "Tristan", password: "Tristan-and-9" };
  expectError(await manage("PATCH", `/api/v2/users/${encodeURIComponent(id)}`, change), 400, "invalid_request", error);
});

test("rejects the current password and the previous ones in the history", async () => {
  const { set } = await user("Drawbridge-1");
  for (const next of ["Drawbridge-2", "Drawbridge-3"]) {
    service.clock.advance("1s");
    jsonBody(await set(next));
  }
  for (const used of ["Drawbridge-3", "Drawbridge-2", "Drawbridge-1"]) {
    expectError(await set(used), 400, "invalid_request", "^body: 'password': PasswordHistoryError: Password has previously been used");
  }
  service.clock.advance("1s");
  jsonBody(await set("Drawbridge-4"));
  service.clock.advance("1s");
  jsonBody(await set("Drawbridge-1"));
  expect((await logIn("Drawbridge-1")).status).toBe(200);
});

test("requires eight characters in the default connection, and accepts any password in a connection without a policy", async () => {
  const body = { connection: "Username-Password-Authentication", email };
  expectError(await manage("POST", "/api/v2/users", { ...body, password: "sevenup" }), 400, "invalid_request", "^body: 'password': ");
  jsonBody(await manage("POST", "/api/v2/users", { ...body, password: "eightups" }), 201);
  await manage.create("/api/v2/connections", { name: "lax", strategy: "auth0", options: { passwordPolicy: "none" } });
  jsonBody(await manage("POST", "/api/v2/users", { connection: "lax", email, password: "a" }), 201);
});

test("resets the throttling of failed logins after a new password", async () => {
  const { set } = await user("Drawbridge-1");
  for (let i = 0; i < 3; i++) expectError(await logIn("wrong"), 403, "INVALID_CREDENTIALS");
  expectError(await logIn("Drawbridge-1"), 403, "TOO_MANY_FAILED_LOGINS");
  jsonBody(await set("Drawbridge-2"));
  expect((await logIn("Drawbridge-2")).status).toBe(200);
});

test("stores no password of a rejected change", async () => {
  await create("Drawbridge-1");
  const { data } = service;
  const takenEmail = email;
  email = `castellan-${serial++}@example.test`;
  const { id } = await user("Drawbridge-1");
  const change = { email: takenEmail, password: "Drawbridge-2" };
  expectError(await manage("PATCH", `/api/v2/users/${encodeURIComponent(id)}`, change), 409, "conflict");
  expect(await data.collections.passwords.count({ tenant_id: "main", user_id: id })).toBe(1);
});
