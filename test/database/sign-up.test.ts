import type { Mail } from "@postern/core";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditEvents, expectError, list, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { openService, type App, type LoginService } from "../support/flow.ts";
import type { ApiResponse } from "../support/postern.ts";

const usual = "Username-Password-Authentication";
const password = "Correct-horse-7";

let service: LoginService;
let app: App;
/** Password databases with their special settings. */
const named = {
  weak: "weak",
  trusting: "trusting",
  closed: "closed",
  importing: "importing",
  everything: "everything",
  unoffered: "unoffered",
};

const mails: Mail[] = [];
beforeEach(() => {
  mails.length = 0;
});

beforeAll(async () => {
  service = await openService({ messages: { mail: { send: async (mail) => void mails.push(mail) } } });
  const create = async (name: string, options: object): Promise<string> =>
    stringMember(await service.manage.create("/api/v2/connections", { name, strategy: "auth0", options }), "id");
  const any = { identifier: { active: true }, signup: { status: "optional" } };
  const ids = [
    await create(named.weak, { passwordPolicy: "none" }),
    await create(named.closed, { disable_signup: true }),
    await create(named.trusting, { attributes: { email: { ...any, signup: { status: "required", verification: { active: false } } } } }),
    await create(named.importing, { import_mode: true }),
    await create(named.everything, { attributes: { email: any, phone_number: any, username: any } }),
  ];
  await create(named.unoffered, {});
  app = await service.register({ web_origins: ["https://web.example.test"] });
  const [database = {}] = list(await service.manage("GET", `/api/v2/connections?name=${usual}`));
  const offered = [stringMember(database, "id"), ...ids];
  jsonBody(await service.manage("PATCH", `/api/v2/clients/${app.clientId}/connections`, offered));
});

let number = 0;
const fresh = (): string => `person-${++number}@example.test`;

function send(body: unknown, headers: { readonly [name: string]: string } = {}): Promise<ApiResponse> {
  return service.call("POST", "/dbconnections/signup", { body, headers });
}

/** Signs up for the app. */
function signUp(body: object): Promise<ApiResponse> {
  return send({ client_id: app.clientId, connection: usual, password, ...body });
}

describe("a user who signs up", () => {
  test("gets Auth0's members and the whole profile in one response, with the submitted values", async () => {
    const email = fresh();
    const profile = {
      given_name: "Ada",
      family_name: "Lovelace",
      name: "Ada Lovelace",
      nickname: "ada",
      picture: "https://example.test/ada.png",
    };
    const user_metadata = { plan: "gold", nested: { list: [1, 2] } };
    const reply = jsonBody(await signUp({ email: email.toUpperCase(), ...profile, user_metadata, ignored: true }));
    const id = stringMember(reply, "id");
    const at = new Date(service.clock.now()).toISOString();
    expect(reply).toEqual({
      id,
      _id: id.slice(usual.length + 1),
      email,
      email_verified: false,
      ...profile,
      user_metadata,
      created_at: at,
      updated_at: at,
    });
    expect(jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(id)}`))).toMatchObject({
      user_id: id,
      email,
      email_verified: false,
      ...profile,
      user_metadata,
      app_metadata: {},
    });
    expect(await auditEvents(service.manage, "ss")).toMatchObject([{ user_id: id, client_id: app.clientId, connection: usual }]);
  });

  test("can sign in with the new password", async () => {
    const email = fresh();
    jsonBody(await signUp({ email }));
    const reader = await service.register({ secret: true, grant_types: ["password"] });
    const grant = { grant_type: "password", client_id: reader.clientId, client_secret: reader.secret ?? "", username: email, password };
    jsonBody(await service.exchange(grant));
  });

  test("needs no client and no connection if the tenant is known", async () => {
    jsonBody(await send({ email: fresh(), password, connection: usual, user_metadata: {} }));
    const reply = jsonBody(await send({ email: fresh(), password }));
    expect(stringMember(reply, "id")).toMatch(/^Username-Password-Authentication\|/);
    const other = jsonBody(await send({ email: fresh(), password }, { "tenant-id": "other" }));
    expect(await service.manage("GET", `/api/v2/users/${encodeURIComponent(stringMember(other, "id"))}`)).toMatchObject({ status: 404 });
  });

  test("signs up in the tenant's default directory if no connection is named", async () => {
    jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { default_directory: named.everything }));
    expect(stringMember(jsonBody(await send({ username: "countess", password })), "id")).toMatch(/^everything\|/);
    jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { default_directory: usual }));
  });

  test("can have only a phone number or a username if the connection allows it", async () => {
    const byPhone = jsonBody(await signUp({ connection: named.everything, phone_number: "+1 (415) 555-2671" }));
    expect(byPhone).toMatchObject({ phone_number: "+14155552671", phone_verified: false, email_verified: false });
    expect(byPhone).not.toHaveProperty("email");
    expect(jsonBody(await signUp({ connection: named.everything, username: "Ada_1815" }))).toMatchObject({ username: "Ada_1815" });
  });

  test("cannot set fields that are reserved for administrators", async () => {
    const sent = { user_id: "auth0|x", email_verified: true, blocked: true, app_metadata: { admin: true }, phone_verified: true };
    const id = stringMember(jsonBody(await signUp({ email: fresh(), ...sent })), "id");
    const user = jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(id)}`));
    expect(user).toMatchObject({ email_verified: false, app_metadata: {} });
    expect(user).not.toHaveProperty("blocked");
    expect(id).not.toContain("auth0|x");
  });
});

describe("the owner of an address", () => {
  const sent = async (body: object): Promise<readonly Mail[]> => {
    await signUp(body);
    return mails;
  };

  test("verifies it once with the link in an email", async () => {
    const email = fresh();
    const [mail, ...others] = await sent({ email });
    expect([mail, others]).toMatchObject([{ to: email, template: "verify_email" }, []]);
    const ticket = new URL(mail?.link ?? "").searchParams.get("ticket") ?? "";
    const page = service.browser();
    expect(await (await page.get(mail?.link ?? "")).text()).toContain(email);
    expect((await page.post("/u/verify-email", { form: { ticket, action: "yes" } })).status).toBe(303);
    const [user] = list(await service.manage("GET", `/api/v2/users-by-email?email=${encodeURIComponent(email)}`));
    expect(user).toMatchObject({ email_verified: true });
  });

  test("gets an email about a sign-up with the address of an existing account, and no other response shows it", async () => {
    const [mail, ...others] = await sent({ email: service.ada.email.toUpperCase() });
    expect([mail, others]).toMatchObject([{ to: service.ada.email, template: "account_exists" }, []]);
    expect(new URL(mail?.link ?? "").pathname).toBe("/u/reset-password");
  });

  test("gets at most five such emails an hour", async () => {
    const { email } = await service.addUser(fresh());
    for (let time = 0; time < 7; time++) await signUp({ email });
    expect(mails).toHaveLength(5);
    service.clock.advance("1h");
    expect(await sent({ email })).toHaveLength(6);
  });

  test.each<[string, object]>([
    ["the connection requires no verification", { connection: named.trusting }],
    ["the password is rejected", { password: "short" }],
    ["sign-ups are disabled", { connection: named.closed }],
  ])("gets no email if %s", async (_why, body) => {
    expect(await sent({ email: fresh(), ...body })).toEqual([]);
  });

  test.each<[string, object]>([
    ["username", { username: "mine" }],
    ["phone number", { phone_number: "+14155550199" }],
  ])("gets no email about a taken %s", async (_what, taken) => {
    const at = { connection: named.everything, ...taken };
    await signUp({ ...at, email: fresh() });
    mails.length = 0;
    expect(await sent({ ...at, email: fresh() })).toEqual([]);
  });
});

describe("a rejected sign-up", () => {
  test("with a taken address, in any spelling, reveals nothing and does not change the account", async () => {
    const before = jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`));
    for (const email of [service.ada.email, service.ada.email.toUpperCase(), ` ${service.ada.email} `]) {
      const answer = await signUp({ email, user_metadata: { mine: true } });
      expect(jsonBody(answer, 400)).toEqual({
        error: "invalid_signup",
        error_description: "Invalid sign up",
        name: "BadRequestError",
        code: "invalid_signup",
        description: "Invalid sign up",
        statusCode: 400,
      });
    }
    expect(jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`))).toEqual(before);
    expect((await auditEvents(service.manage, "fs"))[0]).toMatchObject({ user_id: service.ada.userId, connection: usual });
  });

  test("with a taken username or phone number gets the same response as with a taken address", async () => {
    const taken = await signUp({ email: service.ada.email });
    for (const one of [{ username: "taken" }, { phone_number: "+14155550123" }]) {
      jsonBody(await signUp({ connection: named.everything, ...one }));
      const { status, body } = await signUp({ connection: named.everything, ...one });
      expect({ status, body }).toEqual({ status: taken.status, body: taken.body });
    }
  });

  test("does not affect the same address in another connection", async () => {
    jsonBody(await signUp({ connection: named.weak, email: service.ada.email }));
  });

  test("with a weak password gets the error that Auth0's clients read, for a taken and for a free address", async () => {
    const [taken, free] = [
      await signUp({ email: service.ada.email, password: "short" }),
      await signUp({ email: fresh(), password: "short" }),
    ];
    expect(taken.body).toEqual(free.body);
    // SDKs show this member instead of the rules if it exists.
    expect(free.body).not.toHaveProperty("error_description");
    expect(jsonBody(free, 400)).toMatchObject({
      error: "invalid_password",
      name: "PasswordStrengthError",
      code: "invalid_password",
      statusCode: 400,
      description: {
        verified: false,
        rules: expect.arrayContaining([expect.objectContaining({ code: "lengthAtLeast", verified: false })]),
      },
      policy: expect.stringContaining("At least 8 characters"),
    });
  });

  test.each([
    [named.closed, "public signup is disabled"],
    [named.importing, "import_mode"],
  ])("in the connection '%s' is not allowed", async (connection, says) => {
    expectError(await signUp({ connection, email: fresh() }), 400, "access_denied", says);
  });

  test.each<[string, object]>([
    ["does not exist", { connection: "never" }],
    ["the client does not offer", { connection: named.unoffered }],
  ])("in a connection that %s gets the response of an unknown connection", async (_why, named) => {
    expectError(
      await signUp({ email: fresh(), ...named }),
      400,
      "invalid_request",
      "body: 'connection' must be a password database of the client",
    );
  });

  test("with a client or a connection of another tenant gets the response of an unknown one", async () => {
    expectError(await signUp({ email: fresh(), client_id: "never" }), 401, "invalid_client");
    expectError(await send({ client_id: app.clientId, email: fresh(), password }, { "tenant-id": "other" }), 401, "invalid_client");
    expectError(
      await send({ email: fresh(), password, connection: named.weak }, { "tenant-id": "other" }),
      400,
      "invalid_request",
      "connection",
    );
  });

  test.each<[string, unknown, string]>([
    ["no body", "", "body: is missing"],
    ["a body that is not an object", [], "body: must be an object"],
    ["no password", { email: "x@example.test" }, "'password'"],
    ["no email address", { password }, "'email' is missing"],
    ["a number as the email address", { email: 7, password }, "'email'"],
    ["a list of email addresses", { email: ["x@example.test"], password }, "'email'"],
    ["a header in the email address", { email: "x@example.test\r\nBcc: eve@example.test", password }, "'email' must be an email address"],
    ["two email addresses", { email: "x@example.test,eve@example.test", password }, "'email' must be an email address"],
    ["a quoted email address", { email: '"x y"@example.test', password }, "'email' must be an email address"],
    ["a name with an email address", { email: "X <x@example.test>", password }, "'email' must be an email address"],
    ["a Unicode email address", { email: "ä@exämple.test", password }, "'email' must be an email address"],
    ["an oversized email address", { email: `${"x".repeat(400)}@example.test`, password }, "'email' must be an email address"],
    ["NUL in the email address", { email: "x\0@example.test", password }, "NUL"],
    ["a username that the connection does not use", { email: "x@example.test", username: "x", password }, "'username' is not accepted"],
    ["a list as metadata", { email: "x@example.test", password, user_metadata: [] }, "'user_metadata' must be an object"],
    ["text as metadata", { email: "x@example.test", password, user_metadata: "{}" }, "'user_metadata' must be an object"],
    ["metadata that is too large", { email: "x@example.test", password, user_metadata: { x: "x".repeat(70_000) } }, "at most 65536 bytes"],
    ["a script URL as the picture", { email: "x@example.test", password, picture: "javascript:alert(1)" }, "'picture'"],
    ["an oversized name", { email: "x@example.test", password, name: "x".repeat(301) }, "'name'"],
    ["an oversized password", { email: "x@example.test", password: "x".repeat(10_001) }, "'password'"],
    ["invalid JSON", "{", "body: is not valid JSON"],
  ])("with %s gets an error", async (_what, body, says) => {
    expectError(await send(body), 400, "invalid_request", says);
  });

  test("with a megabyte of metadata or with a form body gets an error", async () => {
    expectError(await signUp({ email: fresh(), user_metadata: { x: "x".repeat(1024 * 1024) } }), 413, "payload_too_large");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expectError(await send(new URLSearchParams({ email: fresh(), password }).toString(), form), 415, "unsupported_media_type");
  });

  test("is not caused by metadata keys that are special in JavaScript, which are stored as data", async () => {
    const sent = `{"email":"${fresh()}","password":"${password}","__proto__":{"blocked":true},"user_metadata":{"__proto__":{"admin":true},"constructor":"x"}}`;
    const reply = await send(sent);
    expect(JSON.stringify(jsonBody(reply)["user_metadata"])).toBe('{"__proto__":{"admin":true},"constructor":"x"}');
    const user = jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(stringMember(jsonBody(reply), "id"))}`));
    expect(user).not.toHaveProperty("blocked");
    const merged: JsonBody = user;
    expect(merged["admin"]).toBeUndefined();
  });
});
