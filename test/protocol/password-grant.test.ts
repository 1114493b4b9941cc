import { beforeAll, beforeEach, expect, test } from "vitest";
import { createPasswordHasher, type PasswordHasher, type RateLimitDecision, type RateLimiter } from "@postern/core";
import { auditEvents, expectError, stringMember } from "../support/api.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import {
  sendAuthorization,
  claimsOf,
  login,
  loginState,
  openService,
  redirectOf,
  refreshGrant,
  errorParameters,
  sendStep,
  submitStep,
  tokens,
  readResult,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";

const realmGrant = "http://auth0.com/oauth/grant-type/password-realm";
const directory = "Username-Password-Authentication";

let service: LoginService;
let trusted: App;
let decide: (scope: string, key: string) => Promise<RateLimitDecision | undefined> = async () => undefined;
const consumed: string[] = [];

beforeAll(async () => {
  const rateLimiter: RateLimiter = {
    consume: (scope, key) => {
      consumed.push(`${scope} ${key}`);
      return decide(scope, key);
    },
  };
  service = await openService({ rateLimiter });
  trusted = await service.register({ secret: true, grant_types: ["password", realmGrant, "refresh_token"] });
});
beforeEach(() => {
  decide = async () => undefined;
  consumed.length = 0;
});

const tryPassword = (
  username: string,
  password: string,
  more: { readonly [name: string]: string } = {},
  app = trusted,
): Promise<ApiResponse> =>
  service.exchange({ grant_type: "password", client_id: app.clientId, client_secret: clientSecret, username, password, ...more });
const fail = async (account: TestAccount): Promise<void> => {
  expectError(await tryPassword(account.email, "not the password"), 403, "INVALID_CREDENTIALS");
};
let number = 0;
const createAccount = (): Promise<TestAccount> => service.addUser(`user-${++number}@example.test`);

test("issues tokens for a password, with a session that has no cookie", async () => {
  const response = await tryPassword(service.ada.email, service.ada.password, { scope: "openid email offline_access" });
  const result = tokens(response);
  expect(claimsOf(result.access)).toMatchObject({ sub: service.ada.userId, gty: "password" });
  expect(claimsOf(result.id)).toMatchObject({ sub: service.ada.userId, email: service.ada.email, sid: expect.any(String) });
  expect((await service.userinfo(result.access)).body).toMatchObject({ email: service.ada.email });
  expect(response.headers.getSetCookie()).toEqual([]);
  tokens(await service.exchange(refreshGrant(trusted, result.refresh)));
});

test("selects the connection by the realm", async () => {
  tokens(await tryPassword(service.ada.email, service.ada.password, { grant_type: realmGrant, realm: directory }));
  expectError(
    await tryPassword(service.ada.email, service.ada.password, { grant_type: realmGrant, realm: "nowhere" }),
    400,
    "invalid_request",
    "realm",
  );
  expectError(await tryPassword(service.ada.email, service.ada.password, { grant_type: realmGrant }), 400, "invalid_request", "realm");
});

test("rejects passwords at the grant and on the login page if the connection has password authentication disabled", async () => {
  const methods = (enabled: boolean) => ({ options: { authentication_methods: { password: { enabled } } } });
  const made = await service.manage.create("/api/v2/connections", {
    name: "codes-only",
    strategy: "auth0",
    options: { passwordPolicy: "low" },
  });
  const account = { email: "codes@example.test", password: service.ada.password };
  await service.manage.create("/api/v2/users", { connection: "codes-only", ...account });
  const path = `/api/v2/connections/${stringMember(made, "id")}`;
  const grant = () => tryPassword(account.email, account.password, { grant_type: realmGrant, realm: "codes-only" });
  const browser = service.browser();
  const begin = async () => loginState(await sendAuthorization(browser, service.web, { connection: "codes-only" }));
  const page = async (state: string) => readResult(await browser.get(`/u/login?${new URLSearchParams({ state })}`));

  await service.manage("PATCH", path, methods(false));
  service.clock.advance("6s");
  expectError(await grant(), 400, "invalid_request", "realm");
  const result = await sendAuthorization(browser, service.web, { connection: "codes-only" });
  expect(errorParameters(result), "no prompt for a password that cannot succeed").toMatchObject({ error: "access_denied" });

  await service.manage("PATCH", path, methods(true));
  service.clock.advance("6s");
  tokens(await grant());
  const state = await begin();
  expect(await page(state)).toMatchObject({ kind: "page", status: 200 });
  await submitStep(browser, state, { action: "continue", identifier: account.email });
  await service.manage("PATCH", path, methods(false));
  service.clock.advance("6s");
  const late = await submitStep(browser, state, { action: "sign-in", password: account.password });
  expect(redirectOf(late)).toMatchObject({ parameters: { error: "access_denied" } });
});

test("requires the grant type to be enabled for the client", async () => {
  for (const grant_type of ["password", realmGrant]) {
    const more = { grant_type, realm: directory };
    expectError(await tryPassword(service.ada.email, service.ada.password, more, service.web), 400, "unauthorized_client");
  }
  expectError(
    await tryPassword(service.ada.email, service.ada.password, { client_secret: "wrong-secret-that-is-long" }),
    401,
    "invalid_client",
  );
});

test("returns the same response for a wrong password and an unknown user, and logs a different event for each", async () => {
  const account = await createAccount();
  const wrong = await tryPassword(account.email, "not the password");
  const unknown = await tryPassword("unknown@example.test", "not the password");
  expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
  expectError(wrong, 403, "INVALID_CREDENTIALS");
  service.clock.advance("5s");
  expect((await auditEvents(service.manage, "fp"))[0]).toMatchObject({ user_id: account.userId, client_id: trusted.clientId });
  expect((await auditEvents(service.manage, "fu"))[0]).toMatchObject({ user_name: "unknown@example.test" });
});

test("throttles an account for five minutes after three failed logins, at the grant and on the login page", async () => {
  const account = await createAccount();
  for (let i = 0; i < 3; i++) await fail(account);
  expectError(await tryPassword(account.email, account.password), 403, "TOO_MANY_FAILED_LOGINS");
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  await submitStep(browser, state, { action: "continue", identifier: account.email });
  expect(await (await sendStep(browser, state, { action: "sign-in", password: account.password })).json()).toMatchObject({
    error: "TOO_MANY_FAILED_LOGINS",
  });
  expectError(await tryPassword("unknown-3@example.test", "x"), 403, "INVALID_CREDENTIALS");
  tokens(await tryPassword(service.bob.email, service.bob.password));
  service.clock.advance("5m");
  tokens(await tryPassword(account.email, account.password));
});

test("throttles unknown users like known ones", async () => {
  for (let i = 0; i < 3; i++) expectError(await tryPassword("ghost@example.test", "x"), 403, "INVALID_CREDENTIALS");
  expectError(await tryPassword(" GHOST@example.test", "x"), 403, "TOO_MANY_FAILED_LOGINS");
});

test("a successful login resets the failure counter", async () => {
  const account = await createAccount();
  await fail(account);
  await fail(account);
  tokens(await tryPassword(account.email, account.password));
  await fail(account);
  await fail(account);
  await login(service.browser(), service.web, account);
  await fail(account);
  await fail(account);
  tokens(await tryPassword(account.email, account.password));
});

test("verifies at most 3 of 50 parallel wrong passwords", async () => {
  const account = await createAccount();
  const responses = await Promise.all(Array.from({ length: 50 }, () => tryPassword(account.email, "not the password")));
  const looked = responses.filter(({ body }) => JSON.stringify(body).includes("INVALID_CREDENTIALS"));
  expect(looked.length).toBeLessThanOrEqual(3);
  expect(responses.every(({ status }) => status === 403)).toBe(true);
});

test("accepts 8 parallel correct passwords", async () => {
  const account = await createAccount();
  for (const response of await Promise.all(Array.from({ length: 8 }, () => tryPassword(account.email, account.password)))) tokens(response);
});

test("consumes the rate limit once for each attempt, by tenant and client address, before the password is verified", async () => {
  tokens(await tryPassword(service.ada.email, service.ada.password));
  await tryPassword("unknown@example.test", "x");
  expect(consumed).toEqual(["pre-login main:192.0.2.1", "pre-login main:192.0.2.1"]);
});

test("responds to an exceeded rate limit with 429 and Retry-After at the grant, and counts no failed login", async () => {
  const account = await createAccount();
  decide = async () => ({ allowed: false, retryAfterSeconds: 12.2 });
  for (let i = 0; i < 4; i++) {
    const response = await tryPassword(account.email, "not the password");
    expectError(response, 429, "TOO_MANY_REQUESTS");
    expect(response.headers.get("retry-after")).toBe("13");
  }
  decide = async () => ({ allowed: false });
  expect((await tryPassword(account.email, "x")).headers.has("retry-after")).toBe(false);
  decide = async () => ({ allowed: true });
  tokens(await tryPassword(account.email, account.password));
});

test("responds to an exceeded rate limit with 429 and Retry-After in the JSON flow API", async () => {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  decide = async () => ({ allowed: false, retryAfterSeconds: 7 });
  const response = await sendStep(browser, state, { action: "sign-in", password: service.ada.password });
  expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
    429,
    "7",
    expect.objectContaining({ error: "TOO_MANY_REQUESTS" }),
  ]);
  expect(consumed).toEqual(["pre-login main:192.0.2.7"]);
});

test("allows the attempt and logs a warning if the rate limiter throws", async () => {
  decide = async () => {
    throw new Error("the counter is unavailable");
  };
  tokens(await tryPassword(service.ada.email, service.ada.password));
  service.clock.advance("5s");
  expect((await auditEvents(service.manage, "w"))[0]?.["description"]).toContain("rate limiter");
});

test("allows the attempt if the rate limiter does not respond within a second", async () => {
  decide = () => new Promise(() => {});
  const startedAt = performance.now();
  tokens(await tryPassword(service.ada.email, service.ada.password));
  expect(performance.now() - startedAt).toBeGreaterThan(900);
});

test("applies no rate limit to client addresses on the allowlist or while suspicious IP throttling is disabled", async () => {
  const path = "/api/v2/attack-protection/suspicious-ip-throttling";
  const change = async (suspicious_ip_throttling: { readonly allowlist?: string[]; readonly enabled?: boolean }): Promise<void> => {
    const served = await service.manage("PATCH", path, suspicious_ip_throttling);
    if (served.status === 404)
      await service.data.collections.tenants.update({ id: "main" }, { set: { attack_protection: { suspicious_ip_throttling } } });
    service.clock.advance("6s");
  };
  decide = async () => ({ allowed: false });
  await change({ allowlist: ["192.0.2.0/24"] });
  tokens(await tryPassword(service.ada.email, service.ada.password));
  await change({ allowlist: [], enabled: false });
  tokens(await tryPassword(service.ada.email, service.ada.password));
  await change({ enabled: true });
  expectError(await tryPassword(service.ada.email, service.ada.password), 429, "TOO_MANY_REQUESTS");
});

test("passes the tenant id to every method of the hasher", async () => {
  const calls: string[] = [];
  const inner = createPasswordHasher();
  const recorded =
    <Rest extends unknown[], T>(run: (...rest: Rest) => T, name: string) =>
    (...rest: Rest): T => {
      calls.push(`${name} ${String(rest.at(-1))}`);
      return run(...rest);
    };
  const hasher: PasswordHasher = {
    ...inner,
    hash: recorded(inner.hash, "hash"),
    verify: recorded(inner.verify, "verify"),
    verifyDummy: recorded(inner.verifyDummy, "nothing"),
  };
  const own = await openService({ crypto: { hasher } });
  const app = await own.register({ secret: true, grant_types: ["password"] });
  calls.length = 0;
  const { email, password } = await own.addUser("hashed@example.test");
  const form = { grant_type: "password", client_id: app.clientId, client_secret: clientSecret };
  tokens(await own.exchange({ ...form, username: email, password }));
  expectError(await own.exchange({ ...form, username: "unknown@example.test", password }), 403, "INVALID_CREDENTIALS");
  expect(calls).toEqual(["hash main", "verify main", "nothing main"]);
});
