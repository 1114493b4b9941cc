import { createHash, randomBytes } from "node:crypto";
import { runInNewContext } from "node:vm";
import { decodeJwt, type JWTPayload } from "jose";
import { expect } from "vitest";
import type { PasswordHasher } from "@postern/core";
import type { CreateClient } from "@postern/core/api";
import { managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "./api.ts";
import { formAction, formFields, openBrowser, type Browser } from "./browser.ts";
import { clientSecret, createTestPostern, type ApiResponse, type TestOptions, type TestPostern } from "./postern.ts";

/** A password hasher without any work factor, for tests that do not test hashing. */
export const fakeHasher: PasswordHasher = {
  hash: async (password) => fakeHash(password),
  verify: async (password, stored) => (stored === fakeHash(password) ? "match" : "no-match"),
  verifyDummy: async () => {},
  accepts: (stored) => stored.startsWith("$fake$"),
};

function fakeHash(password: string): string {
  return `$fake$${createHash("sha256").update(password).digest("hex")}`;
}

/** A client that users sign in to. */
export interface App {
  readonly clientId: string;
  readonly secret?: string;
  readonly redirectUri: string;
}

/** A user who can sign in. */
export interface TestAccount {
  readonly email: string;
  readonly password: string;
  readonly userId: string;
}

/** A {@link TestPostern} with users and clients. */
export interface LoginService extends TestPostern {
  readonly manage: Manager;
  /** A confidential first-party client, which may use every response type. */
  readonly web: App;
  /** A public client with rotating refresh tokens. */
  readonly spa: App;
  readonly ada: TestAccount;
  readonly bob: TestAccount;
  browser(cookies?: ReadonlyMap<string, string>): Browser;
  /** Registers a client, which is public unless `secret` is true. */
  register(settings: Partial<CreateClient> & { readonly secret?: boolean }): Promise<App>;
  /** Creates a user with a password and a verified email address. */
  addUser(email: string): Promise<TestAccount>;
  /** Posts a form to the token endpoint. */
  exchange(body: { readonly [name: string]: string }, headers?: { readonly [name: string]: string }): Promise<ApiResponse>;
  /** Requests `/userinfo`. */
  userinfo(accessToken: string): Promise<ApiResponse>;
}

const password = "correct horse battery";
const callback = "https://app.example.test/callback";

/** Creates a {@link LoginService}. */
export async function openService(options: TestOptions = {}): Promise<LoginService> {
  const service = await createTestPostern({ ...options, crypto: { hasher: fakeHasher, ...options.crypto } });
  const { postern } = service;
  // Each call uses a new token, because tests advance the clock past the token lifetime.
  const call: (...sent: Parameters<Manager>) => Promise<ApiResponse> = async (...sent) => (await managerOf(service))(...sent);
  const manage: Manager = Object.assign(call, {
    create: async (path: string, body: unknown) => jsonBody(await call("POST", path, body), 201),
  });
  let number = 0;

  const register: LoginService["register"] = async ({ secret = false, ...settings }) => {
    const clientId = `app-${++number}`;
    const all: CreateClient = { name: clientId, app_type: secret ? "regular_web" : "spa", callbacks: [callback], ...settings };
    await postern.seed({ tenantId: "main", clients: [{ clientId, settings: all, ...(secret && { secret: clientSecret }) }] });
    return { clientId, redirectUri: all.callbacks?.[0] ?? callback, ...(secret && { secret: clientSecret }) };
  };
  const addUser = async (email: string): Promise<TestAccount> => {
    const body = { connection: "Username-Password-Authentication", email, password, name: email.split("@", 1)[0], email_verified: true };
    return { email, password, userId: stringMember(await manage.create("/api/v2/users", body), "user_id") };
  };
  const logoutUrls = { allowed_logout_urls: ["https://app.example.test/bye"] };
  const forUsers = ["authorization_code", "refresh_token", "implicit"];
  return {
    ...service,
    manage,
    web: await register({ secret: true, grant_types: [...forUsers, "client_credentials"], ...logoutUrls }),
    spa: await register({ web_origins: ["https://app.example.test"], grant_types: forUsers, ...logoutUrls }),
    ada: await addUser("ada@example.test"),
    bob: await addUser("bob@example.test"),
    browser: (cookies) => openBrowser(postern, cookies),
    register,
    addUser,
    exchange: (body, headers) => sendTokenRequest(service, body, headers),
    userinfo: (accessToken) => service.call("GET", "/userinfo", { token: accessToken }),
  };
}

/** Posts a form to the token endpoint of a service. */
export function sendTokenRequest(
  service: Pick<TestPostern, "call">,
  body: { readonly [name: string]: string },
  headers?: { readonly [name: string]: string },
): Promise<ApiResponse> {
  return service.call("POST", "/oauth/token", {
    body: new URLSearchParams(body).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

/** The result of a browser request: an authorization response, the login page, or another page. */
export type FlowResult =
  | {
      readonly kind: "response";
      readonly mode: "query" | "fragment" | "form_post" | "web_message";
      readonly to: string;
      readonly parameters: { readonly [name: string]: string };
    }
  | {
      readonly kind: "login";
      readonly state: string;
      /** The step of the login page. Default: the current step. */
      readonly step?: string;
    }
  | { readonly kind: "page"; readonly status: number; readonly html: string };

/** Parameters of an authorization request, added to defaults such as a PKCE challenge; undefined removes a default. */
export type AuthorizationParameters = { readonly [parameter: string]: string | undefined };

/** The PKCE verifier for the challenge in {@link authorizeParameters}. */
export const verifier = "verifier-that-is-long-enough-for-the-rfc-7636";
export const challenge = createHash("sha256").update(verifier).digest("base64url");

/**
 * Returns the parameters of an authorization request. Default: code, PKCE, `openid profile email`, state and nonce. The
 * test's parameters override the default.
 */
export function authorizeParameters(app: App, parameters: AuthorizationParameters = {}): { readonly [parameter: string]: string } {
  const all = {
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    response_type: "code",
    scope: "openid profile email",
    state: "st-1",
    nonce: "n-1",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...parameters,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Sends an authorization request. */
export async function sendAuthorization(browser: Browser, app: App, parameters: AuthorizationParameters = {}): Promise<FlowResult> {
  return readResult(await browser.get(`/authorize?${new URLSearchParams(authorizeParameters(app, parameters))}`));
}

/** Reads the result of a browser request. */
export async function readResult(response: Response): Promise<FlowResult> {
  const location = response.headers.get("location");
  if (location !== null) {
    expect(response.status).toBe(303);
    return readRedirect(location);
  }
  const html = await response.text();
  const posted = readPostedResponse(html);
  return posted ?? { kind: "page", status: response.status, html };
}

/** Reads the target and the parameters of a redirect. */
export function readRedirect(location: string): FlowResult {
  const url = new URL(location);
  const state = url.searchParams.get("state");
  if (url.pathname.endsWith("/u/login") && state !== null) {
    const name = url.searchParams.get("step");
    return { kind: "login", state, ...(name !== null && { step: name }) };
  }
  const [to = "", fragment] = location.split("#", 2);
  const [bare = "", query = ""] = to.split("?", 2);
  const inFragment = fragment !== undefined && fragment !== "";
  return {
    kind: "response",
    mode: inFragment ? "fragment" : "query",
    to: inFragment ? to : bare,
    parameters: Object.fromEntries(new URLSearchParams(inFragment ? fragment : query)),
  };
}

function readPostedResponse(html: string): FlowResult | undefined {
  const [, script = ""] = /<script nonce="[^"]*">(.*?)<\/script>/s.exec(html) ?? [];
  if (script.includes("postMessage")) return readMessage(script);
  const fields = formFields(html);
  const action = formAction(html);
  if (action === undefined || !("iss" in fields)) return undefined;
  return { kind: "response", mode: "form_post", to: action, parameters: fields };
}

/** Runs the script of a page as in a frame, and returns the message that it sends to the parent window. */
function readMessage(script: string): FlowResult | undefined {
  let sent: FlowResult | undefined;
  const parent = {
    postMessage: (message: { type: string; response: object }, to: string) => {
      expect(message.type).toBe("authorization_response");
      sent = { kind: "response", mode: "web_message", to, parameters: asTexts(message.response) };
    },
  };
  runInNewContext(script, { window: { parent } });
  return sent;
}

function asTexts(values: object): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** Returns the parameters of a successful authorization response. Throws for any other result. */
export function successParameters(result: FlowResult): { readonly [name: string]: string } {
  if (result.kind !== "response") throw new Error(`not an authorization response: ${JSON.stringify(result)}`);
  expect(result.parameters).not.toHaveProperty("error");
  return result.parameters;
}

/** Returns the parameters of an authorization error response. Throws for any other result. */
export function errorParameters(result: FlowResult): { readonly [name: string]: string } {
  if (result.kind !== "response") throw new Error(`not an authorization response: ${JSON.stringify(result)}`);
  expect(result.parameters).toHaveProperty("error");
  return result.parameters;
}

/** Returns the `state` of the login page. Throws if the result is not the login page. */
export function loginState(result: FlowResult): string {
  if (result.kind !== "login") throw new Error(`not the login page: ${JSON.stringify(result)}`);
  return result.state;
}

/** The actions of the JSON flow API. */
export type FlowStep = {
  readonly action:
    | "continue"
    | "change-identifier"
    | "sign-in"
    | "create-account"
    | "have-account"
    | "continue-as"
    | "other-account"
    | "select-organization"
    | "accept-invitation"
    | "not-now"
    | "accept"
    | "deny"
    | "connect-device"
    | "keep-account"
    | "delete-account"
    | "sign-up"
    | "make-account"
    | "enter-code"
    | "resend-code"
    | "send-code"
    | "change-address"
    | "use-password"
    | "forgot-password"
    | "send-reset"
    | "set-password"
    | "sign-in-instead"
    | "continue-with"
    | "link-account"
    | "send-link-code"
    | "own-account"
    | "another-way"
    | "enter-factor-code"
    | "use-key"
    | "confirm-key"
    | "use-passkey"
    | "choose-passkey"
    | "create-passkey"
    | "choose-password"
    | "add-passkey"
    | "decline-passkey"
    | "choose-factor"
    | "send-factor-code"
    | "choose-new-factor"
    | "enter-phone"
    | "confirm-new-factor"
    | "send-new-factor-code"
    | "other-new-factor"
    | "recovery-code-stored";
  readonly connection?: string;
  readonly identifier?: string;
  readonly email?: string;
  readonly code?: string;
  readonly response?: string;
  readonly organization?: string;
  readonly password?: string;
  readonly factor?: string;
  readonly destination?: string;
  readonly phone?: string;
  readonly channel?: "sms" | "voice";
  readonly remember?: "true";
  readonly may_act?: "true";
  readonly passkeys?: "available";
  readonly mode?: "conditional";
  readonly username?: string;
  readonly phone_number?: string;
};

/** Fetches the current screen from the JSON flow API. */
export async function getFlow(browser: Browser, state: string): Promise<JsonBody> {
  const response = await browser.get(`/u/flow?${new URLSearchParams({ state })}`);
  return readJson(response, 200);
}

/** Sends an action to the JSON flow API. @returns the parsed response. */
export async function submitStep(browser: Browser, state: string, action: FlowStep): Promise<JsonBody> {
  return readJson(await sendStep(browser, state, action), 200);
}

/** Sends an action to the JSON flow API. */
export async function sendStep(browser: Browser, state: string, action: FlowStep): Promise<Response> {
  const { csrf } = await getFlow(browser, state);
  return browser.post("/u/flow", { json: { state, csrf, ...action } });
}

/** Returns the name of the screen in a response of the flow API. */
export function screenName(reply: JsonBody): string {
  const { screen } = reply;
  if (typeof screen !== "object" || screen === null || !("name" in screen)) throw new Error(`no screen: ${JSON.stringify(reply)}`);
  return String(screen.name);
}

/** Returns the authorization response to which the flow API redirects at the end of a login session. */
export function redirectOf(reply: JsonBody): FlowResult {
  return readRedirect(stringMember(reply, "redirect_to"));
}

/** Opens the page of a login step, or of the current step. */
export async function openStep(browser: Browser, state: string, name?: string): Promise<Response> {
  return browser.get(`/u/login?${new URLSearchParams({ state, ...(name !== undefined && { step: name }) })}`);
}

/**
 * Submits the form on the current login page, as a browser without scripts does. @returns the result after redirects.
 */
export async function submit(browser: Browser, state: string, action: FlowStep): Promise<FlowResult> {
  const page = await openStep(browser, state);
  const html = await page.text();
  expect(page.status, html).toBe(200);
  return followRedirects(browser, await sendForm(browser, html, action));
}

/** Sends the form on a page that was loaded earlier, with one of its actions. */
export async function sendForm(browser: Browser, html: string, action: FlowStep): Promise<Response> {
  const { state = "", step: name = "", csrf = "" } = formFields(html);
  return browser.post("/u/login", { form: { state, step: name, csrf, ...action } });
}

/**
 * Follows the redirects after a submitted form of the login page. The response redirects to a URL, which may redirect
 * once more.
 */
export async function followRedirects(browser: Browser, response: Response): Promise<FlowResult> {
  // The response to a form with a problem is a redirect as well. An error page, which ends the login session, is the
  // only response that is not a redirect.
  if (response.status < 400) expect(response.status).toBe(303);
  let current = response;
  for (let redirects = 0; redirects < 3; redirects++) {
    const location = current.headers.get("location");
    if (location === null || readRedirect(location).kind !== "login") break;
    current = await browser.get(location);
  }
  return readResult(current);
}

/** The actions that accept the prompts after sign-in, by the name of the screen. */
const agreements = { invitation: "accept-invitation", consent: "accept" } as const;

/** Signs a user in at the login page through the JSON flow API, and accepts an invitation and a consent prompt. */
export async function signInAtLoginPage(
  browser: Browser,
  result: FlowResult,
  { email, password: typed }: TestAccount,
): Promise<FlowResult> {
  const state = loginState(result);
  const named = await submitStep(browser, state, { action: "continue", identifier: email });
  expect(screenName(named)).toBe("password");
  let loginResult = await submitStep(browser, state, { action: "sign-in", password: typed });
  for (const [requesting, action] of Object.entries(agreements)) {
    if (!("screen" in loginResult) || screenName(loginResult) !== requesting) continue;
    const acts = JSON.stringify(loginResult["screen"]).includes('"actsForUser":true');
    loginResult = await submitStep(browser, state, { action, ...(acts && { may_act: "true" }) });
  }
  return redirectOf(loginResult);
}

/** Sends an authorization request, and signs in if the login page is shown. */
export async function login(
  browser: Browser,
  app: App,
  account: TestAccount,
  parameters: AuthorizationParameters = {},
): Promise<{ readonly [name: string]: string }> {
  const result = await sendAuthorization(browser, app, parameters);
  return successParameters(result.kind === "login" ? await signInAtLoginPage(browser, result, account) : result);
}

/** Returns the body of a code exchange. */
export function codeGrant(app: App, code: string, more: AuthorizationParameters = {}): { readonly [name: string]: string } {
  const body = {
    grant_type: "authorization_code",
    client_id: app.clientId,
    client_secret: app.secret,
    code,
    redirect_uri: app.redirectUri,
    code_verifier: verifier,
    ...more,
  };
  return Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Returns the body of a refresh request. */
export function refreshGrant(app: App, refreshToken: string, more: { readonly [name: string]: string } = {}): { [name: string]: string } {
  return {
    grant_type: "refresh_token",
    client_id: app.clientId,
    ...(app.secret !== undefined && { client_secret: app.secret }),
    refresh_token: refreshToken,
    ...more,
  };
}

/** The tokens of a token response. */
export interface ObtainedTokens {
  readonly access: string;
  readonly id: string;
  readonly refresh: string;
  readonly scope: string;
}

/** Returns the tokens in a successful token response. A missing member becomes an empty string. */
export function tokens(response: ApiResponse): ObtainedTokens {
  expect({ status: response.status, body: response.body }).toMatchObject({ status: 200 });
  const { access_token = "", id_token = "", refresh_token = "", scope = "" } = response.body as { readonly [name: string]: string };
  return { access: access_token, id: id_token, refresh: refresh_token, scope };
}

/** Signs a user in with a new browser, and exchanges the code. */
export async function obtainTokens(
  service: LoginService,
  app: App,
  account: TestAccount,
  parameters: AuthorizationParameters = {},
  browser = service.browser(),
): Promise<ObtainedTokens> {
  const { code = "" } = await login(browser, app, account, parameters);
  return tokens(await service.exchange(codeGrant(app, code)));
}

/** The scope that requests a refresh token. */
export const offline = { scope: "openid profile email offline_access" };

/** Returns the claims of a token without verifying the token. */
export function claimsOf(token: string): JWTPayload {
  return decodeJwt(token);
}

/** Returns random text. */
export function randomString(): string {
  return randomBytes(24).toString("base64url");
}

async function readJson(response: Response, status: number): Promise<JsonBody> {
  const body: unknown = await response.json();
  expect({ status: response.status, body }).toMatchObject({ status });
  if (typeof body !== "object" || body === null) throw new Error("no JSON object");
  return { ...body };
}
