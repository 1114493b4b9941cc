import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RateLimitDecision } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { list, type JsonBody } from "../support/api.ts";
import { formFields } from "../support/browser.ts";
import { clientSecret } from "../support/postern.ts";
import {
  sendAuthorization,
  codeGrant,
  successParameters,
  login,
  loginState,
  obtainTokens,
  offline,
  openService,
  redirectOf,
  refreshGrant,
  errorParameters,
  sendStep,
  signInAtLoginPage,
  submitStep,
  tokens,
  randomString,
  verifier,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { stores } from "./stores.ts";

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
const wrongPassword = "not the password at all";

/** Each flow with all log events that it writes: Auth0's type code, user, client, IP address and description. */
describe.each(stores)("the log on $name", ({ open }) => {
  let data: DataAdapter;
  let service: LoginService;
  let app: App;
  let partner: App;
  let decide: () => Promise<RateLimitDecision | undefined> = async () => undefined;
  /** Every value that must never be logged. */
  const secrets = new Set<string>([clientSecret, wrongPassword, verifier]);

  beforeAll(async () => {
    data = await open();
    service = await openService({ data, rateLimiter: { consume: () => decide() } });
    app = await service.register({
      secret: true,
      grant_types: ["authorization_code", "refresh_token", "implicit", "password", exchangeGrant],
      refresh_token: { rotation_type: "rotating", expiration_type: "expiring" },
    });
    partner = await service.register({ secret: true, name: "Partner", is_first_party: false });
    secrets.add(service.ada.password);
  });
  afterAll(() => data.close?.());

  let number = 0;
  const createAccount = async (): Promise<TestAccount> => service.addUser(`logged-${++number}@example.test`);
  const asSecret = <T extends string>(secret: T): T => {
    if (secret !== "") secrets.add(secret);
    return secret;
  };
  const rows = async (): Promise<readonly JsonBody[]> => {
    service.clock.advance("5s");
    return list(await service.manage("GET", "/api/v2/logs?per_page=100&sort=date:-1"));
  };
  /** Returns the log events of a flow, oldest first, without those of the test's own Management API calls. */
  const leaves = async (flow: () => Promise<unknown>): Promise<readonly JsonBody[]> => {
    const before = new Set((await rows()).map(({ log_id: id }) => id));
    await flow();
    const own = new Set(["sapi", "seccft"]);
    return (await rows())
      .filter(({ log_id: id, type, client_id: by }) => !before.has(id) && !(own.has(String(type)) && by === "main-manager"))
      .toReversed();
  };
  const by = (credentials: App): JsonBody => ({
    client_id: credentials.clientId,
    client_name: credentials.clientId === partner.clientId ? "Partner" : credentials.clientId,
  });
  const browserSide = { ip: "192.0.2.7", hostname: "id.example.test" };
  const serverSide = { ip: "192.0.2.1", hostname: "id.example.test" };
  const directory = {
    connection: "Username-Password-Authentication",
    connection_id: expect.stringMatching(/^con_/),
    strategy: "auth0",
    strategy_type: "database",
  };

  /** Obtains tokens and adds them to the secrets. */
  const obtainSecretTokens = async (credentials = app, account = service.ada): Promise<Awaited<ReturnType<typeof obtainTokens>>> => {
    const result = await obtainTokens(service, credentials, account, offline);
    for (const token of [result.access, result.id, result.refresh]) asSecret(token);
    return result;
  };
  const grant = (grant_type: string, more: { readonly [name: string]: string } = {}): { [name: string]: string } => ({
    grant_type,
    client_id: app.clientId,
    client_secret: clientSecret,
    ...more,
  });

  test("logs a login on the page and a silent login", async () => {
    const browser = service.browser();
    const events = await leaves(async () => {
      asSecret((await login(browser, app, service.ada))["code"] ?? "");
      asSecret((await login(browser, app, service.ada, { prompt: "none" }))["code"] ?? "");
    });
    for (const value of browser.cookies.values()) asSecret(value);
    const user = { user_id: service.ada.userId, user_name: "ada" };
    expect(events).toMatchObject([
      { type: "s", description: null, ...by(app), ...user, ...browserSide, ...directory },
      { type: "ssa", description: null, ...by(app), ...user, ...browserSide },
    ]);
  });

  test("logs failed logins: wrong password, unknown user, throttle and block", async () => {
    const account = await createAccount();
    const state = async (identifier: string): Promise<readonly [ReturnType<LoginService["browser"]>, string]> => {
      const browser = service.browser();
      const id = loginState(await sendAuthorization(browser, app));
      await submitStep(browser, id, { action: "continue", identifier });
      return [browser, id];
    };
    const failing = async (identifier: string, password = wrongPassword): Promise<unknown> =>
      sendStep(...(await state(identifier)), { action: "sign-in", password });
    const user = { user_id: account.userId, user_name: account.email.split("@", 1)[0] };
    const events = await leaves(async () => {
      for (let i = 0; i < 4; i++) await failing(account.email);
      await failing("unknown-user@example.test");
      await failing(asSecret("a password typed into the wrong field"));
    });
    expect(events).toMatchObject([
      { type: "fp", description: "Wrong email or password.", ...by(app), ...user, ...browserSide, ...directory },
      { type: "fp", ...user },
      { type: "fp", ...user },
      { type: "limit_wc", ...by(app), ...user, ...browserSide },
      { type: "f", description: "Too many failed logins.", ...by(app), ...user },
      {
        type: "fu",
        description: "Wrong email or password.",
        ...by(app),
        user_id: "",
        user_name: "unknown-user@example.test",
        ...browserSide,
      },
      { type: "fu", user_id: "", user_name: "" },
    ]);

    const blocked = await createAccount();
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(blocked.userId)}`, { blocked: true });
    expect(await leaves(() => failing(blocked.email, blocked.password))).toMatchObject([
      { type: "f", description: "The user is blocked.", ...by(app), user_id: blocked.userId, ...browserSide },
    ]);
  });

  test("logs an exceeded rate limit, and a rate limiter that fails", async () => {
    const password = grant("password", { username: service.ada.email, password: service.ada.password });
    decide = async () => ({ allowed: false });
    expect(await leaves(() => service.exchange(password))).toMatchObject([
      { type: "limit_mu", ...by(app), ...serverSide, details: { scope: "pre-login" } },
      { type: "fepft", ...by(app), ...serverSide },
    ]);
    decide = async () => {
      throw new Error("down");
    };
    expect(await leaves(() => service.exchange(password))).toMatchObject([
      { type: "w", ...by(app), ...serverSide },
      { type: "s" },
      { type: "sepft" },
    ]);
    decide = async () => undefined;
  });

  test("logs rejected authorization requests, failed silent requests, a declined consent and a forged form", async () => {
    const browser = service.browser();
    const events = await leaves(async () => {
      errorParameters(await sendAuthorization(browser, app, { prompt: "none" }));
      errorParameters(await sendAuthorization(browser, app, { prompt: "none", scope: 'a"b' }));
      errorParameters(await sendAuthorization(browser, app, { response_type: "code code" }));
      await sendAuthorization(browser, app, { redirect_uri: "https://evil.test/" });
      await sendAuthorization(browser, app, { client_id: "unknown" });
    });
    expect(events).toMatchObject([
      { type: "fsa", description: "Login required", ...by(app), ...browserSide },
      { type: "fsa", description: expect.stringContaining("scope"), ...by(app) },
      { type: "f", description: expect.stringContaining("response type"), ...by(app) },
      {
        type: "f",
        description: expect.stringContaining("sent: 'https://evil.test/'; registered: "),
        client_id: app.clientId,
        ...browserSide,
      },
      { type: "f", description: "the client is unknown", client_id: "unknown", ...browserSide },
    ]);

    const account = await createAccount();
    const state = loginState(await sendAuthorization(browser, partner));
    await submitStep(browser, state, { action: "continue", identifier: account.email });
    await submitStep(browser, state, { action: "sign-in", password: account.password });
    expect(await leaves(async () => errorParameters(redirectOf(await submitStep(browser, state, { action: "deny" }))))).toMatchObject([
      { type: "f", description: "User did not authorize the request", ...by(partner), user_id: account.userId, ...browserSide },
    ]);
    const page = await browser.get(`/u/login?${new URLSearchParams({ state: loginState(await sendAuthorization(browser, partner)) })}`);
    const form = { ...formFields(await page.text()), csrf: "forged", action: "accept" };
    expect(await leaves(() => browser.post("/u/login", { form }))).toMatchObject([
      { type: "f", description: "A login form was not submitted from its own page.", ...by(partner), ...browserSide },
    ]);
  });

  test("logs a code exchange and its replay", async () => {
    const code = asSecret((await login(service.browser(), app, service.ada, offline))["code"] ?? "");
    const events = await leaves(async () => {
      const result = tokens(await service.exchange(codeGrant(app, code)));
      for (const token of [result.access, result.id, result.refresh]) asSecret(token);
      await service.exchange(codeGrant(app, code));
    });
    expect(events).toMatchObject([
      { type: "seacft", description: null, ...by(app), user_id: service.ada.userId, user_name: "ada", scope: offline.scope, ...serverSide },
      { type: "feacft", description: "Invalid authorization code", ...by(app), ...serverSide },
    ]);
  });

  test("logs a refresh token that is used, unknown, reused and revoked", async () => {
    const first = await obtainSecretTokens();
    const user = { user_id: service.ada.userId };
    const events = await leaves(async () => {
      const second = asSecret(tokens(await service.exchange(refreshGrant(app, first.refresh))).refresh);
      asSecret(tokens(await service.exchange(refreshGrant(app, second))).refresh);
      await service.exchange(refreshGrant(app, asSecret(randomString())));
      service.clock.advance("31s");
      await service.exchange(refreshGrant(app, first.refresh));
    });
    expect(events).toMatchObject([
      { type: "sertft", ...by(app), ...user, user_name: "ada", scope: offline.scope, ...serverSide },
      { type: "sertft" },
      { type: "fertft", description: "Unknown or invalid refresh token.", ...by(app), ...serverSide },
      { type: "ferrt", description: "a refresh token was used again; its family is revoked", ...by(app), ...user, ...serverSide },
      { type: "fertft", ...by(app) },
    ]);
    const live = await obtainSecretTokens();
    const body = { client_id: app.clientId, client_secret: clientSecret, token: live.refresh };
    const revoked = await leaves(async () => {
      await service.call("POST", "/oauth/revoke", { body });
      await service.call("POST", "/oauth/revoke", { body });
    });
    expect(revoked).toMatchObject([{ type: "srrt", ...by(app), ...user, ...serverSide }]);
  });

  test("logs the password grant, the client credentials grant and a token exchange", async () => {
    const password = (typed: string): { [name: string]: string } => grant("password", { username: service.ada.email, password: typed });
    const user = { user_id: service.ada.userId };
    expect(await leaves(() => service.exchange(password(service.ada.password)))).toMatchObject([
      { type: "s", ...by(app), ...user, ...serverSide, ...directory },
      { type: "sepft", ...by(app), ...user, scope: "openid", ...serverSide },
    ]);
    expect(await leaves(() => service.exchange(password(wrongPassword)))).toMatchObject([
      { type: "fp", ...by(app), ...user, ...serverSide },
      { type: "fepft", description: "Wrong email or password.", ...by(app), ...serverSide },
    ]);
    expect(await leaves(() => service.exchange(grant("client_credentials", { audience: "https://nowhere.example.test/" })))).toMatchObject([
      { type: "feccft", ...by(app), ...serverSide },
    ]);
    const { access } = await obtainSecretTokens();
    const subject = { subject_token: access, subject_token_type: "urn:ietf:params:oauth:token-type:access_token" };
    const events = await leaves(async () => {
      asSecret(tokens(await service.exchange(grant(exchangeGrant, { ...subject, scope: "openid" }))).access);
      await service.exchange(grant(exchangeGrant, { ...subject, scope: "openid more" }));
    });
    expect(events).toMatchObject([
      { type: "secte", ...by(app), ...user, scope: "openid", ...serverSide },
      { type: "fecte", description: expect.stringContaining("more"), ...by(app), ...serverSide },
    ]);
  });

  test("logs a failed client authentication with the client_id of the request", async () => {
    const headers = { authorization: `Basic ${Buffer.from(`${app.clientId}:${asSecret("wrong-secret-of-a-client")}`).toString("base64")}` };
    const events = await leaves(async () => {
      await service.exchange({ grant_type: "refresh_token", refresh_token: asSecret(randomString()) }, headers);
      await service.exchange({ ...grant("client_credentials"), client_id: "unknown", client_secret: asSecret("another-wrong-secret") });
      await service.exchange(grant("no-such-grant"));
    });
    expect(events).toMatchObject([
      { type: "fertft", description: "the client is unknown or its credentials are wrong", client_id: app.clientId, ...serverSide },
      { type: "feccft", client_id: "unknown", ...serverSide },
      { type: "feacft", description: expect.stringContaining("no-such-grant"), ...by(app) },
    ]);
  });

  test("logs both kinds of logout, and rejected logouts", async () => {
    const browser = service.browser();
    await login(browser, app, service.ada);
    const user = { user_id: service.ada.userId };
    const query = new URLSearchParams({ client_id: app.clientId, returnTo: "https://evil.test/" });
    const events = await leaves(async () => {
      await browser.get(`/v2/logout?${query}`);
      await browser.get(`/v2/logout?client_id=${app.clientId}`);
      await browser.get(`/v2/logout?client_id=${app.clientId}`);
    });
    expect(events).toMatchObject([
      { type: "flo", description: "'returnTo' is not one of the allowed logout URLs", client_id: app.clientId, ...browserSide },
      { type: "slo", ...by(app), ...user, ...browserSide },
    ]);
    const id = asSecret((await obtainTokens(service, app, service.ada, {}, browser)).id);
    const oidc = await leaves(async () => {
      await browser.get(`/oidc/logout?${new URLSearchParams({ id_token_hint: `${id}x` })}`);
      await browser.get(`/oidc/logout?${new URLSearchParams({ id_token_hint: id })}`);
    });
    expect(oidc).toMatchObject([
      { type: "flo", description: "'id_token_hint' was not issued by this tenant", ...browserSide },
      { type: "slo", ...by(app), ...user, ...browserSide },
    ]);
  });

  test("logs no secrets, and no values that look like secrets", async () => {
    const browser = service.browser();
    await signInAtLoginPage(browser, await sendAuthorization(browser, app), service.ada);
    successParameters(await sendAuthorization(browser, app));
    const all = await data.collections.logs.find({
      where: { tenant_id: "main" },
      orderBy: { fields: ["log_id"], direction: "asc" },
      limit: 1000,
    });
    expect(all.length).toBeGreaterThan(60);
    const text = JSON.stringify(all);
    expect(secrets.size).toBeGreaterThan(20);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/eyJ[A-Za-z0-9_-]{10}/);
  });
});
