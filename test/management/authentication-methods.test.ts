import { base64url } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

let service: TestPostern;
let manage: Manager;
let other: Manager;
/** The path of a user of the first tenant, of another user of that tenant, and of a user of the other tenant. */
let ann: string;
let bob: string;
let eve: string;

async function createUser(caller: Manager, name: string): Promise<string> {
  const body = { connection: "Username-Password-Authentication", email: `${name}@example.test` };
  return `/api/v2/users/${encodeURIComponent(stringMember(await caller.create("/api/v2/users", body), "user_id"))}`;
}

beforeEach(async () => {
  service = await createTestPostern();
  [manage, other] = await Promise.all([managerOf(service), managerOf(service, "other")]);
  [ann, bob, eve] = await Promise.all([createUser(manage, "ann"), createUser(manage, "bob"), createUser(other, "eve")]);
});

const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const totp = { type: "totp", name: "Phone app", totp_secret: secret };
const phone = { type: "phone", phone_number: "+15555550100" };
const email = { type: "email", email: "ann@work.example.test" };

const pathOf = (user: string, id: unknown) => `${user}/authentication-methods/${encodeURIComponent(String(id))}`;
const add = async (body: object, user = ann, caller = manage): Promise<JsonBody> => {
  // The list is ordered by the time of creation.
  service.clock.advance("1s");
  return caller.create(`${user}/authentication-methods`, body);
};
const methodsOf = async (user = ann, caller = manage) => list(await caller("GET", `${user}/authentication-methods`));
const typesOf = async (user = ann, caller = manage) => (await methodsOf(user, caller)).map(({ type }) => type);
const rowsOf = async (userPath: string) => {
  const user_id = decodeURIComponent(userPath.split("/").at(-1) ?? "");
  const [user] = await service.data.collections.users.find({ where: { tenant_id: "main", user_id }, limit: 1 });
  return { user, factors: await service.data.collections.factors.find({ where: { tenant_id: "main", user_id }, limit: 100 }) };
};

describe("adding an authentication method", () => {
  test("confirms it at once and returns it without its key", async () => {
    const app = await add(totp);
    expect(app).toEqual({
      id: expect.stringMatching(/^totp\|dev_[A-Za-z0-9]{16}$/),
      type: "totp",
      confirmed: true,
      name: "Phone app",
      authentication_methods: [{ id: app["id"], type: "totp" }],
      created_at: expect.any(String),
      enrolled_at: expect.any(String),
    });
    const mobile = await add({ ...phone, preferred_authentication_method: "voice" });
    expect(mobile).toMatchObject({ type: "phone", phone_number: "+15555550100", preferred_authentication_method: "voice" });
    expect(mobile["authentication_methods"]).toEqual([{ id: stringMember(mobile, "id").replace("phone|", "voice|"), type: "voice" }]);
    expect(await add(email)).toMatchObject({ type: "email", email: "ann@work.example.test" });
    expect(await typesOf()).toEqual(["totp", "phone", "email"]);
    expect(jsonBody(await manage("GET", pathOf(ann, app["id"])))).toEqual(app);
    const { user, factors } = await rowsOf(ann);
    expect(user?.enrolled_factors).toEqual(["email", "phone", "totp"]);
    expect(JSON.stringify(factors)).not.toContain(secret);
    expect(JSON.stringify(await manage("GET", "/api/v2/logs?per_page=100"))).not.toContain(secret);
    expect(await methodsOf(bob)).toEqual([]);
  });

  test("with an address that the user already has is a conflict, and succeeds for another user", async () => {
    await add(phone);
    await add(email);
    expectError(await manage("POST", `${ann}/authentication-methods`, phone), 409, "conflict", "phone number");
    expectError(await manage("POST", `${ann}/authentication-methods`, email), 409, "conflict", "email address");
    await add(phone, bob);
    expect(await typesOf()).toEqual(["phone", "email"]);
  });

  test.each<[string, unknown, string]>([
    ["an unknown type", { type: "duo" }, "type"],
    ["a recovery code", { type: "recovery-code" }, "type"],
    ["no type", { phone_number: "+15555550100" }, "type"],
    ["no key", { type: "totp" }, "totp_secret"],
    ["a key that is not base32", { type: "totp", totp_secret: "JBSWY3DPEHPK3PX1" }, "totp_secret"],
    ["a key of less than 80 bits", { type: "totp", totp_secret: "JBSWY3DPEHPK3PX" }, "totp_secret"],
    ["no phone number", { type: "phone" }, "phone_number"],
    ["a phone number without a country", { type: "phone", phone_number: "0555 0100" }, "phone_number"],
    ["an unknown kind of message", { ...phone, preferred_authentication_method: "fax" }, "preferred_authentication_method"],
    ["no email address", { type: "email" }, "email"],
    ["an address that is no email address", { type: "email", email: "ann" }, "email"],
    ["a member of another type", { ...email, phone_number: "+15555550100" }, "phone_number"],
    ["a long name", { ...email, name: "x".repeat(65) }, "name"],
  ])("rejects %s", async (_, body, member) => {
    expectError(await manage("POST", `${ann}/authentication-methods`, body), 400, "invalid_request", member);
    expect(await methodsOf()).toEqual([]);
    expect(JSON.stringify(await manage("GET", "/api/v2/logs?per_page=100"))).not.toContain("JBSWY3DP");
  });
});

describe("adding a WebAuthn credential", () => {
  /** Returns the body for a credential that another service registered. */
  async function registered(type = "passkey"): Promise<JsonBody> {
    const { publicKey } = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
    const x = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
    // A COSE key (RFC 9052 section 7) as a CBOR map: kty 1 is OKP, alg 3 is EdDSA (-8), crv -1 is Ed25519 (6), x -2.
    const cose = Uint8Array.from([0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20, ...x]);
    return {
      type,
      name: "Laptop",
      key_id: base64url.encode(crypto.getRandomValues(new Uint8Array(32))),
      public_key: Buffer.from(cose).toString("base64"),
      relying_party_identifier: "login.example.test",
      credential_device_type: "multi_device",
      credential_backed_up: true,
      user_handle: "dXNlcg",
      aaguid: "00000000-0000-4000-8000-000000000000",
      transports: ["internal", "hybrid"],
    };
  }

  test.each(["passkey", "webauthn-roaming"])("returns all its members: %s", async (type) => {
    const body = await registered(type);
    const added = await add(body);
    expect(added).toEqual({
      ...body,
      id: expect.stringMatching(new RegExp(`^${type}\\|dev_`)),
      confirmed: true,
      created_at: expect.any(String),
      enrolled_at: expect.any(String),
    });
    expect(await methodsOf()).toEqual([added]);
    const { multifactor } = jsonBody(await manage("GET", ann));
    expect(multifactor).toEqual(type === "passkey" ? undefined : ["guardian"]);
  });

  test("has the RP ID of the host by default", async () => {
    const { type, key_id, public_key } = await registered();
    expect(await add({ type, key_id, public_key })).toMatchObject({ key_id, relying_party_identifier: "id.example.test" });
  });

  test("is a conflict if a user has it already", async () => {
    const body = await registered();
    await add(body, bob);
    expectError(await manage("POST", `${ann}/authentication-methods`, body), 409, "conflict");
    await add({ ...body, relying_party_identifier: "other.example.test" });
    await add(body, eve, other);
  });

  test.each<[string, JsonBody, string]>([
    ["a key that is not COSE", { public_key: "AAAA" }, "public_key"],
    ["a key that is not base64", { public_key: "a b" }, "public_key"],
    ["an id that is not base64url", { key_id: "a+b" }, "key_id"],
    ["an id that is too long", { key_id: "a".repeat(1365) }, "key_id"],
    ["a user handle that is too long", { user_handle: "a".repeat(87) }, "user_handle"],
    ["an RP ID with a port", { relying_party_identifier: "login.example.test:443" }, "relying_party_identifier"],
    ["an RP ID that is an IP address", { relying_party_identifier: "192.0.2.1" }, "relying_party_identifier"],
    ["an invalid AAGUID", { aaguid: "1" }, "aaguid"],
    ["a backup on a single device", { credential_device_type: "single_device" }, "backed up"],
    ["an unknown member", { sign_count: 1 }, "sign_count"],
  ])("rejects %s", async (_, more, member) => {
    const body = { ...(await registered()), ...more };
    expectError(await manage("POST", `${ann}/authentication-methods`, body), 400, "invalid_request", member);
    expect(await methodsOf()).toEqual([]);
  });
});

describe("changing an authentication method", () => {
  test("sets its name and the kind of messages", async () => {
    const { id } = await add(phone);
    const changed = jsonBody(await manage("PATCH", pathOf(ann, id), { name: "Work", preferred_authentication_method: "voice" }));
    expect(changed).toMatchObject({ id, name: "Work", preferred_authentication_method: "voice" });
    expect(jsonBody(await manage("PATCH", pathOf(ann, id), {}))).toEqual(changed);
    expect(jsonBody(await manage("GET", pathOf(ann, id)))).toEqual(changed);
  });

  test("rejects members that do not fit", async () => {
    const { id } = await add(totp);
    for (const body of [{ preferred_authentication_method: "sms" }, { name: "" }, { name: null }, { totp_secret: secret }, []])
      expectError(await manage("PATCH", pathOf(ann, id), body), 400, "invalid_request");
    expect(jsonBody(await manage("GET", pathOf(ann, id)))).toMatchObject({ name: "Phone app" });
  });
});

describe("replacing the authentication methods", () => {
  const path = () => `${ann}/authentication-methods`;

  test("removes all others, with the recovery code", async () => {
    await add(totp);
    await add(phone);
    jsonBody(await manage("POST", `${ann}/recovery-code-regeneration`));
    const replaced = list(await manage("PUT", path(), [{ ...phone, name: "New" }, email]));
    expect(replaced).toMatchObject([{ type: "phone", name: "New", confirmed: true }, { type: "email" }]);
    expect(await methodsOf()).toHaveLength(2);
    expect(await methodsOf()).toEqual(expect.arrayContaining([...replaced]));
    expect((await rowsOf(ann)).user?.enrolled_factors).toEqual(["email", "phone"]);
    expect((await manage("PUT", path(), [])).body).toEqual([]);
    expect(await methodsOf()).toEqual([]);
    expect((await rowsOf(ann)).user?.enrolled_factors).toBeNull();
  });

  test("changes nothing if the body is invalid", async () => {
    await add(totp);
    expectError(await manage("PUT", path(), [phone, phone]), 409, "conflict", "phone number");
    for (const body of [phone, [phone, { type: "totp", totp_secret: "A" }], [{ type: "passkey" }], Array(21).fill(totp)])
      expectError(await manage("PUT", path(), body), 400, "invalid_request");
    expect(await typesOf()).toEqual(["totp"]);
  });
});

test("the user states when a method was last added or removed, and another change leaves the time", async () => {
  const lastModified = async () => jsonBody(await manage("GET", ann))["multifactor_last_modified"];
  const now = () => new Date(service.clock.now()).toISOString();
  expect(await lastModified()).toBeUndefined();
  const { id } = await add(totp);
  const added = now();
  expect(await lastModified()).toBe(added);

  service.clock.advance("1m");
  await manage("PATCH", pathOf(ann, id), { name: "Tablet" });
  await manage("DELETE", pathOf(ann, "totp|dev_0000000000000000"));
  expect(await lastModified()).toBe(added);
  await manage("DELETE", pathOf(ann, id));
  const removed = now();
  expect(await lastModified()).toBe(removed);

  await add(totp);
  service.clock.advance("1m");
  await manage("DELETE", `${ann}/authentication-methods`);
  expect(await lastModified()).toBe(now());
});

describe("removing authentication methods", () => {
  test("removes one, and can be repeated", async () => {
    const { id } = await add(totp);
    await add(email);
    for (let attempt = 0; attempt < 2; attempt++) expect(await manage("DELETE", pathOf(ann, id))).toMatchObject({ status: 204 });
    expect(await typesOf()).toEqual(["email"]);
    expect((await rowsOf(ann)).user?.enrolled_factors).toEqual(["email"]);
    expectError(await manage("GET", pathOf(ann, id)), 404, "not_found");
    expectError(await manage("PATCH", pathOf(ann, id), { name: "x" }), 404, "not_found");
  });

  test.each(["authentication-methods", "authenticators"])("removes all by DELETE of %s, of this user only", async (resource) => {
    for (const user of [ann, bob]) for (const body of [totp, phone]) await add(body, user);
    for (let attempt = 0; attempt < 2; attempt++) expect(await manage("DELETE", `${ann}/${resource}`)).toMatchObject({ status: 204 });
    expect(await typesOf()).toEqual([]);
    expect(await typesOf(bob)).toEqual(["totp", "phone"]);
    expect(jsonBody(await manage("GET", ann))).not.toHaveProperty("multifactor");
  });

  test("removes authenticator apps as the provider google-authenticator, and nothing as duo", async () => {
    for (const body of [totp, { ...totp, name: "Second" }, phone]) await add(body);
    expect(await manage("DELETE", `${ann}/multifactor/duo`)).toMatchObject({ status: 204 });
    expect(await typesOf()).toEqual(["totp", "totp", "phone"]);
    expect(await manage("DELETE", `${ann}/multifactor/google-authenticator`)).toMatchObject({ status: 204 });
    expect(await typesOf()).toEqual(["phone"]);
    expectError(await manage("DELETE", `${ann}/multifactor/guardian`), 400, "invalid_request", "provider");
  });
});

describe("Auth0's former API for factors", () => {
  test("lists the enrollments of a user, and reads and removes them by id", async () => {
    const { id } = await add(phone);
    await add(totp);
    await add(email);
    expect(list(await manage("GET", `${ann}/enrollments`))).toMatchObject([
      { id, status: "confirmed", type: "sms", auth_method: "sms", identifier: "+15555550100", phone_number: "+15555550100" },
      { status: "confirmed", type: "authenticator", auth_method: "authenticator", name: "Phone app" },
      { status: "confirmed", type: "email", identifier: "ann@work.example.test" },
    ]);
    const path = `/api/v2/guardian/enrollments/${encodeURIComponent(String(id))}`;
    expect(jsonBody(await manage("GET", path))).toEqual({
      id,
      status: "confirmed",
      identifier: "+15555550100",
      phone_number: "+15555550100",
      enrolled_at: expect.any(String),
    });
    for (let attempt = 0; attempt < 2; attempt++) expect(await manage("DELETE", path)).toMatchObject({ status: 204 });
    expect(expectError(await manage("GET", path), 404, "not_found")).toMatchObject({ errorCode: "enrollment_not_found" });
    expect(await typesOf()).toEqual(["totp", "email"]);
  });

  test("does not list a factor that waits for its confirmation, and shows it as pending until it expires", async () => {
    const { id } = await add(totp);
    const where = { tenant_id: "main", id: String(id) };
    await service.data.collections.factors.update(where, { set: { confirmed_at: null, expires_at: service.clock.now() + 600_000 } });
    expect(list(await manage("GET", `${ann}/enrollments`))).toEqual([]);
    expect(await methodsOf()).toMatchObject([{ id, confirmed: false }]);
    const path = `/api/v2/guardian/enrollments/${encodeURIComponent(String(id))}`;
    expect(jsonBody(await manage("GET", path))).toMatchObject({ status: "pending" });
    service.clock.advance("11m");
    manage = await managerOf(service);
    expect(await methodsOf()).toEqual([]);
    expectError(await manage("GET", path), 404, "not_found");
    expectError(await manage("GET", pathOf(ann, id)), 404, "not_found");
  });
});

test("a new recovery code requires another factor, and replaces the former one", async () => {
  const path = `${ann}/recovery-code-regeneration`;
  expect(expectError(await manage("POST", path), 404, "not_found")).toMatchObject({ errorCode: "enrollment_not_found" });
  await add(totp);
  service.clock.advance("1s");
  const codes = [jsonBody(await manage("POST", path)), jsonBody(await manage("POST", path))].map((reply) =>
    stringMember(reply, "recovery_code"),
  );
  for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{24}$/);
  expect(new Set(codes).size).toBe(2);
  expect(await typesOf()).toEqual(["totp", "recovery-code"]);
  const stored = JSON.stringify(await rowsOf(ann)) + JSON.stringify(await manage("GET", "/api/v2/logs?per_page=100"));
  for (const code of codes) expect(stored).not.toContain(code);
});

test("the trust in the browsers of a user ends on request and with a change of the user's factors", async () => {
  const { trusted_browsers: browsers } = service.data.collections;
  const trust = async (userPath: string) => {
    const user_id = decodeURIComponent(userPath.split("/").at(-1) ?? "");
    const now = service.clock.now();
    const row = { tenant_id: "main", browser_hash: user_id, user_id, created_at: now, last_used_at: now, expires_at: now + 1000 };
    await browsers.insert([row]);
    return async () => (await browsers.count({ tenant_id: "main", user_id })) > 0;
  };
  const bobsStays = await trust(bob);
  const { id } = await add(phone);
  for (const [method, path] of [
    ["POST", `${ann}/multifactor/actions/invalidate-remember-browser`],
    ["DELETE", pathOf(ann, id)],
    ["DELETE", `${ann}/authenticators`],
  ] as const) {
    const stays = await trust(ann);
    expect(await stays()).toBe(true);
    expect(await manage(method, path)).toMatchObject({ status: 204 });
    expect(await stays(), path).toBe(false);
  }
  expect(await bobsStays()).toBe(true);
});

test("a user with a second factor has `multifactor`", async () => {
  expect(jsonBody(await manage("GET", ann))).not.toHaveProperty("multifactor");
  await add(totp);
  expect(jsonBody(await manage("GET", ann))).toMatchObject({ multifactor: ["guardian"] });
  expect(list(await manage("GET", "/api/v2/users?q=email:ann*"))).toMatchObject([{ multifactor: ["guardian"] }]);
  expect(jsonBody(await manage("GET", bob))).not.toHaveProperty("multifactor");
});

describe("the factor of another user or tenant", () => {
  test.each([
    ["another user", () => ({ path: ann, owner: bob, caller: manage, owning: manage })],
    ["a user of another tenant", () => ({ path: ann, owner: eve, caller: manage, owning: other })],
  ])("%s cannot be read, changed or removed", async (_, situation) => {
    const { path, owner, caller, owning } = situation();
    const { id } = await add(totp, owner, owning);
    expectError(await caller("GET", pathOf(path, id)), 404, "not_found");
    expectError(await caller("PATCH", pathOf(path, id), { name: "x" }), 404, "not_found");
    expect(await caller("DELETE", pathOf(path, id))).toMatchObject({ status: 204 });
    if (owning !== caller) {
      const enrollment = `/api/v2/guardian/enrollments/${encodeURIComponent(String(id))}`;
      expectError(await caller("GET", enrollment), 404, "not_found");
      expect(await caller("DELETE", enrollment)).toMatchObject({ status: 204 });
    }
    expect(await methodsOf(owner, owning)).toMatchObject([{ id, name: "Phone app" }]);
  });
});

/** Every route of a user: method, path below the user, body, and the scope that it requires. */
const routes = [
  ["GET", "/authentication-methods", undefined, "read:authentication_methods"],
  ["POST", "/authentication-methods", email, "create:authentication_methods"],
  ["PUT", "/authentication-methods", [], "update:authentication_methods"],
  ["DELETE", "/authentication-methods", undefined, "delete:authentication_methods"],
  ["GET", "/authentication-methods/totp%7Cdev_1", undefined, "read:authentication_methods"],
  ["PATCH", "/authentication-methods/totp%7Cdev_1", {}, "update:authentication_methods"],
  ["DELETE", "/authentication-methods/totp%7Cdev_1", undefined, "delete:authentication_methods"],
  ["GET", "/enrollments", undefined, "read:users"],
  ["DELETE", "/authenticators", undefined, "delete:guardian_enrollments"],
  ["DELETE", "/multifactor/duo", undefined, "update:users"],
  ["POST", "/multifactor/actions/invalidate-remember-browser", undefined, "update:users"],
  ["POST", "/recovery-code-regeneration", undefined, "update:users"],
] as const;

test.each(routes)("%s /users/{id}%s responds with 404 for users of other tenants and unknown users", async (method, path, body) => {
  for (const user of [eve, "/api/v2/users/auth0%7Cnobody"]) {
    expect(expectError(await manage(method, `${user}${path}`, body), 404, "not_found")).toMatchObject({ errorCode: "inexistent_user" });
  }
});

const scopes = [...new Set(routes.map(([, , , scope]) => scope)), "read:guardian_enrollments"] as const;

test.each([
  ...routes.map(([method, path, body, scope]) => [scope, method, path, body] as const),
  ["read:guardian_enrollments", "GET", "/api/v2/guardian/enrollments/totp%7Cdev_1", undefined] as const,
  ["delete:guardian_enrollments", "DELETE", "/api/v2/guardian/enrollments/totp%7Cdev_1", undefined] as const,
])("the scope %s is required for %s %s", async (scope, method, path, body) => {
  const token = await tokenWith(
    service,
    manage,
    scopes.filter((one) => one !== scope),
  );
  const answer = await service.call(method, path.startsWith("/api") ? path : `${ann}${path}`, {
    token,
    ...(body !== undefined && { body }),
  });
  expectError(answer, 403, "insufficient_scope", scope);
});
