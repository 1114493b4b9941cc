import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditEvents, expectError, list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { insertLinked } from "../support/rows.ts";

const connection = "Username-Password-Authentication";

let service: TestPostern;
let manage: Manager;
let serial = 0;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  await manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
  await manage.create("/api/v2/connections", { name: "email", strategy: "email" });
  await manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
});

const path = (id: string): string => `/api/v2/users/${encodeURIComponent(id)}`;
const create = (body: JsonBody = {}): Promise<JsonBody> =>
  manage.create("/api/v2/users", { connection, email: `user-${++serial}@example.test`, ...body });

describe("creating a user", () => {
  test("returns `connection` and `provider` at the top level and the identities, and the same user is returned by later reads", async () => {
    const user = await create({ email: "Ada@Example.Test", name: "Ada", user_metadata: { theme: "dark" }, app_metadata: { plan: "pro" } });
    const id = stringMember(user, "user_id");
    expect(id).toMatch(/^Username-Password-Authentication\|[0-9A-Z]{26}$/);
    expect(user).toEqual({
      user_id: id,
      connection,
      provider: "auth0",
      email: "ada@example.test",
      email_verified: false,
      name: "Ada",
      nickname: "ada",
      user_metadata: { theme: "dark" },
      app_metadata: { plan: "pro" },
      identities: [{ connection, user_id: id.split("|")[1], provider: "auth0", isSocial: false }],
      created_at: new Date(service.clock.now()).toISOString(),
      updated_at: new Date(service.clock.now()).toISOString(),
    });
    expect(jsonBody(await manage("GET", path(id)))).toEqual(user);
  });

  test("prefixes a user_id without a pipe with the connection, and keeps one with a pipe unchanged", async () => {
    expect(await create({ user_id: "abc" })).toMatchObject({ user_id: `${connection}|abc`, identities: [{ user_id: "abc" }] });
    for (const user_id of ["auth0|5f1c", "google-apps|example.com|x|y", "|", "a|", "|b", "waad|%41%2F/../~!*'()"]) {
      const user = await create({ user_id });
      expect(user).toMatchObject({ user_id, identities: [{ user_id: user_id.slice(user_id.indexOf("|") + 1) }] });
      expect(jsonBody(await manage("GET", path(user_id)))).toEqual(user);
    }
    expectError(await manage("POST", "/api/v2/users", { connection, email: "taken@example.test", user_id: "abc" }), 409, "conflict");
    for (const user_id of ["", "with space|x", "ümlaut|x", "x".repeat(256), 5, null, "x".repeat(250), "x@clients", "auth0|x@clients"]) {
      expectError(
        await manage("POST", "/api/v2/users", { connection, email: `u${++serial}@example.test`, user_id }),
        400,
        "invalid_request",
        "'user_id'",
      );
    }
  });

  test("rejects an existing email address in any case with the code that Auth0's SDKs read, and keeps the existing user", async () => {
    const user = await create({ email: "first@example.test" });
    const answer = await manage("POST", "/api/v2/users", { connection, email: "FIRST@example.TEST", name: "Thief" });
    expect(expectError(answer, 409, "conflict")).toMatchObject({ errorCode: "auth0_idp_error", message: "The user already exists." });
    expect(jsonBody(await manage("GET", path(stringMember(user, "user_id"))))).toEqual(user);
    // An email address is unique within its connection only.
    expect(await manage("POST", "/api/v2/users", { connection: "staff", email: "first@example.test" })).toMatchObject({ status: 201 });
  });

  test("requires the identifier of the connection", async () => {
    const expectRejected = async (body: JsonBody, names: string) =>
      expectError(await manage("POST", "/api/v2/users", body), 400, "invalid_request", names);
    await expectRejected({ connection }, "'email'");
    await expectRejected({ connection: "email", phone_number: "+491701234567" }, "'email'");
    await expectRejected({ connection: "sms", email: "x@example.test" }, "'phone_number'");
    await expectRejected({ connection: "sms", phone_number: "+491701234567", password: "Correct-horse-1" }, "'password'");
    await expectRejected({ email: "x@example.test" }, "'connection'");
    expect(await expectRejected({ connection: "nowhere", email: "x@example.test" }, "'connection'")).toMatchObject({
      errorCode: "inexistent_connection",
    });
    await manage.create("/api/v2/connections", { name: "hub", strategy: "github" });
    await expectRejected({ connection: "hub", email: "x@example.test" }, "'connection'");
  });

  test("keeps the password out of every response and audit event", async () => {
    const password = "Very-secret-horse-77";
    const user = await create({ password });
    const answers = [
      user,
      await manage("GET", path(stringMember(user, "user_id"))),
      await manage("GET", "/api/v2/users?per_page=100"),
      await auditEvents(manage, "sapi"),
    ];
    expect(JSON.stringify(answers)).not.toContain(password);
    expect(JSON.stringify(answers)).not.toContain("$scrypt");
    const stored = await service.data.collections.passwords.find({
      where: { tenant_id: "main", user_id: stringMember(user, "user_id") },
      limit: 5,
    });
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(password);
  });

  test("accepts the longest email address, and truncates the name that is derived from it", async () => {
    const longest = `${"x".repeat(307)}@example.test`;
    expect(await create({ email: longest })).toMatchObject({ email: longest, name: longest.slice(0, 300), nickname: "x".repeat(300) });
    expectError(
      await manage("POST", "/api/v2/users", { connection, email: `${"x".repeat(320)}@example.test` }),
      400,
      "invalid_request",
      "'email'",
    );
  });

  test("accepts accounts with a phone number or a username, and rejects duplicates in a connection", async () => {
    expect(await manage("POST", "/api/v2/users", { connection: "sms", phone_number: "+15555550001" })).toMatchObject({
      status: 201,
      body: { phone_number: "+15555550001", name: "+15555550001", provider: "sms" },
    });
    expectError(await manage("POST", "/api/v2/users", { connection: "sms", phone_number: "+15555550001" }), 409, "conflict");
    expect(await manage("POST", "/api/v2/users", { connection, username: "ada" })).toMatchObject({
      status: 201,
      body: { username: "ada", nickname: "ada" },
    });
    expectError(await manage("POST", "/api/v2/users", { connection, username: "ADA" }), 409, "conflict");
  });
});

describe("changing a user", () => {
  let user: JsonBody;
  let id: string;

  beforeEach(async () => {
    user = await create({
      name: "Grace",
      nickname: "g",
      given_name: "Grace",
      family_name: "Hopper",
      picture: "https://cdn.example.test/g.png",
      email_verified: true,
      blocked: true,
      username: `grace${++serial}`,
      phone_number: `+1555${5_550_000 + serial}`,
      phone_verified: true,
      password: "Correct-horse-9",
      user_metadata: { theme: "dark", list: [1], deep: { a: 1, b: { c: 2 } } },
      app_metadata: { plan: "pro", seats: 3 },
    });
    id = stringMember(user, "user_id");
    service.clock.advance("1m");
  });

  const change = (body: unknown) => manage("PATCH", path(id), body);
  const now = () => new Date(service.clock.now()).toISOString();

  test("keeps all other fields", async () => {
    const { updated_at: _, ...rest } = user;
    const before: { [field: string]: unknown } = rest;
    for (const [field, value] of Object.entries({
      name: "Admiral",
      nickname: "amazing",
      given_name: "G",
      family_name: "H",
      picture: "https://cdn.example.test/h.png",
      email_verified: false,
      phone_verified: false,
      app_metadata: { seats: 4 },
      user_metadata: { theme: "light" },
    })) {
      const merged = field.endsWith("metadata") ? { ...(before[field] as JsonBody), ...(value as JsonBody) } : value;
      expect(jsonBody(await change({ [field]: value }))).toEqual({ ...before, [field]: merged, updated_at: now() });
      before[field] = merged;
    }
    expect(jsonBody(await change({}))).toEqual({ ...before, updated_at: now() });
    expect(jsonBody(await manage("GET", path(id)))).toEqual({ ...before, updated_at: now() });
  });

  test("clears a profile field with `null`, and removes `blocked` when the user is unblocked", async () => {
    const changed = jsonBody(
      await change({
        name: null,
        nickname: null,
        given_name: null,
        family_name: null,
        picture: null,
        username: null,
        phone_number: null,
        blocked: false,
      }),
    );
    for (const field of ["name", "nickname", "given_name", "family_name", "picture", "username", "phone_number", "blocked"]) {
      expect(changed).not.toHaveProperty(field);
    }
    expect(changed).toMatchObject({ email: user["email"], email_verified: true, user_metadata: user["user_metadata"] });
  });

  test("merges metadata at its first level, where `null` removes a key", async () => {
    const changed = jsonBody(
      await change({ user_metadata: { theme: null, deep: { z: 1 }, fresh: null, "": 0 }, app_metadata: { plan: "free" } }),
    );
    expect(changed["user_metadata"]).toEqual({ list: [1], deep: { z: 1 }, "": 0 });
    expect(changed["app_metadata"]).toEqual({ plan: "free", seats: 3 });
    expect(jsonBody(await change({ user_metadata: {} }))["user_metadata"]).toEqual({ list: [1], deep: { z: 1 }, "": 0 });
  });

  test("treats `__proto__` and similar names as ordinary metadata keys", async () => {
    const answer = await manage(
      "PATCH",
      path(id),
      '{"app_metadata":{"__proto__":{"admin":true},"constructor":1,"toString":2,"hasOwnProperty":3}}',
    );
    const stored = jsonBody(answer)["app_metadata"];
    expect(JSON.parse(JSON.stringify(stored))).toEqual(
      JSON.parse('{"plan":"pro","seats":3,"__proto__":{"admin":true},"constructor":1,"toString":2,"hasOwnProperty":3}'),
    );
    expect(Object.hasOwn(stored as object, "__proto__")).toBe(true);
    expect(({} as JsonBody)["admin"]).toBeUndefined();
    const read = jsonBody(await manage("GET", path(id)))["app_metadata"];
    expect(Object.keys(read as object).toSorted()).toEqual(["__proto__", "constructor", "hasOwnProperty", "plan", "seats", "toString"]);
    const without = jsonBody(await manage("PATCH", path(id), '{"app_metadata":{"__proto__":null}}'))["app_metadata"];
    expect(Object.keys(without as object)).not.toContain("__proto__");
    const made = jsonBody(
      await manage(
        "POST",
        "/api/v2/users",
        `{"connection":"${connection}","email":"proto@example.test","user_metadata":{"__proto__":{"x":1}}}`,
      ),
      201,
    );
    expect(Object.keys(made["user_metadata"] as object)).toEqual(["__proto__"]);
  });

  test("marks a new email address as unverified unless the request says otherwise, and rejects an existing one as a whole", async () => {
    const existing = await create();
    expect(jsonBody(await change({ email: "New@Example.test" }))).toMatchObject({ email: "new@example.test", email_verified: false });
    expect(jsonBody(await change({ email: "newer@example.test", email_verified: true }))).toMatchObject({ email_verified: true });
    expect(jsonBody(await change({ email: "newer@example.test" }))).toMatchObject({ email_verified: true });
    expect(expectError(await change({ email: existing["email"], name: "Changed" }), 409, "conflict")).toMatchObject({
      errorCode: "auth0_idp_error",
    });
    expect(jsonBody(await manage("GET", path(id)))).toMatchObject({ email: "newer@example.test", name: "Grace" });
    // The old email address is free again.
    expect(await create({ email: user["email"] })).toMatchObject({ email: user["email"] });
  });

  test("returns no trace of a new password except last_password_reset", async () => {
    expect(user).not.toHaveProperty("last_password_reset");
    const answer = await change({ password: "Another-horse-10", connection });
    expect(jsonBody(answer)).toMatchObject({ last_password_reset: now() });
    expect(JSON.stringify(answer.body)).not.toContain("horse");
    expectError(await change({ password: "" }), 400, "invalid_request", "'password'");
    expectError(await change({ password: "x".repeat(2000) }), 400, "invalid_request", "'password'");
  });

  test("responds with 404 for unknown and malformed ids", async () => {
    for (const other of ["auth0|unknown", "x".repeat(300), "%", "a/b"]) {
      expect(expectError(await manage("PATCH", path(other), { name: "x" }), 404, "not_found")).toMatchObject({
        errorCode: "inexistent_user",
      });
      expectError(await manage("GET", path(other)), 404, "not_found");
      expect(await manage("DELETE", path(other))).toMatchObject({ status: 204, body: undefined });
    }
  });

  test("rejects read-only fields, and the error names the field", async () => {
    for (const field of [
      "user_id",
      "identities",
      "created_at",
      "linked_to",
      "provider",
      "logins_count",
      "last_ip",
      "revision",
      "password_id",
      "tenant_id",
      "email_key",
    ]) {
      expectError(await change({ name: "x", [field]: "y" }), 400, "invalid_request", `'${field}'`);
    }
    expect(jsonBody(await manage("GET", path(id)))["name"]).toBe("Grace");
  });
});

describe("the PATCH rules for `connection`", () => {
  let primary: string;

  beforeEach(async () => {
    primary = stringMember(await create({ name: "Primary", app_metadata: { at: "primary" } }), "user_id");
    serial++;
    await insertLinked(service, primary, {
      user_id: `sms|${serial}`,
      connection: "sms",
      provider: "sms",
      phone_number: `+4930${100_000 + serial}`,
      phone_key: `+4930${100_000 + serial}`,
    });
    await insertLinked(service, primary, {
      user_id: `google|${serial}`,
      connection: "google-oauth2",
      provider: "google-oauth2",
      email: `g${serial}@gmail.test`,
      name: "G",
    });
    await insertLinked(service, primary, {
      user_id: `staff|${serial}`,
      connection: "staff",
      provider: "auth0",
      email: `s${serial}@example.test`,
      email_key: `s${serial}@example.test`,
    });
  });

  const change = (body: unknown, id = primary) => manage("PATCH", path(id), body);
  const identity = (user: JsonBody, name: string): JsonBody => {
    const { identities } = user;
    return (Array.isArray(identities) ? (identities as JsonBody[]) : []).find((one) => one["connection"] === name) ?? {};
  };

  test("1, 2 and 7: without `connection` or with the primary account's, the primary account changes; the response is the primary user with all identities", async () => {
    for (const body of [{ name: "One" }, { name: "Two", connection }]) {
      const user = jsonBody(await change(body));
      expect(user).toMatchObject({ user_id: primary, name: body.name });
      const [first, ...linked] = (user["identities"] as JsonBody[]).map((one) => String(one["connection"]));
      expect([first, ...linked.toSorted()]).toEqual([connection, "google-oauth2", "sms", "staff"]);
      expect(user).not.toHaveProperty("linked_to");
    }
  });

  test("3 and 5: the connection of a linked account selects that account", async () => {
    const before = jsonBody(await manage("GET", path(primary)));
    const sms = jsonBody(
      await change({ connection: "sms", phone_number: `+4940${100_000 + serial}`, email_verified: true, user_metadata: { a: 1 } }),
    );
    expect(sms).toEqual({ ...before, identities: expect.any(Array) });
    expect(identity(sms, "sms")).toMatchObject({ profileData: { phone_number: `+4940${100_000 + serial}` } });
    const google = jsonBody(await change({ connection: "google-oauth2", email_verified: true, app_metadata: { b: 2 } }));
    expect(identity(google, "google-oauth2")).toMatchObject({ profileData: { email_verified: true, name: "G" }, isSocial: true });
    const linked = await manage("GET", path(`sms|${serial}`), undefined, { prefer: "include-linked" });
    expect(linked).toMatchObject({
      status: 200,
      body: { user_metadata: { a: 1 }, linked_to: primary, phone_number: `+4940${100_000 + serial}` },
    });
  });

  test("4: responds with 404 to a connection in which the user has no account", async () => {
    for (const name of ["nowhere", "email", "hub"]) {
      expectError(await change({ connection: name, name: "x" }), 404, "not_found", "'connection'");
      expectError(await change({ connection: name, email_verified: true }), 404, "not_found", "'connection'");
    }
  });

  test("5: other fields of a linked account cannot be changed, and a phone number only of an sms account", async () => {
    for (const field of ["name", "email", "nickname", "username", "blocked", "given_name", "family_name", "picture", "phone_verified"]) {
      const value = { email: "x@example.test", blocked: true, phone_verified: true, picture: "https://x.test/" }[field] ?? "x";
      expectError(await change({ connection: "google-oauth2", [field]: value }), 400, "invalid_request", `'${field}'`);
    }
    expectError(await change({ connection: "google-oauth2", phone_number: "+4915112345678" }), 400, "invalid_request", "'phone_number'");
  });

  test("6: the password of a linked account can be changed only for Username-Password-Authentication", async () => {
    for (const name of ["sms", "google-oauth2", "staff"]) {
      expectError(await change({ connection: name, password: "Correct-horse-2" }), 400, "invalid_request", "'password'");
    }
    const social = `google-oauth2|primary${serial}`;
    const other = stringMember(
      await manage.create("/api/v2/users", { connection: "email", email: `mail${serial}@example.test`, user_id: social }),
      "user_id",
    );
    await insertLinked(service, other, { user_id: `upa|${serial}` });
    expect(await change({ connection, password: "Correct-horse-2" }, other)).toMatchObject({ status: 200, body: { user_id: social } });
    const [row] = await service.data.collections.users.find({ where: { tenant_id: "main", user_id: `upa|${serial}` }, limit: 1 });
    expect(row).toMatchObject({ password_id: expect.any(String), last_password_reset: service.clock.now() });
    expectError(await change({ password: "Correct-horse-2" }, other), 400, "invalid_request", "'password'");
  });

  test("responds with 404 to the id of a linked account, and rejects its deletion", async () => {
    const linked = `staff|${serial}`;
    expectError(await change({ name: "x" }, linked), 404, "not_found");
    expectError(await manage("GET", path(linked)), 404, "not_found");
    expectError(await manage("DELETE", path(linked)), 404, "not_found", "linked");
    expect(identity(jsonBody(await manage("GET", path(primary))), "staff")).toMatchObject({ user_id: String(serial) });
  });

  test("rejects an existing phone number for a linked account", async () => {
    await manage.create("/api/v2/users", { connection: "sms", phone_number: `+4950${100_000 + serial}` });
    expectError(await change({ connection: "sms", phone_number: `+4950${100_000 + serial}` }), 409, "conflict");
  });
});

describe("Prefer: include-linked", () => {
  test("returns a linked account with linked_to and Preference-Applied, and changes nothing for other users", async () => {
    const primary = stringMember(await create(), "user_id");
    await insertLinked(service, primary, { user_id: "github|linked", connection: "github", provider: "github", email: "l@example.test" });
    const linked = path("github|linked");
    for (const prefer of ["include-linked", "Include-Linked", "return=minimal, include-linked; x=1", "a,b,include-linked"]) {
      const answer = await manage("GET", linked, undefined, { prefer });
      expect(jsonBody(answer)).toMatchObject({ user_id: "github|linked", linked_to: primary });
      expect(answer.headers.get("preference-applied")).toBe("include-linked");
    }
    for (const prefer of ["include", "include-linked2", "", "return=representation", ";;,,="]) {
      const answer = await manage("GET", linked, undefined, { prefer });
      expectError(answer, 404, "not_found");
      expect(answer.headers.get("preference-applied")).toBeNull();
    }
    const plain = await manage("GET", path(primary), undefined, { prefer: "include-linked" });
    expect(plain.headers.get("preference-applied")).toBeNull();
    expect(jsonBody(plain)).not.toHaveProperty("linked_to");
  });

  test("is not needed for lists, which contain only primary users with their linked accounts", async () => {
    const primary = stringMember(await create({ name: "Lister" }), "user_id");
    await insertLinked(service, primary, { user_id: "github|listed", connection: "github", provider: "github", name: "Linked" });
    expect(list(await manage("GET", "/api/v2/users?q=name:Lister"))).toMatchObject([
      { user_id: primary, identities: [{ connection }, { connection: "github", user_id: "listed" }] },
    ]);
    expect(list(await manage("GET", "/api/v2/users?q=user_id:%22github|listed%22"))).toEqual([]);
  });
});

describe("deleting a user", () => {
  test("removes linked accounts, frees the email address and is idempotent", async () => {
    const user = await create({ password: "Correct-horse-3" });
    const id = stringMember(user, "user_id");
    await insertLinked(service, id, { user_id: "github|gone", connection: "github", provider: "github" });
    for (let i = 0; i < 2; i++) {
      const answer = await manage("DELETE", path(id));
      expect([answer.status, answer.body]).toEqual([204, undefined]);
    }
    expectError(await manage("GET", path(id)), 404, "not_found");
    expectError(await manage("GET", path("github|gone"), undefined, { prefer: "include-linked" }), 404, "not_found");
    const where = { tenant_id: "main", user_id: id };
    expect(await service.data.collections.passwords.find({ where, limit: 5 })).toEqual([]);
    expect(await create({ email: user["email"], user_id: id })).toMatchObject({ user_id: id });
  });
});

test("an audit event contains the client and path of each change, and reads create none", async () => {
  const before = (await auditEvents(manage, "sapi")).length;
  const id = stringMember(await create(), "user_id");
  await manage("GET", path(id));
  await manage("PATCH", path(id), { name: "X" });
  await manage("DELETE", path(id));
  expectError(await manage("PATCH", path(id), { name: "X" }), 404, "not_found");
  const events = (await auditEvents(manage, "sapi")).slice(0, 3);
  expect((await auditEvents(manage, "sapi")).length).toBe(before + 3);
  expect(events.map((event) => String(event["description"])).toSorted()).toEqual(["Create a user", "Delete a user", "Update a user"]);
  for (const event of events)
    expect(event).toMatchObject({
      type: "sapi",
      client_id: "main-manager",
      client_name: "Manager",
      details: { request: { path: expect.stringContaining("/api/v2/users") } },
    });
});

test("the metadata limit applies to each field separately, to the result of a merge and at creation", async () => {
  const own = await createTestPostern({ limits: { bodyBytes: 4 * 1024 * 1024, userMetadataBytes: 1024 * 1024 } });
  const call = await managerOf(own);
  const connection = "Username-Password-Authentication";
  const user = { connection, email: "much@example.test", password: "Correct-horse-battery-1" };
  const halfOfLimit = "x".repeat(600 * 1024);
  for (const field of ["app_metadata", "user_metadata"]) {
    const error = new RegExp(`'${field}' is too large.*at most 1048576 bytes together`);
    expectError(
      await call("POST", "/api/v2/users", { ...user, [field]: { a: halfOfLimit, b: halfOfLimit } }),
      400,
      "invalid_request",
      error,
    );
    const email = `${field}@example.test`;
    const { user_id: id } = await call.create("/api/v2/users", { ...user, email, [field]: { a: halfOfLimit } });
    const path = `/api/v2/users/${encodeURIComponent(String(id))}`;
    expectError(await call("PATCH", path, { [field]: { b: halfOfLimit } }), 400, "invalid_request", error);
    // The limit counts bytes, not characters.
    expectError(await call("PATCH", path, { [field]: { b: "€".repeat(200 * 1024) } }), 400, "invalid_request", error);
    expect(jsonBody(await call("PATCH", path, { [field]: { b: "y".repeat(300 * 1024) } }))).toMatchObject({ email });
    expect(jsonBody(await call("PATCH", path, { [field]: { a: null, c: halfOfLimit } }))).toMatchObject({ email });
  }
});
