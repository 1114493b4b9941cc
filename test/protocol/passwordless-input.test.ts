import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import type { ApiResponse } from "../support/postern.ts";
import { claimsOf, openService, tokens, randomString, type App, type LoginService } from "../support/flow.ts";
import { codeOf, createOutbox, differentCode, type Outbox } from "../support/outbox.ts";

const auth0GrantType = "http://auth0.com/oauth/grant-type/passwordless/otp";
const neutral = "http://vendor/oauth/grant-type/passwordless/otp";

let outbox: Outbox;
let service: LoginService;
let app: App;
let email: string;

beforeAll(async () => {
  outbox = createOutbox();
  service = await openService({ messages: { mail: outbox.mail, sms: outbox.sms } });
  await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
  await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
  app = await service.register({ grant_types: [auth0GrantType, "authorization_code"] });
});

beforeEach(() => {
  email = `${randomString().toLowerCase()}@example.test`;
});

const start = (body: object): Promise<ApiResponse> =>
  service.call("POST", "/passwordless/start", { body: { client_id: app.clientId, connection: "email", send: "code", ...body } });

test.each([
  ["no connection", { connection: undefined }, "bad.connection"],
  ["an unknown connection", { connection: "never" }, "bad.connection"],
  ["a password database", { connection: "Username-Password-Authentication" }, "bad.connection"],
  ["no email address", { email: undefined }, "bad.email"],
  ["an address without a host", { email: "mira@" }, "bad.email"],
  ["two email addresses", { email: "a@example.test,b@example.test" }, "bad.email"],
  ["an address with a header line", { email: "mira@example.test\r\nbcc: eve@example.test" }, "bad.email"],
  ["a quoted address", { email: '"mira anders"@example.test' }, "bad.email"],
  ["an address with Unicode", { email: "mÎra@exämple.test" }, "bad.email"],
  ["a display name", { email: "Mira <mira@example.test>" }, "bad.email"],
  ["a phone number for mail", { email: undefined, phone_number: "+4915112345678" }, "bad.email"],
  ["a long address", { email: `${"m".repeat(400)}@example.test` }, "bad.email"],
  ["a list of addresses", { email: ["mira@example.test"] }, "invalid_request"],
  ["an object", { email: { $ne: null } }, "invalid_request"],
  ["a very long address", { email: "m".repeat(5000) }, "invalid_request"],
  ["an invalid 'send'", { send: "pigeon" }, "invalid_request"],
  ["parameters that are not an object", { authParams: "scope" }, "invalid_request"],
  ["a parameter that is not a string", { authParams: { scope: ["openid"] } }, "invalid_request"],
  ["oversized parameters", { authParams: { state: "s".repeat(8000), nonce: "n".repeat(8000) } }, "invalid_request"],
])("rejects %s at /passwordless/start", async (_, body, code) => {
  expectError(await start({ email, ...body }), 400, code);
});

test("requires confidential clients, but not public ones, to authenticate if `flags.enforce_client_authentication_on_passwordless_start` is set", async () => {
  const settings = "/api/v2/tenants/settings";
  const flag = (on: boolean): object => ({ flags: { enforce_client_authentication_on_passwordless_start: on } });
  const confidential = await service.register({ secret: true, grant_types: [auth0GrantType] });
  const { clientId: client_id, secret: client_secret = "" } = confidential;
  expect((await start({ email, client_id })).status).toBe(200);
  expect((await service.manage("PATCH", settings, flag(true))).status).toBe(200);
  service.clock.advance("10s");
  expectError(await start({ email, client_id }), 401, "invalid_client");
  expectError(await start({ email, client_id, client_secret: "wrong" }), 401, "invalid_client");
  expect((await start({ email, client_id, client_secret })).status).toBe(200);
  expect((await start({ email })).status).toBe(200);
  await service.manage("PATCH", settings, flag(false));
  service.clock.advance("10s");
  expect((await start({ email, client_id })).status).toBe(200);
});

test.each([
  "0151 1234567",
  "15112345678",
  "004915112345678",
  "+49",
  "+",
  "+0151123456",
  "+999123456789",
  "+49 151 abc",
  "+4915112345678;ext=9",
  "+4915112345678\r\nto: +4915112345679",
  "+49 151 12345678, +49 151 12345679",
  "tel:+4915112345678",
  "mira@example.test",
  "+" + "1".repeat(40),
  "",
])("rejects %j as a phone number", async (phone_number) => {
  expectError(await start({ connection: "sms", email: undefined, phone_number }), 400, "bad.phone_number");
});

test.each([
  [{ username: undefined }, "username"],
  [{ otp: undefined }, "otp"],
  [{ realm: undefined }, "realm"],
  [{ realm: "never" }, "realm"],
  [{ realm: "sms" }, "username"],
  [{ username: "mira" }, "username"],
  [{ otp: "1".repeat(101) }, "otp"],
  [{ otp: ["123456"] }, "otp"],
  [{ scope: 7 }, "scope"],
])("names the invalid field of %j at the grant", async (more, field) => {
  const body = { grant_type: auth0GrantType, client_id: app.clientId, username: email, otp: "123456", realm: "email", ...more };
  expectError(await service.call("POST", "/oauth/token", { body }), 400, "invalid_request", `'${field}'`);
});

const wrong = (response: ApiResponse): void => void expectError(response, 400, "invalid_grant", "Wrong email or verification code.");

describe("/otp/challenge", () => {
  const database = "coded";
  beforeAll(async () => {
    const options = { passwordPolicy: "none", authentication_methods: { email_otp: { enabled: true } } };
    await service.manage.create("/api/v2/connections", { name: database, strategy: "auth0", options });
  });
  const challenge = (body: object = {}): Promise<ApiResponse> =>
    service.call("POST", "/otp/challenge", { body: { client_id: app.clientId, connection: database, email, ...body } });
  const response = (auth_session: string, otp: string, more = {}): Promise<ApiResponse> =>
    service.exchange({ grant_type: auth0GrantType, client_id: app.clientId, auth_session, otp, ...more });

  test("accepts the code of a database user only together with its auth_session", async () => {
    const { user_id } = await service.manage.create("/api/v2/users", {
      connection: database,
      email,
      password: "correct horse battery",
      email_verified: true,
    });
    const session = stringMember(jsonBody(await challenge()), "auth_session");
    const code = codeOf(outbox.take(email));
    expect(session).not.toContain(email);
    wrong(await response(stringMember(jsonBody(await challenge()), "auth_session"), code));
    outbox.take(email);
    const other = await service.register({ grant_types: [auth0GrantType] });
    expectError(await response(session, code, { client_id: other.clientId }), 400, "invalid_grant");
    for (const forged of ["x", `${session}x`]) expectError(await response(forged, code), 400, "invalid_grant", "auth_session");
    expect(claimsOf(tokens(await response(session, code)).id)).toMatchObject({ sub: user_id, amr: ["otp"] });
    wrong(await response(session, code));
  });

  test("does not reveal whether an account exists", async () => {
    const session = stringMember(jsonBody(await challenge()), "auth_session");
    expect(outbox.sent.filter(({ to }) => to === email)).toEqual([]);
    wrong(await response(session, "123456"));
  });

  test.each([
    [{ connection: "never" }, "connection"],
    [{ connection: "Username-Password-Authentication" }, "connection"],
    [{ email: "mira@" }, "email"],
    [{ email: undefined, phone_number: "+4915112345678" }, "phone_number"],
    [{ delivery_method: "voice" }, "delivery_method"],
  ])("rejects %j", async (body, field) => {
    expectError(await challenge(body), 400, "invalid_request", `'${field}'`);
  });
});

test("invalidates a code after five wrong attempts without a limiter", async () => {
  jsonBody(await start({ email }));
  const code = codeOf(outbox.take(email));
  const client_id = app.clientId;
  const redeem = (otp: string): Promise<ApiResponse> =>
    service.exchange({ grant_type: neutral, client_id, username: email, otp, realm: "email" });
  for (let i = 0; i < 5; i++) wrong(await redeem(differentCode(code)));
  wrong(await redeem(code));
});

test("sends the message in the language of the request", async () => {
  const body = { client_id: app.clientId, connection: "email", email, send: "code" };
  const mailIn = async (language: string): Promise<string> => {
    jsonBody(await service.call("POST", "/passwordless/start", { body, headers: { "x-request-language": language } }));
    return outbox.take(email).text;
  };
  expect(await mailIn("de-AT, fr;q=0.8")).toContain("Ihr Code zur Anmeldung");
  expect(await mailIn("tlh, en;q=0.3")).not.toContain("Ihr Code zur Anmeldung");
});

test("allows only the client's origins to read the responses", async () => {
  const web = await service.register({ web_origins: ["https://web.example.test"], grant_types: [auth0GrantType] });
  for (const [path, body] of [
    ["/passwordless/start", { connection: "email", email }],
    ["/passwordless/start", { connection: "never" }],
    ["/passwordless/verify", { connection: "email", email, verification_code: "123456" }],
    ["/otp/challenge", { connection: "never" }],
  ] as const) {
    for (const [origin, readable] of [
      ["https://web.example.test", "https://web.example.test"],
      ["https://evil.example.test", null],
    ] as const) {
      const { headers } = await service.call("POST", path, { body: { client_id: web.clientId, ...body }, headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBe(readable);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
  }
});
