import { beforeEach, describe, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { fakeHasher } from "../support/flow.ts";
import { createTestPostern, managementAudience, type ApiResponse, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

const verification = "/api/v2/tickets/email-verification";
const passwordChange = "/api/v2/tickets/password-change";
const database = "Username-Password-Authentication";
const email = "ada@example.test";

let service: TestPostern;
let manage: Manager;
let user: string;

beforeEach(async () => {
  service = await createTestPostern({ crypto: { hasher: fakeHasher } });
  manage = await managerOf(service);
  user = stringMember(await manage.create("/api/v2/users", { connection: database, email, password: "Correct-horse-1" }), "user_id");
});

async function statusOf(ticket: string): Promise<number> {
  return (await service.postern.fetch(new Request(ticket))).status;
}

test("a ticket is a page URL in Auth0's format", async () => {
  const verify = stringMember(await manage.create(verification, { user_id: user }), "ticket");
  const reset = stringMember(await manage.create(passwordChange, { user_id: user }), "ticket");
  expect(verify).toMatch(/^https:\/\/id\.example\.test\/u\/verify-email\?ticket=main\.[A-Za-z0-9]{32}$/);
  expect(reset).toMatch(/^https:\/\/id\.example\.test\/u\/reset-password\?ticket=main\.[A-Za-z0-9]{32}#$/);
});

test.each([
  ["omitted", {}, 120],
  ["0", { ttl_sec: 0 }, 120],
  ["two hours", { ttl_sec: 7200 }, 2],
])("a ticket expires after five days or after ttl_sec: %s", async (_case, body, lifetime) => {
  const { ticket } = await manage.create(passwordChange, { user_id: user, ...body });
  service.clock.advance(`${lifetime - 1}h`);
  expect(await statusOf(String(ticket))).toBe(200);
  service.clock.advance("61m");
  expect(await statusOf(String(ticket))).toBe(400);
});

test("a user can be identified by connection and email address, in upper or lower case", async () => {
  const { body } = await manage("GET", "/api/v2/connections");
  const [{ id }] = body as [{ id: string }];
  expect(await manage("POST", passwordChange, { email: "ADA@example.test", connection_id: id })).toMatchObject({ status: 201 });
  expectError(await manage("POST", passwordChange, { email: "unknown@example.test", connection_id: id }), 404, "not_found");
  expectError(
    await manage("POST", passwordChange, { email, connection_id: "con_none" }),
    400,
    "invalid_request",
    "is not a database connection",
  );
});

test("a ticket for the password of a linked account requires `identity`", async () => {
  await manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
  const other = stringMember(
    await manage.create("/api/v2/users", { connection: "staff", email: "ada@work.test", password: "Correct-horse-1" }),
    "user_id",
  );
  const [provider, id] = other.split("|") as [string, string];
  expect(await manage("POST", `/api/v2/users/${encodeURIComponent(user)}/identities`, { provider: "auth0", user_id: other })).toMatchObject(
    {
      status: 201,
    },
  );
  expectError(await manage("POST", passwordChange, { user_id: other }), 404, "not_found");
  const identity = { user_id: id, provider: "auth0" };
  const { ticket } = await manage.create(passwordChange, { user_id: user, identity });
  const page = await (await service.postern.fetch(new Request(String(ticket)))).text();
  expect(page).toContain("ada@work.test");
  expectError(await manage("POST", verification, { user_id: user, identity }), 400, "invalid_request", "linked account");
  expectError(
    await manage("POST", passwordChange, { user_id: user, identity: { ...identity, user_id: "none" } }),
    400,
    "invalid_request",
    "not an identity of",
  );
  expectError(
    await manage("POST", passwordChange, { user_id: user, identity: { ...identity, connection_id: "con_x" } }),
    400,
    "invalid_request",
  );
  expect(provider).toBe("staff");
});

describe("a ticket request is rejected", () => {
  test.each<readonly [string, string, object, number, string]>([
    ["no user", verification, {}, 400, "'user_id'"],
    ["an unknown user", verification, { user_id: "auth0|none" }, 404, ""],
    ["an unknown user, for a password", passwordChange, { user_id: "auth0|none" }, 404, ""],
    ["no user, for a password", passwordChange, {}, 400, "must have 'user_id', or 'email' and 'connection_id'"],
    ["an email address without its connection", passwordChange, { email }, 400, "must have 'user_id'"],
    [
      "a user who is identified in two ways",
      passwordChange,
      { user_id: "USER", email, connection_id: "con_x" },
      400,
      "must have 'user_id'",
    ],
    ["a javascript: result URL", passwordChange, { user_id: "USER", result_url: "javascript:alert(1)" }, 400, "result_url"],
    ["a relative result URL", passwordChange, { user_id: "USER", result_url: "/done" }, 400, "result_url"],
    ["an unknown client", passwordChange, { user_id: "USER", client_id: "none" }, 400, "'client_id' is 'none'"],
    ["an unknown organization", passwordChange, { user_id: "USER", organization_id: "org_none" }, 400, "'organization_id' is"],
    ["a negative lifetime", passwordChange, { user_id: "USER", ttl_sec: -1 }, 400, "ttl_sec"],
    ["a lifetime of more than a year", passwordChange, { user_id: "USER", ttl_sec: 31_536_001 }, 400, "ttl_sec"],
    ["a fraction of a second", passwordChange, { user_id: "USER", ttl_sec: 0.5 }, 400, "ttl_sec"],
    ["a password in the body", passwordChange, { user_id: "USER", new_password: "x" }, 400, "new_password"],
    ["an unknown member", verification, { user_id: "USER", email }, 400, "email"],
  ])("for %s", async (_case, path, body, status, error) => {
    const sent = JSON.parse(JSON.stringify(body).replace("USER", user)) as object;
    const answer = await manage("POST", path, sent);
    expect(answer.status).toBe(status);
    expect(String(jsonBody(answer, status)["error_description"])).toContain(error);
  });

  test("for an account without an email address, and for one without a password", async () => {
    await manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
    const phone = stringMember(await manage.create("/api/v2/users", { connection: "sms", phone_number: "+4612345678" }), "user_id");
    expectError(await manage("POST", verification, { user_id: phone }), 400, "invalid_request", "without an email address");
    expectError(await manage("POST", passwordChange, { user_id: phone }), 400, "invalid_request", "has no passwords");
  });

  test("without the scope, and for users of another tenant", async () => {
    const token = await tokenWith(service, manage, ["update:users", "create:users"]);
    for (const path of [verification, passwordChange])
      expectError(await service.call("POST", path, { token, body: { user_id: user } }), 403, "insufficient_scope", "create:user_tickets");
    const other = await managerOf(service, "other");
    for (const path of [verification, passwordChange]) expectError(await other("POST", path, { user_id: user }), 404, "not_found");
  });
});

test("a caller gets no ticket for a user with Management API permissions that the caller lacks, direct or by role", async () => {
  const token = await tokenWith(service, manage, ["create:user_tickets", "read:users"]);
  const requestTicket = (path: string): Promise<ApiResponse> => service.call("POST", path, { token, body: { user_id: user } });
  const identifier = managementAudience;
  const permission = (name: string) => ({ permissions: [{ resource_server_identifier: identifier, permission_name: name }] });
  const at = `/api/v2/users/${encodeURIComponent(user)}`;

  await manage("POST", `${at}/permissions`, permission("read:users"));
  for (const path of [verification, passwordChange]) expect(await requestTicket(path)).toMatchObject({ status: 201 });

  await manage("POST", `${at}/permissions`, permission("delete:users"));
  for (const path of [verification, passwordChange]) expectError(await requestTicket(path), 403, "insufficient_scope", "delete:users");
  await manage("DELETE", `${at}/permissions`, permission("delete:users"));
  for (const path of [verification, passwordChange]) expect(await requestTicket(path)).toMatchObject({ status: 201 });

  const role = stringMember(await manage.create("/api/v2/roles", { name: "Clerk" }), "id");
  await manage("POST", `/api/v2/roles/${role}/permissions`, permission("update:clients"));
  await manage("POST", `${at}/roles`, { roles: [role] });
  for (const path of [verification, passwordChange]) expectError(await requestTicket(path), 403, "insufficient_scope", "update:clients");
});
