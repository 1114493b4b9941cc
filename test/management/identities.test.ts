import type { CreateClient } from "@postern/core/api";
import { beforeEach, expect, test } from "vitest";
import { createTestPostern, type ApiResponse, type TestPostern } from "../support/postern.ts";

let main: TestPostern;
let call: (method: string, path: string, body?: unknown, headers?: { readonly [name: string]: string }) => Promise<ApiResponse>;

beforeEach(async () => {
  main = await createTestPostern();
  const token = await main.token();
  call = (method, path, body, headers = {}) => main.call(method, path, { token, headers, ...(body !== undefined && { body }) });
  expect((await call("POST", "/api/v2/connections", { name: "email", strategy: "email" })).status).toBe(201);
});

async function createUser(email: string, connection = "Username-Password-Authentication"): Promise<string> {
  const { status, body } = await call("POST", "/api/v2/users", { connection, email });
  expect(status).toBe(201);
  return (body as { user_id: string }).user_id;
}

const at = (userId: string, rest = ""): string => `/api/v2/users/${encodeURIComponent(userId)}${rest}`;
const bareId = (userId: string): string => userId.slice(userId.indexOf("|") + 1);

test("an account can be linked with its full or its bare id, and then belongs to its primary user", async () => {
  const primary = await createUser("ann@example.test");
  const [first, second] = [await createUser("ann@work.test", "email"), await createUser("ann@home.test", "email")];
  expect((await call("POST", at(primary, "/identities"), { provider: "email", user_id: bareId(first) })).status).toBe(201);
  const { status, body } = await call("POST", at(primary, "/identities"), { provider: "email", user_id: second });
  expect(status).toBe(201);
  const [primaryIdentity, ...linked] = body as { user_id: string; profileData: { email: string } }[];
  expect(primaryIdentity).toMatchObject({
    user_id: bareId(primary),
    connection: "Username-Password-Authentication",
    profileData: { email: "ann@example.test" },
  });
  expect(linked.map(({ profileData }) => profileData.email).toSorted()).toEqual(["ann@home.test", "ann@work.test"]);

  expect((await call("GET", at(first))).status).toBe(404);
  const shown = await call("GET", at(first), undefined, { prefer: "include-linked" });
  expect(shown.body).toMatchObject({ user_id: first, linked_to: primary });
  expect(shown.headers.get("preference-applied")).toBe("include-linked");
  expect((await call("GET", "/api/v2/users?include_totals=true")).body).toMatchObject({ total: 1 });
});

test("an account with a numeric id can be linked with a number", async () => {
  const primary = await createUser("ann@example.test");
  expect((await call("POST", "/api/v2/users", { connection: "email", email: "ann@work.test", user_id: "4711" })).status).toBe(201);
  for (const user_id of [-1, 4711.5, 1e300, null, true, "", "x".repeat(256)]) {
    expect(await call("POST", at(primary, "/identities"), { provider: "email", user_id })).toMatchObject({ status: 400 });
  }
  expect(await call("POST", at(primary, "/identities"), { provider: "email", user_id: 4712 })).toMatchObject({ status: 404 });
  const { status, body } = await call("POST", at(primary, "/identities"), { provider: "email", user_id: 4711 });
  expect({ status, body }).toMatchObject({ status: 201, body: [{}, { provider: "email", user_id: "4711" }] });
});

test("an ambiguous bare id is rejected unless the request names the connection", async () => {
  const created = await call("POST", "/api/v2/connections", { name: "codes", strategy: "email" });
  const { id: connection_id } = created.body as { id: string };
  const primary = await createUser("ann@example.test");
  for (const connection of ["email", "codes"]) {
    expect((await call("POST", "/api/v2/users", { connection, email: `ann@${connection}.test`, user_id: "4711" })).status).toBe(201);
  }
  const bare = { provider: "email", user_id: "4711" };
  const { status, body } = await call("POST", at(primary, "/identities"), bare);
  expect({ status, body }).toMatchObject({ status: 400, body: { error_description: expect.stringContaining("'connection_id'") } });
  const linked = await call("POST", at(primary, "/identities"), { ...bare, connection_id });
  expect(linked).toMatchObject({ status: 201, body: [{}, { connection: "codes" }] });
});

test("a bare id is resolved for any number of connections in the tenant", async () => {
  for (let i = 0; i < 60; i++) await call("POST", "/api/v2/connections", { name: `codes-${i}`, strategy: "email" });
  const primary = await createUser("ann@example.test");
  const account = await createUser("ann@work.test", "codes-59");
  const { status, body } = await call("POST", at(primary, "/identities"), { provider: "email", user_id: bareId(account) });
  expect({ status, body }).toMatchObject({ status: 201, body: [{}, { connection: "codes-59", user_id: bareId(account) }] });
});

test("an unlinked account is a separate user again", async () => {
  const primary = await createUser("ann@example.test");
  const secondary = await createUser("ann@work.test", "email");
  await call("POST", at(primary, "/identities"), { provider: "email", user_id: secondary });
  const { status, body } = await call("DELETE", at(primary, `/identities/email/${bareId(secondary)}`));
  expect(status).toBe(200);
  expect(body).toHaveLength(1);
  expect((await call("GET", at(secondary))).body).toMatchObject({ email: "ann@work.test" });
  expect((await call("DELETE", at(primary, `/identities/email/${bareId(secondary)}`))).status).toBe(404);
});

test("links are one level deep", async () => {
  const [a, b, c] = [
    await createUser("a@example.test", "email"),
    await createUser("b@example.test", "email"),
    await createUser("c@example.test", "email"),
  ];
  expect((await call("POST", at(a, "/identities"), { provider: "email", user_id: b })).status).toBe(201);
  expect((await call("POST", at(c, "/identities"), { provider: "email", user_id: a })).status).toBe(400);
  expect((await call("POST", at(c, "/identities"), { provider: "email", user_id: b })).status).toBe(409);
  expect((await call("POST", at(a, "/identities"), { provider: "email", user_id: b })).status).toBe(409);
  expect((await call("POST", at(b, "/identities"), { provider: "email", user_id: c })).status).toBe(404);
  expect((await call("POST", at(a, "/identities"), { provider: "email", user_id: a })).status).toBe(400);
  expect((await call("POST", at(a, "/identities"), { provider: "email", user_id: "unknown" })).status).toBe(404);
});

test("two users that are linked to each other in parallel never form a cycle", async () => {
  const [a, b] = [await createUser("a@example.test", "email"), await createUser("b@example.test", "email")];
  const link = (to: string, account: string): Promise<ApiResponse> =>
    call("POST", at(to, "/identities"), { provider: "email", user_id: account });
  await Promise.all(Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? link(a, b) : link(b, a))));
  const rows = await main.data.collections.users.find({ where: { tenant_id: "main", connection: "email" }, limit: 10 });
  const linked = rows.filter((row) => row.linked_to !== "");
  expect(linked.length).toBeLessThanOrEqual(1);
  for (const row of rows) expect(row.linked_count).toBe(linked.filter((account) => account.linked_to === row.user_id).length);
});

test("one of 32 parallel links of an account to different users succeeds, and all counts are right", async () => {
  const account = await createUser("prize@example.test", "email");
  const users = await Promise.all(Array.from({ length: 32 }, (_, i) => createUser(`u${i}@example.test`)));
  const answers = await Promise.all(users.map((user) => call("POST", at(user, "/identities"), { provider: "email", user_id: account })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(31);
  const rows = await main.data.collections.users.find({
    where: { tenant_id: "main", linked_count: { gt: 0 }, connection: "Username-Password-Authentication" },
    limit: 50,
  });
  expect(rows.map(({ linked_count: count }) => count)).toEqual([1]);
});

test("roles and permissions of a linked account are removed, also after it is unlinked", async () => {
  const primary = await createUser("ann@example.test");
  const secondary = await createUser("ann@work.test", "email");
  const role = ((await call("POST", "/api/v2/roles", { name: "Editor" })).body as { id: string }).id;
  await call("POST", at(secondary, "/roles"), { roles: [role] });
  await call("POST", at(primary, "/identities"), { provider: "email", user_id: secondary });
  expect((await call("GET", at(primary, "/roles"))).body).toEqual([]);
  await call("DELETE", at(primary, `/identities/email/${bareId(secondary)}`));
  expect((await call("GET", at(secondary, "/roles"))).body).toEqual([]);
});

test("users-by-email finds a user once by the email address of any of the user's accounts", async () => {
  const primary = await createUser("ann@example.test");
  const secondary = await createUser("ann@example.test", "email");
  await call("POST", at(primary, "/identities"), { provider: "email", user_id: secondary });
  const { body } = await call("GET", "/api/v2/users-by-email?email=ANN@example.test");
  expect((body as { user_id: string }[]).map(({ user_id: id }) => id)).toEqual([primary]);
  expect((await call("GET", "/api/v2/users-by-email")).status).toBe(400);
  expect((await call("GET", "/api/v2/users-by-email?email=unknown@example.test")).body).toEqual([]);
});

test("a user who is blocked after failed logins is listed and can be unblocked", async () => {
  const settings: CreateClient = { name: "Legacy", grant_types: ["password"], token_endpoint_auth_method: "none" };
  await main.postern.seed({ tenantId: "main", clients: [{ clientId: "legacy", settings }] });
  await call("POST", "/api/v2/users", {
    connection: "Username-Password-Authentication",
    email: "bob@example.test",
    password: "right-password",
  });
  const bob = ((await call("GET", "/api/v2/users-by-email?email=bob@example.test")).body as { user_id: string }[])[0]?.user_id ?? "";
  const login = (password: string): Promise<ApiResponse> =>
    main.call("POST", "/oauth/token", { body: { grant_type: "password", client_id: "legacy", username: "bob@example.test", password } });
  for (let i = 0; i < 3; i++) expect((await login("wrong")).status).toBe(403);
  expect((await login("right-password")).body).toMatchObject({ error: "TOO_MANY_FAILED_LOGINS" });

  for (const path of [`/api/v2/user-blocks/${encodeURIComponent(bob)}`, "/api/v2/user-blocks?identifier=bob@example.test"]) {
    expect((await call("GET", path)).body).toEqual({
      blocked_for: [{ identifier: "bob@example.test", connection: "Username-Password-Authentication" }],
    });
  }
  expect((await call("DELETE", `/api/v2/user-blocks/${encodeURIComponent(bob)}`)).status).toBe(204);
  expect((await call("GET", `/api/v2/user-blocks/${encodeURIComponent(bob)}`)).body).toEqual({ blocked_for: [] });
  expect((await login("right-password")).status).toBe(200);

  const events = (await call("GET", `${at(bob, "/logs")}?per_page=50`)).body as { type: string; user_id: string }[];
  expect(events.every(({ user_id: id }) => id === bob)).toBe(true);
  expect(events.map(({ type }) => type)).toContain("fp");
});
