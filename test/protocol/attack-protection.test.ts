import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RateLimitDecision } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import {
  sendAuthorization,
  claimsOf,
  fakeHasher,
  loginState,
  openService,
  sendStep,
  submitStep,
  submit,
  tokens,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { stores } from "./stores.ts";

const realmGrant = "http://auth0.com/oauth/grant-type/password-realm";
const wrong = "not the password";

/** Protection against password guessing, through the request handler. */
describe.each(stores)("attack protection on $name", ({ open }) => {
  let data: DataAdapter;
  let service: LoginService;
  let app: App;
  /** The number of passwords that were verified. */
  let evaluated = 0;
  let decide: (scope: string, key: string) => Promise<RateLimitDecision | undefined> = async () => undefined;
  const consumed: string[] = [];

  beforeAll(async () => {
    data = await open();
    service = await openService({
      data,
      trustedProxies: ["10.0.0.0/8"],
      crypto: {
        hasher: {
          ...fakeHasher,
          verify: async (password, stored) => {
            evaluated++;
            return fakeHasher.verify(password, stored);
          },
        },
      },
      rateLimiter: {
        consume: (scope, key) => {
          consumed.push(`${scope} ${key}`);
          return decide(scope, key);
        },
      },
    });
    app = await service.register({ secret: true, grant_types: ["password", realmGrant, "authorization_code"] });
  });
  afterAll(() => data.close?.());
  beforeEach(() => {
    decide = async () => undefined;
    consumed.length = 0;
    evaluated = 0;
  });

  let number = 0;
  const createAccount = (): Promise<TestAccount> => service.addUser(`guarded-${++number}@example.test`);
  const body = (username: string, password: string, more: object = {}): object => ({
    grant_type: "password",
    client_id: app.clientId,
    client_secret: clientSecret,
    username,
    password,
    ...more,
  });
  const attempt = (username: string, password: string, more: object = {}): Promise<ApiResponse> =>
    service.call("POST", "/oauth/token", { body: body(username, password, more) });
  const from = async (clientAddress: string | undefined, headers: { readonly [name: string]: string } = {}): Promise<number> => {
    const request = new Request(`${service.postern.issuer}oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body(service.ada.email, service.ada.password)),
    });
    return (await service.postern.fetch(request, clientAddress === undefined ? {} : { clientAddress })).status;
  };

  test("verifies at most three of 50 parallel wrong passwords, and rejects all of them", async () => {
    const account = await createAccount();
    const responses = await Promise.all(Array.from({ length: 50 }, () => attempt(account.email, wrong)));
    expect(evaluated).toBeLessThanOrEqual(3);
    for (const response of responses)
      expect([response.status, jsonBody(response, 403)["error"]]).toEqual([
        403,
        expect.stringMatching(/^(INVALID_CREDENTIALS|TOO_MANY_FAILED_LOGINS)$/),
      ]);
    expectError(await attempt(account.email, account.password), 403, "TOO_MANY_FAILED_LOGINS");
  });

  test("returns the same responses to 50 parallel attempts with an unknown identifier as with a known identifier", async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => attempt("parallel-ghost@example.test", wrong)));
    const result = responses.map((response) => jsonBody(response, 403)["error"]);
    expect(result.filter((error) => error === "INVALID_CREDENTIALS").length).toBeLessThanOrEqual(3);
    expect(new Set(result)).toEqual(new Set(["INVALID_CREDENTIALS", "TOO_MANY_FAILED_LOGINS"]));
  });

  test("accepts 8 parallel correct passwords, at the password grant and on the page", async () => {
    const account = await createAccount();
    for (const response of await Promise.all(Array.from({ length: 8 }, () => attempt(account.email, account.password)))) tokens(response);
    const loginSessions = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const browser = service.browser();
        const state = loginState(await sendAuthorization(browser, app));
        await submitStep(browser, state, { action: "continue", identifier: account.email });
        return submit(browser, state, { action: "sign-in", password: account.password });
      }),
    );
    for (const loginSession of loginSessions)
      expect(loginSession).toMatchObject({ kind: "response", parameters: { code: expect.any(String) } });
  });

  test("counts failed logins to linked accounts on the primary account", async () => {
    const [primary, second] = [await createAccount(), `linked-${++number}@example.test`];
    const connection = `second-${number}`;
    const made = await service.manage.create("/api/v2/connections", {
      name: connection,
      strategy: "auth0",
      options: { passwordPolicy: "low" },
    });
    const secondary = stringMember(
      await service.manage.create("/api/v2/users", { connection, email: second, password: primary.password }),
      "user_id",
    );
    const link = { provider: "auth0", user_id: secondary.replace(/^[^|]*\|/, ""), connection_id: stringMember(made, "id") };
    expect((await service.manage("POST", `/api/v2/users/${encodeURIComponent(primary.userId)}/identities`, link)).status).toBe(201);
    service.clock.advance("6s");
    const asSecond = { grant_type: realmGrant, realm: connection };
    const asFirst = { grant_type: realmGrant, realm: "Username-Password-Authentication" };

    expectError(await attempt(second, wrong, asSecond), 403, "INVALID_CREDENTIALS");
    expectError(await attempt(primary.email, wrong, asFirst), 403, "INVALID_CREDENTIALS");
    expectError(await attempt(second, wrong, asSecond), 403, "INVALID_CREDENTIALS");
    expectError(await attempt(primary.email, primary.password, asFirst), 403, "TOO_MANY_FAILED_LOGINS");
    expectError(await attempt(second, primary.password, asSecond), 403, "TOO_MANY_FAILED_LOGINS");
    service.clock.advance("5m");
    // A login with either account resets the counter, because both accounts belong to one user.
    const result = tokens(await attempt(second, primary.password, asSecond));
    expect(claimsOf(result.access).sub).toBe(primary.userId);
  });

  test("a password reset ends the throttling of an account, and a successful login resets its failure counter", async () => {
    const account = await createAccount();
    for (let i = 0; i < 3; i++) await attempt(account.email, wrong);
    expectError(await attempt(account.email, account.password), 403, "TOO_MANY_FAILED_LOGINS");
    const password = "another horse battery";
    jsonBody(
      await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(account.userId)}`, {
        password,
        connection: "Username-Password-Authentication",
      }),
    );
    for (let round = 0; round < 2; round++) {
      tokens(await attempt(account.email, password));
      for (let i = 0; i < 2; i++) expectError(await attempt(account.email, wrong), 403, "INVALID_CREDENTIALS");
    }
    tokens(await attempt(account.email, password));
  });

  test("tells only a correct password that the user is blocked, and none while the account is throttled", async () => {
    const account = await createAccount();
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(account.userId)}`, { blocked: true });
    expectError(await attempt(account.email, wrong), 403, "INVALID_CREDENTIALS");
    expectError(await attempt(account.email, account.password), 400, "access_denied", "user is blocked");
    for (let i = 0; i < 2; i++) await attempt(account.email, wrong);
    // While the account is throttled, even the correct password does not reveal that the user is blocked.
    expectError(await attempt(account.email, account.password), 403, "TOO_MANY_FAILED_LOGINS");
  });

  test("counts failed logins for each tenant separately", async () => {
    const account = await createAccount();
    for (let i = 0; i < 3; i++) await attempt(account.email, wrong);
    await service.postern.seed({
      tenantId: "other",
      clients: [
        {
          clientId: `other-${number}`,
          secret: clientSecret,
          settings: { name: "Other", app_type: "regular_web", grant_types: ["password"] },
        },
      ],
    });
    const there = await attempt(account.email, wrong, { client_id: `other-${number}` });
    expectError(there, 403, "INVALID_CREDENTIALS");
    expect(consumed.at(-1)).toBe("pre-login other:192.0.2.1");
  });

  test("consumes the pre-login rate limit once for each attempt, by tenant and client address", async () => {
    expect(await from("192.0.2.9")).toBe(200);
    // `X-Forwarded-For` is ignored unless the peer is a trusted proxy.
    expect(await from("192.0.2.9", { "x-forwarded-for": "198.51.100.1" })).toBe(200);
    expect(await from("10.1.1.1", { "x-forwarded-for": "203.0.113.5, 198.51.100.2, 10.2.2.2" })).toBe(200);
    expect(await from("10.1.1.1", { "x-forwarded-for": "203.0.113.5, 198.51.100.3:51234, 10.2.2.2:80" })).toBe(200);
    expect(await from("10.1.1.1", { "x-forwarded-for": "[2001:db8:7::9]:443" })).toBe(200);
    expect(await from("::ffff:192.0.2.9")).toBe(200);
    expect(await from("2001:DB8:0::1")).toBe(200);
    expect(consumed).toEqual([
      "pre-login main:192.0.2.9",
      "pre-login main:192.0.2.9",
      "pre-login main:198.51.100.2",
      "pre-login main:198.51.100.3",
      "pre-login main:2001:db8:7::/64",
      "pre-login main:192.0.2.9",
      "pre-login main:2001:db8::/64",
    ]);
  });

  test("consumes no rate limit if the client address is unknown, because all clients would share one bucket", async () => {
    decide = async () => ({ allowed: false });
    expect(await from(undefined)).toBe(200);
    expect(await from("10.1.1.1")).toBe(200);
    expect(await from("10.1.1.1", { "x-forwarded-for": "not an address" })).toBe(200);
    expect(consumed).toEqual([]);
  });

  test("consumes the pre-login rate limit only when a password is verified, not for other grants or pages", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, app));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await service.token();
    expect(consumed).toEqual([]);
    await sendStep(browser, state, { action: "sign-in", password: wrong });
    expect(consumed).toEqual(["pre-login main:192.0.2.7"]);
  });

  test("responds to an exceeded rate limit before it looks up the account, with the same response for every account", async () => {
    decide = async () => ({ allowed: false, retryAfterSeconds: 30 });
    const responses = [
      await attempt(service.ada.email, service.ada.password),
      await attempt(service.ada.email, wrong),
      await attempt("unknown@example.test", wrong),
    ];
    for (const response of responses) {
      expectError(response, 429, "TOO_MANY_REQUESTS");
      expect([response.headers.get("retry-after"), response.body]).toEqual(["30", responses[0]?.body]);
    }
    expect(evaluated).toBe(0);
  });

  test.each([
    ["undefined, as for a scope without a limit", async () => undefined],
    ["allowed: true", async () => ({ allowed: true })],
    ["a rejected promise", async () => Promise.reject(new Error("down"))],
  ])("allows the attempt if the rate limiter returns %s", async (_, response) => {
    decide = response;
    tokens(await attempt(service.ada.email, service.ada.password));
  });

  test.each([
    [[Number.NaN], null],
    [[Infinity], null],
    [[-5], "0"],
    [[0.2], "1"],
    [[90], "90"],
  ] as const)("sends retryAfterSeconds %j as Retry-After %j", async ([retryAfterSeconds], header) => {
    decide = async () => ({ allowed: false, retryAfterSeconds });
    expect((await attempt(service.ada.email, wrong)).headers.get("retry-after")).toBe(header);
  });
});

test("throttles repeated failures without a rate-limit adapter", async () => {
  const service = await openService();
  const app = await service.register({ secret: true, grant_types: ["password"] });
  const attempt = (password: string): Promise<ApiResponse> =>
    service.exchange({
      grant_type: "password",
      client_id: app.clientId,
      client_secret: clientSecret,
      username: service.ada.email,
      password,
    });
  for (let i = 0; i < 3; i++) expectError(await attempt(wrong), 403, "INVALID_CREDENTIALS");
  expectError(await attempt(service.ada.password), 403, "TOO_MANY_FAILED_LOGINS");
});
