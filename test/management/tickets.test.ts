import { beforeEach, describe, expect, test } from "vitest";
import { expectError, managerOf, object, text, type Manager } from "../support/api.ts";
import { fakeHasher } from "../support/flow.ts";
import { createTestPostern, managementAudience, type Answer, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

const verification = "/api/v2/tickets/email-verification";
const change = "/api/v2/tickets/password-change";
const database = "Username-Password-Authentication";
const email = "ada@example.test";

let service: TestPostern;
let manage: Manager;
let user: string;

beforeEach(async () => {
  service = await createTestPostern({ crypto: { hasher: fakeHasher } });
  manage = await managerOf(service);
  user = text(await manage.create("/api/v2/users", { connection: database, email, password: "Correct-horse-1" }), "user_id");
});

async function statusOf(ticket: string): Promise<number> {
  return (await service.postern.fetch(new Request(ticket))).status;
}

test("a ticket is an address of a page, as the vendor's: 201, under `ticket`, that of a password ending in a hash sign", async () => {
  const verify = text(await manage.create(verification, { user_id: user }), "ticket");
  const reset = text(await manage.create(change, { user_id: user }), "ticket");
  expect(verify).toMatch(/^https:\/\/id\.example\.test\/u\/verify-email\?ticket=main\.[A-Za-z0-9]{32}$/);
  expect(reset).toMatch(/^https:\/\/id\.example\.test\/u\/reset-password\?ticket=main\.[A-Za-z0-9]{32}#$/);
});

test.each([
  ["left out", {}, 120],
  ["0", { ttl_sec: 0 }, 120],
  ["two hours", { ttl_sec: 7200 }, 2],
])("it lives five days, or as long as is said: %s", async (_said, body, lifetime) => {
  const { ticket } = await manage.create(change, { user_id: user, ...body });
  service.clock.advance(`${lifetime - 1}h`);
  expect(await statusOf(String(ticket))).toBe(200);
  service.clock.advance("61m");
  expect(await statusOf(String(ticket))).toBe(400);
});

test("a person is named by an address at a database as well, in any case", async () => {
  const { body } = await manage("GET", "/api/v2/connections");
  const [{ id }] = body as [{ id: string }];
  expect(await manage("POST", change, { email: "ADA@example.test", connection_id: id })).toMatchObject({ status: 201 });
  expectError(await manage("POST", change, { email: "nobody@example.test", connection_id: id }), 404, "not_found");
  expectError(await manage("POST", change, { email, connection_id: "con_none" }), 400, "invalid_request", "is not a database connection");
});

test("a linked account's password has a ticket where `identity` names it", async () => {
  await manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
  const other = text(
    await manage.create("/api/v2/users", { connection: "staff", email: "ada@work.test", password: "Correct-horse-1" }),
    "user_id",
  );
  const [provider, id] = other.split("|") as [string, string];
  expect(await manage("POST", `/api/v2/users/${encodeURIComponent(user)}/identities`, { provider: "auth0", user_id: other })).toMatchObject(
    {
      status: 201,
    },
  );
  expectError(await manage("POST", change, { user_id: other }), 404, "not_found");
  const identity = { user_id: id, provider: "auth0" };
  const { ticket } = await manage.create(change, { user_id: user, identity });
  const page = await (await service.postern.fetch(new Request(String(ticket)))).text();
  expect(page).toContain("ada@work.test");
  expectError(await manage("POST", verification, { user_id: user, identity }), 400, "invalid_request", "linked account");
  expectError(
    await manage("POST", change, { user_id: user, identity: { ...identity, user_id: "none" } }),
    400,
    "invalid_request",
    "not an identity of",
  );
  expectError(await manage("POST", change, { user_id: user, identity: { ...identity, connection_id: "con_x" } }), 400, "invalid_request");
  expect(provider).toBe("staff");
});

describe("refuses", () => {
  test.each<readonly [string, string, object, number, string]>([
    ["nobody", verification, {}, 400, "'user_id'"],
    ["a user that is not there", verification, { user_id: "auth0|none" }, 404, ""],
    ["a user that is not there, for a password", change, { user_id: "auth0|none" }, 404, ""],
    ["nobody, for a password", change, {}, 400, "must have 'user_id', or 'email' and 'connection_id'"],
    ["an address without its database", change, { email }, 400, "must have 'user_id'"],
    ["a user named twice", change, { user_id: "USER", email, connection_id: "con_x" }, 400, "must have 'user_id'"],
    ["an address for a script", change, { user_id: "USER", result_url: "javascript:alert(1)" }, 400, "result_url"],
    ["half an address", change, { user_id: "USER", result_url: "/done" }, 400, "result_url"],
    ["a client that is not there", change, { user_id: "USER", client_id: "none" }, 400, "'client_id' is 'none'"],
    ["an organization that is not there", change, { user_id: "USER", organization_id: "org_none" }, 400, "'organization_id' is"],
    ["a lifetime below nothing", change, { user_id: "USER", ttl_sec: -1 }, 400, "ttl_sec"],
    ["a lifetime of more than a year", change, { user_id: "USER", ttl_sec: 31_536_001 }, 400, "ttl_sec"],
    ["half a second", change, { user_id: "USER", ttl_sec: 0.5 }, 400, "ttl_sec"],
    ["a password in the body", change, { user_id: "USER", new_password: "x" }, 400, "new_password"],
    ["an unknown member", verification, { user_id: "USER", email }, 400, "email"],
  ])("%s", async (_which, path, body, status, told) => {
    const sent = JSON.parse(JSON.stringify(body).replace("USER", user)) as object;
    const answer = await manage("POST", path, sent);
    expect(answer.status).toBe(status);
    expect(String(object(answer, status)["error_description"])).toContain(told);
  });

  test("an account without an address, and one without passwords", async () => {
    await manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
    const phone = text(await manage.create("/api/v2/users", { connection: "sms", phone_number: "+4612345678" }), "user_id");
    expectError(await manage("POST", verification, { user_id: phone }), 400, "invalid_request", "without an email address");
    expectError(await manage("POST", change, { user_id: phone }), 400, "invalid_request", "has no passwords");
  });

  test("a token without the scope, and another tenant's users", async () => {
    const token = await tokenWith(service, manage, ["update:users", "create:users"]);
    for (const path of [verification, change])
      expectError(await service.call("POST", path, { token, body: { user_id: user } }), 403, "insufficient_scope", "create:user_tickets");
    const others = await managerOf(service, "other");
    for (const path of [verification, change]) expectError(await others("POST", path, { user_id: user }), 404, "not_found");
  });
});

test("nobody gets a link to a person who may do more with the Management API than they, directly or by a role", async () => {
  const token = await tokenWith(service, manage, ["create:user_tickets", "read:users"]);
  const ask = (path: string): Promise<Answer> => service.call("POST", path, { token, body: { user_id: user } });
  const identifier = managementAudience;
  const permission = (name: string) => ({ permissions: [{ resource_server_identifier: identifier, permission_name: name }] });
  const at = `/api/v2/users/${encodeURIComponent(user)}`;

  await manage("POST", `${at}/permissions`, permission("read:users"));
  for (const path of [verification, change]) expect(await ask(path)).toMatchObject({ status: 201 });

  await manage("POST", `${at}/permissions`, permission("delete:users"));
  for (const path of [verification, change]) expectError(await ask(path), 403, "insufficient_scope", "delete:users");
  await manage("DELETE", `${at}/permissions`, permission("delete:users"));
  for (const path of [verification, change]) expect(await ask(path)).toMatchObject({ status: 201 });

  const role = text(await manage.create("/api/v2/roles", { name: "Clerk" }), "id");
  await manage("POST", `/api/v2/roles/${role}/permissions`, permission("update:clients"));
  await manage("POST", `${at}/roles`, { roles: [role] });
  for (const path of [verification, change]) expectError(await ask(path), 403, "insufficient_scope", "update:clients");
});
