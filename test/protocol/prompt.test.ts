import { beforeAll, expect, test } from "vitest";
import { auditEvents } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  loginState,
  getFlow,
  obtainTokens,
  openService,
  redirectOf,
  errorParameters,
  screenName,
  signInAtLoginPage,
  submitStep,
  tokens,
  type AuthorizationParameters,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

const idClaims = async (code = ""): Promise<ReturnType<typeof claimsOf>> =>
  claimsOf(tokens(await service.exchange(codeGrant(service.web, code))).id);
const signedIn = async (): Promise<Browser> => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  return browser;
};
const silently = async (browser: Browser, parameters: AuthorizationParameters = {}): Promise<ReturnType<typeof claimsOf>> =>
  idClaims(successParameters(await sendAuthorization(browser, service.web, parameters))["code"]);

test("prompt=none returns login_required without a session, and succeeds with the sub and auth_time of an existing session", async () => {
  expect(errorParameters(await sendAuthorization(service.browser(), service.web, { prompt: "none" }))).toMatchObject({
    error: "login_required",
    error_description: "Login required",
  });
  const browser = service.browser();
  const first = await idClaims((await login(browser, service.web, service.ada))["code"]);
  service.clock.advance("10m");
  const second = await silently(browser, { prompt: "none" });
  expect(second).toMatchObject({ sub: first.sub, auth_time: first["auth_time"], sid: first["sid"] });
  service.clock.advance("5s");
  expect((await auditEvents(service.manage, "ssa"))[0]).toMatchObject({ user_id: service.ada.userId });
  expect((await auditEvents(service.manage, "fsa"))[0]).toMatchObject({ client_id: service.web.clientId, description: "Login required" });
});

test("prompt=none creates no login session and no cookie", async () => {
  const browser = service.browser();
  await sendAuthorization(browser, service.web, { prompt: "none" });
  expect(browser.cookies.size).toBe(0);
});

test("prompt=login prompts for the password again and updates auth_time", async () => {
  const browser = await signedIn();
  const before = await silently(browser);
  service.clock.advance("90s");
  const result = await sendAuthorization(browser, service.web, { prompt: "login" });
  expect(screenName(await getFlow(browser, loginState(result)))).toBe("identifier");
  const after = await idClaims(successParameters(await signInAtLoginPage(browser, result, service.ada))["code"]);
  expect(after["auth_time"]).toBe(Number(before["auth_time"]) + 90);
  expect(after["sid"]).toBe(before["sid"]);
  expect((await silently(browser))["auth_time"]).toBe(after["auth_time"]);
});

test("max_age=1 after two seconds prompts again, and auth_time is later", async () => {
  const browser = await signedIn();
  const before = await silently(browser);
  service.clock.advance("2s");
  expect(errorParameters(await sendAuthorization(browser, service.web, { max_age: "1", prompt: "none" }))["error"]).toBe("login_required");
  const result = await sendAuthorization(browser, service.web, { max_age: "1" });
  const after = await idClaims(successParameters(await signInAtLoginPage(browser, result, service.ada))["code"]);
  expect(after["auth_time"]).toBe(Number(before["auth_time"]) + 2);
});

test("max_age=0 always prompts, even in the same instant", async () => {
  const browser = await signedIn();
  const result = await sendAuthorization(browser, service.web, { max_age: "0" });
  successParameters(await signInAtLoginPage(browser, result, service.ada));
  expect(errorParameters(await sendAuthorization(browser, service.web, { max_age: "0", prompt: "none" }))["error"]).toBe("login_required");
});

test("a request with max_age=10000 after a login with max_age=15000 requires no new login and keeps auth_time", async () => {
  const browser = service.browser();
  const first = await idClaims((await login(browser, service.web, service.ada, { max_age: "15000" }))["code"]);
  service.clock.advance("20m");
  const second = await silently(browser, { max_age: "10000" });
  expect(second["auth_time"]).toBe(first["auth_time"]);
  expect(first["auth_time"]).toBeTypeOf("number");
});

test("prompt=consent and select_account show their pages despite a session", async () => {
  const browser = await signedIn();
  for (const [prompt, name] of [
    ["consent", "consent"],
    ["select_account", "select-account"],
    ["login consent", "identifier"],
    ["login select_account", "select-account"],
  ] as const) {
    expect(screenName(await getFlow(browser, loginState(await sendAuthorization(browser, service.web, { prompt }))))).toBe(name);
  }
});

test("a silent request succeeds with an id_token_hint for the current user, even an expired one, and fails with another user's hint", async () => {
  const browser = service.browser();
  const mine = await obtainTokens(service, service.web, service.ada, {}, browser);
  const otherUser = await obtainTokens(service, service.web, service.bob);
  service.clock.advance("11h");
  expect((await silently(browser, { prompt: "none", id_token_hint: mine.id })).sub).toBe(service.ada.userId);
  expect(errorParameters(await sendAuthorization(browser, service.web, { prompt: "none", id_token_hint: otherUser.id }))["error"]).toBe(
    "login_required",
  );
});

test("a login as a user other than the one in the id_token_hint returns login_required, and a login as that user succeeds", async () => {
  const otherUser = await obtainTokens(service, service.web, service.bob);
  const browser = await signedIn();
  const result = await sendAuthorization(browser, service.web, { id_token_hint: otherUser.id });
  expect(errorParameters(await signInAtLoginPage(browser, result, service.ada))).toMatchObject({ error: "login_required", state: "st-1" });
  successParameters(
    await signInAtLoginPage(browser, await sendAuthorization(browser, service.web, { id_token_hint: otherUser.id }), service.bob),
  );
});

test("rejects an access token, a token with a wrong signature and one with alg none as id_token_hint", async () => {
  const { access, id } = await obtainTokens(service, service.web, service.ada);
  const [, payload] = id.split(".");
  const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${payload}.`;
  for (const id_token_hint of [access, none, `${id}x`]) {
    expect(errorParameters(await sendAuthorization(service.browser(), service.web, { id_token_hint }))["error"]).toBe("invalid_request");
  }
});

test("a login_hint is shown, can be changed and authenticates no user", async () => {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web, { login_hint: service.bob.email }));
  expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "identifier", identifier: service.bob.email } });
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  const result = successParameters(redirectOf(await submitStep(browser, state, { action: "sign-in", password: service.ada.password })));
  expect((await idClaims(result["code"])).sub).toBe(service.ada.userId);
});

test("a session is valid for every client of the tenant, and for no other tenant", async () => {
  const browser = await signedIn();
  successParameters(await sendAuthorization(browser, service.spa, { prompt: "none" }));
  await service.postern.seed({
    tenantId: "other",
    clients: [{ clientId: "other-web", settings: { name: "Other", app_type: "spa", callbacks: ["https://app.example.test/callback"] } }],
  });
  const foreign = { clientId: "other-web", redirectUri: "https://app.example.test/callback" };
  expect(errorParameters(await sendAuthorization(browser, foreign, { prompt: "none" }))["error"]).toBe("login_required");
});
