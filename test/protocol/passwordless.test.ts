import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RateLimitDecision } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { auditEvents, expectError, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  openService,
  refreshGrant,
  tokens,
  randomString,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { codeOf, createOutbox, differentCode, typedInScript, type Outbox } from "../support/outbox.ts";
import { stores } from "./stores.ts";

const auth0GrantType = "http://auth0.com/oauth/grant-type/passwordless/otp";
const neutral = "http://vendor/oauth/grant-type/passwordless/otp";

/** `POST /passwordless/start` and the one-time-code grant. */
describe.each(stores)("passwordless codes on $name", ({ open }) => {
  let data: DataAdapter;
  let outbox: Outbox;
  let service: LoginService;
  let app: App;
  let decide: (scope: string, key: string) => Promise<RateLimitDecision | undefined> = async () => undefined;
  const consumed: string[] = [];
  let email: string;

  beforeAll(async () => {
    data = await open();
    outbox = createOutbox();
    service = await openService({
      data,
      messages: { mail: outbox.mail, sms: outbox.sms },
      rateLimiter: {
        consume: (scope, key) => {
          consumed.push(`${scope} ${key}`);
          return decide(scope, key);
        },
      },
    });
    await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
    await service.manage.create("/api/v2/connections", { name: "known-only", strategy: "email", options: { disable_signup: true } });
    app = await service.register({ grant_types: [auth0GrantType, "refresh_token", "authorization_code"] });
  });
  afterAll(() => data.close?.());
  beforeEach(() => {
    decide = async () => undefined;
    consumed.length = 0;
    email = `${randomString().toLowerCase()}@example.test`;
  });

  const start = (body: object, headers = {}): Promise<ApiResponse> =>
    service.call("POST", "/passwordless/start", { body: { client_id: app.clientId, connection: "email", send: "code", ...body }, headers });
  const sent = async (body: object = {}): Promise<string> => {
    jsonBody(await start({ email, ...body }));
    return codeOf(outbox.take(email));
  };
  const redeem = (otp: string, more: { readonly [name: string]: string } = {}): Promise<ApiResponse> =>
    service.exchange({ grant_type: auth0GrantType, client_id: app.clientId, username: email, otp, realm: "email", ...more });
  const byEmail = async (): Promise<JsonBody> => {
    const { body } = await service.manage("GET", `/api/v2/users-by-email?email=${encodeURIComponent(email)}`);
    const [user] = body as JsonBody[];
    if (user === undefined) throw new Error(`no user has ${email}`);
    return user;
  };
  const wrong = (response: ApiResponse): void => void expectError(response, 400, "invalid_grant", "Wrong email or verification code.");

  test("a code creates a verified account, signs the user in and sets amr", async () => {
    const { id, access, refresh } = tokens(await redeem(await sent()));
    const user = await byEmail();
    expect(claimsOf(id)).toMatchObject({ sub: user["user_id"], amr: ["otp"], aud: app.clientId });
    expect(claimsOf(access)).toMatchObject({ sub: user["user_id"], scope: "openid" });
    expect(claimsOf(access)).not.toHaveProperty("gty");
    expect(refresh).toBe("");
    expect(user).toMatchObject({ email, email_verified: true, logins_count: 1, identities: [{ connection: "email", provider: "email" }] });
  });

  test("a code is redeemed once, also with spaces and the email address in upper case", async () => {
    const code = await sent();
    tokens(await redeem(` ${code.slice(0, 3)} ${code.slice(3)} `, { username: ` ${email.toUpperCase()} ` }));
    wrong(await redeem(code));
  });

  test("a client with either grant type identifier can use both", async () => {
    tokens(await redeem(await sent(), { grant_type: neutral }));
    const other = await service.register({ grant_types: [neutral] });
    for (const grant_type of [auth0GrantType, neutral])
      tokens(await redeem(await sent({ client_id: other.clientId }), { client_id: other.clientId, grant_type }));
    const without = await service.register({ grant_types: ["authorization_code"] });
    for (const grant_type of [auth0GrantType, neutral])
      expectError(await redeem("000000", { client_id: without.clientId, grant_type }), 400, "unauthorized_client");
  });

  test("uses the scope and audience from /passwordless/start unless the token request has its own, and issues a refresh token of the session for offline_access", async () => {
    const audience = `https://${randomString()}.example.test/`;
    await service.manage.create("/api/v2/resource-servers", {
      identifier: audience,
      scopes: [{ value: "read" }, { value: "write" }],
      allow_offline_access: true,
    });
    const authParams = { scope: "openid email offline_access read", audience };
    const result = tokens(await redeem(await sent({ authParams })));
    expect(claimsOf(result.access)).toMatchObject({ aud: [audience, expect.stringContaining("/userinfo")], scope: result.scope });
    expect(result.scope.split(" ").toSorted()).toEqual(["email", "offline_access", "openid", "read"]);
    expect(tokens(await redeem(await sent({ authParams }), { scope: "openid write" })).scope).toBe("openid write");

    const next = tokens(await service.exchange(refreshGrant(app, result.refresh)));
    const sid = stringMember(claimsOf(result.id) as JsonBody, "sid");
    expect((await service.manage("POST", `/api/v2/sessions/${sid}/revoke`)).status).toBe(202);
    expectError(await service.exchange(refreshGrant(app, next.refresh)), 400, "invalid_grant");
  });

  test("rejects an unknown API before a code is sent, and before a code is invalidated", async () => {
    expectError(await start({ email, authParams: { audience: "https://nowhere.example.test/" } }), 400, "access_denied");
    expect(outbox.sent.filter(({ to }) => to === email)).toEqual([]);
    const code = await sent();
    expectError(await redeem(code, { audience: "https://nowhere.example.test/" }), 400, "access_denied");
    tokens(await redeem(code));
  });

  test("accepts an organization at the start or the grant if the user is a member, and creates no session otherwise", async () => {
    const { id } = await service.manage.create("/api/v2/organizations", { name: `o-${randomString().toLowerCase()}` });
    const organization = String(id);
    tokens(await redeem(await sent()));
    const userId = stringMember(await byEmail(), "user_id");
    expectError(await redeem(await sent({ authParams: { organization } })), 400, "access_denied");
    expect(await data.collections.sessions.count({ tenant_id: "main", user_id: userId })).toBe(1);
    await service.manage("POST", `/api/v2/organizations/${organization}/members`, { members: [userId] });
    expect(claimsOf(tokens(await redeem(await sent({ authParams: { organization } }))).id)).toMatchObject({ org_id: organization });
    expect(claimsOf(tokens(await redeem(await sent(), { organization })).id)).toMatchObject({ org_id: organization });
    expectError(await start({ email, authParams: { organization: "org_never" } }), 400, "invalid_request");
  });

  test("sends codes by SMS, even if a link is requested, and accepts formatted phone numbers", async () => {
    const to = "+4915112345678";
    const reply = jsonBody(await start({ connection: "sms", phone_number: "+49 (151) 1234-5678", send: "link" }));
    expect(reply).toEqual({ _id: expect.any(String), phone_number: to, phone_verified: false });
    const message = outbox.take(to);
    expect(message).not.toHaveProperty("link");
    const body = { grant_type: auth0GrantType, client_id: app.clientId, username: "+49 151 12345678", realm: "sms" };
    expectError(await service.exchange({ ...body, otp: differentCode(codeOf(message)) }), 400, "invalid_grant", "Wrong phone number");
    const { access } = tokens(await service.exchange({ ...body, otp: codeOf(message), scope: "openid phone" }));
    expect(jsonBody(await service.userinfo(access))).toMatchObject({ phone_number: to, phone_number_verified: true });
  });

  test("rejects and logs a wrong code, and invalidates the code after the fifth attempt", async () => {
    const code = await sent();
    for (let i = 0; i < 4; i++) wrong(await redeem(differentCode(code)));
    tokens(await redeem(code));
    const another = await sent();
    for (let i = 0; i < 5; i++) wrong(await redeem(differentCode(another)));
    wrong(await redeem(another));
    service.clock.advance("5s");
    const [event] = await auditEvents(service.manage, "fepotpft");
    expect(event).toMatchObject({ client_id: app.clientId, description: "Wrong email or verification code." });
    expect((await auditEvents(service.manage, "fp"))[0]).toMatchObject({ client_id: app.clientId, connection: "email" });
    expect((await auditEvents(service.manage, "s"))[0]).toMatchObject({
      client_id: app.clientId,
      user_id: stringMember(await byEmail(), "user_id"),
    });
    expect((await auditEvents(service.manage, "cls"))[0]).toMatchObject({ client_id: app.clientId });
  });

  test.each([
    ["throws", async () => Promise.reject(new Error("down"))],
    ["returns undefined", async () => undefined],
    ["allows", async () => ({ allowed: true })],
  ])("invalidates a code after five wrong attempts even if the rate limiter %s", async (_, response) => {
    decide = response;
    const code = await sent();
    const tries = await Promise.all(Array.from({ length: 32 }, () => redeem(differentCode(code))));
    for (const each of tries) wrong(each);
    wrong(await redeem(code));
  });

  test("calls the rate limiter once for each attempt, with the tenant and the client address, before the code is looked up", async () => {
    const code = await sent();
    consumed.length = 0;
    decide = async () => ({ allowed: false, retryAfterSeconds: 17 });
    for (let tries = 0; tries < 2; tries++) {
      const response = await redeem(differentCode(code), { username: email.toUpperCase() });
      expectError(response, 429, "TOO_MANY_REQUESTS");
      expect(response.headers.get("retry-after")).toBe("17");
    }
    decide = async () => ({ allowed: false });
    expect((await redeem(differentCode(code))).headers.has("retry-after")).toBe(false);
    expect(consumed).toEqual(Array.from({ length: 3 }, () => `brute-force passwordless:main:${email}`));
  });

  test.each(["arabic", "persian", "devanagari", "fullWidth"] as const)("accepts a code in %s digits at both endpoints", async (script) => {
    const code = typedInScript(await sent(), script);
    const verification = { client_id: app.clientId, connection: "email", email, verification_code: code };
    expect((await service.call("POST", "/passwordless/verify", { body: verification })).status).toBe(200);
    tokens(await redeem(code));
  });

  test("rejects a right code while the rate limiter denies it, and accepts the code afterwards", async () => {
    const code = await sent();
    decide = async () => ({ allowed: false, retryAfterSeconds: 17 });
    const verification = { client_id: app.clientId, connection: "email", email, verification_code: code };
    for (const respond of [redeem(code), service.call("POST", "/passwordless/verify", { body: verification })]) {
      const response = await respond;
      expectError(response, 429, "TOO_MANY_REQUESTS");
      expect(response.headers.get("retry-after")).toBe("17");
    }
    decide = async () => ({ allowed: true });
    tokens(await redeem(code));
  });

  test("redeems a code for one of 32 parallel requests", async () => {
    const code = await sent();
    const responses = await Promise.all(Array.from({ length: 32 }, () => redeem(code)));
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const response of responses) if (response !== won[0]) wrong(response);
  });

  test("rejects a code of another client, connection, email address or tenant, without invalidating it", async () => {
    const other = await service.register({ grant_types: [auth0GrantType] });
    await service.postern.seed({
      tenantId: "other",
      clients: [{ clientId: "foreign", settings: { name: "Foreign", app_type: "spa", grant_types: [auth0GrantType] } }],
    });
    const token = await service.token("other");
    await service.call("POST", "/api/v2/connections", {
      token,
      body: { name: "email", strategy: "email" },
      headers: { "tenant-id": "other" },
    });
    const code = await sent();
    for (const elsewhere of [
      { client_id: other.clientId },
      { realm: "known-only" },
      { username: service.ada.email },
      { client_id: "foreign" },
    ])
      wrong(await redeem(code, elsewhere));
    tokens(await redeem(code));
  });

  test("a code expires after ten minutes, or after the time that the connection sets", async () => {
    const late = await sent();
    service.clock.advance("10m");
    wrong(await redeem(late));
    const totp = { length: 8, time_step: 60 };
    await service.manage.create("/api/v2/connections", { name: "brief", strategy: "email", options: { totp } });
    const [first, second] = [await sent({ connection: "brief" }), await sent({ connection: "brief" })];
    expect(first).toMatch(/^\d{8}$/);
    service.clock.advance("59s");
    tokens(await redeem(first, { realm: "brief" }));
    service.clock.advance("1s");
    wrong(await redeem(second, { realm: "brief" }));
  });

  test("tells users that they are blocked only after the correct code", async () => {
    tokens(await redeem(await sent()));
    const userId = stringMember(await byEmail(), "user_id");
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(userId)}`, { blocked: true });
    const code = await sent();
    wrong(await redeem(differentCode(code)));
    expectError(await redeem(code), 400, "access_denied", "user is blocked");
  });

  test("does not reveal at the start or the grant whether an account exists", async () => {
    const known = `${randomString().toLowerCase()}@example.test`;
    await service.manage.create("/api/v2/users", { connection: "known-only", email: known, email_verified: true });
    const requested = { connection: "known-only", send: "code" };
    const [one, two] = [await start({ ...requested, email: known }), await start({ ...requested, email })];
    const shape = ({ status, body }: ApiResponse, address: string): string =>
      JSON.stringify([status, { ...(body as JsonBody), _id: typeof (body as JsonBody)["_id"] }]).replaceAll(address, "address");
    expect(shape(one, known)).toBe(shape(two, email));
    expect(stringMember(jsonBody(one), "_id")).toHaveLength(stringMember(jsonBody(two), "_id").length);
    expect(jsonBody(await start({ ...requested, email }))).toEqual(two.body);
    expect(outbox.sent.filter(({ to }) => to === email)).toEqual([]);
    const code = codeOf(outbox.take(known));
    const responses = [
      await redeem(differentCode(code), { realm: "known-only", username: known }),
      await redeem("123456", { realm: "known-only" }),
    ];
    expect(responses[0]?.body).toEqual(responses[1]?.body);
    tokens(await redeem(code, { realm: "known-only", username: known }));
  });

  test("sends no further code for a while after ten codes, with or without an account", async () => {
    for (const connection of ["email", "known-only"]) {
      const to = `${connection}-${email}`;
      for (let i = 0; i < 10; i++) jsonBody(await start({ email: to, connection }));
      const response = await start({ email: to, connection });
      expectError(response, 429, "TOO_MANY_REQUESTS");
      expect(response.headers.get("retry-after")).toBe("600");
    }
  });

  test("a confidential client must authenticate at the grant, and its credentials at the start must be valid if it sends any", async () => {
    const web = await service.register({ secret: true, grant_types: [auth0GrantType] });
    expectError(await start({ email, client_id: web.clientId, client_secret: "wrong" }), 401, "invalid_client");
    expectError(await start({ email, client_id: "never" }), 401, "invalid_client");
    const code = await sent({ client_id: web.clientId, client_secret: clientSecret });
    expectError(await redeem(code, { client_id: web.clientId }), 401, "invalid_client");
    tokens(await redeem(code, { client_id: web.clientId, client_secret: clientSecret }));
    jsonBody(await start({ email, client_id: web.clientId }));
  });

  test.each(["openid-configuration", "oauth-authorization-server"])("%s lists Auth0's grant type and omits its alias", async (document) => {
    const { grant_types_supported } = jsonBody(await service.call("GET", `/.well-known/${document}`));
    expect(grant_types_supported).toContain(auth0GrantType);
    expect(grant_types_supported).not.toContain(neutral);
  });

  test("the grant creates a session that no browser has a cookie for", async () => {
    tokens(await redeem(await sent()));
    expect((await sendAuthorization(service.browser(), app)).kind).toBe("login");
    expectError(await service.exchange(codeGrant(app, "x")), 400, "invalid_grant");
  });

  test("logs no internal errors during these tests", () => {
    expect(service.faults).toEqual([]);
  });
});
