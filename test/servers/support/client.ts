import { createHash, randomBytes } from "node:crypto";
import { appOrigin, appCallback, serverIssuer, managerClient, password, signedOut, user } from "./fixtures.ts";

/** A response with its parsed JSON body. */
export interface JsonReply {
  readonly status: number;
  readonly body: { readonly [name: string]: unknown };
}

/** An authorization code and the values that its exchange needs. */
export interface Code {
  readonly code: string;
  readonly verifier: string;
  readonly clientId: string;
}

/** Cookies by name, a minimal cookie jar. */
export type CookieMap = Map<string, string>;

/** A login session that waits for a password. */
export interface PendingLogin {
  readonly state: string;
  readonly csrf: string;
  readonly verifier: string;
  readonly clientId: string;
}

/**
 * Sends an authorization request.
 * @returns the parameters of the redirect to the app, or the login session that was started
 */
export async function requestAuthorization(
  origin: string,
  cookies: CookieMap,
  clientId: string,
  more: { readonly [name: string]: string } = {},
): Promise<{ readonly answer?: URLSearchParams; readonly loginSession?: PendingLogin; readonly verifier: string }> {
  const verifier = randomBytes(32).toString("base64url");
  const parameters = new URLSearchParams({
    client_id: clientId,
    redirect_uri: appCallback,
    response_type: "code",
    scope: "openid email offline_access",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...more,
  });
  const response = await visit(`${origin}/authorize?${parameters}`, cookies);
  const location = new URL(response.headers.get("location") ?? "");
  if (location.href.startsWith(appCallback)) return { answer: location.searchParams, verifier };
  const state = location.searchParams.get("state") ?? "";
  const flow = await visit(`${origin}/u/flow?${new URLSearchParams({ state })}`, cookies);
  const { csrf } = (await flow.json()) as { csrf: string };
  return { loginSession: { state, csrf, verifier, clientId }, verifier };
}

/** Submits the password of a login session. */
export async function sendPassword(origin: string, cookies: CookieMap, { state, csrf }: PendingLogin): Promise<JsonReply> {
  return reply(await visit(`${origin}/u/flow`, cookies, { state, csrf, action: "sign-in", identifier: user, password }));
}

/** Returns the code that a completed login session redirects with. */
export function redirectCode({ verifier, clientId }: PendingLogin, { body }: JsonReply): Code {
  const target = body["redirect_to"];
  const code = typeof target === "string" ? new URL(target).searchParams.get("code") : null;
  if (code === null) throw new Error(`the response has no code: ${JSON.stringify(body)}`);
  return { code, verifier, clientId };
}

/** Signs in with the password. */
export async function obtainCode(origin: string, cookies: CookieMap = new Map(), clientId = "app"): Promise<Code> {
  const { loginSession: opened } = await requestAuthorization(origin, cookies, clientId);
  if (opened === undefined) throw new Error("a user is already signed in");
  return redirectCode(opened, await sendPassword(origin, cookies, opened));
}

/** Authenticates silently. @returns the code, or the error. */
export async function signInSilently(origin: string, cookies: CookieMap, clientId = "app"): Promise<Code | string> {
  const { answer, verifier } = await requestAuthorization(origin, cookies, clientId, { prompt: "none" });
  const code = answer?.get("code");
  return code === null || code === undefined ? (answer?.get("error") ?? "") : { code, verifier, clientId };
}

export async function exchange(origin: string, { code, verifier, clientId }: Code): Promise<JsonReply> {
  return token(origin, {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: appCallback,
  });
}

export async function sendRefreshGrant(origin: string, refreshToken: string, clientId = "app"): Promise<JsonReply> {
  return token(origin, { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken });
}

/** Sends a password grant. */
export async function sendPasswordGrant(origin: string, username = user): Promise<JsonReply> {
  const scope = "openid offline_access";
  return token(origin, { grant_type: "password", client_id: "app", username, password, scope });
}

/** Creates the `email` connection for one-time codes and links, unless it exists. */
export async function createEmailConnection(origin: string): Promise<void> {
  const status = await manage(origin, await managerToken(origin), "POST", "/api/v2/connections", { name: "email", strategy: "email" });
  if (status !== 201 && status !== 409) throw new Error(`the connection was not created: ${status}`);
}

/** Requests a code by mail, or a link that signs in to the client `app`. */
export async function startCode(origin: string, email: string, send: "code" | "link" = "code"): Promise<void> {
  const code_challenge = createHash("sha256").update("unused verifier").digest("base64url");
  const authParams = { redirect_uri: appCallback, code_challenge, code_challenge_method: "S256" };
  const body = { client_id: "app", connection: "email", email, send, ...(send === "link" && { authParams }) };
  const response = await visit(`${origin}/passwordless/start`, new Map(), body);
  if (response.status !== 200) throw new Error(await response.text());
}

/** Sends a passwordless OTP grant. */
export async function redeemOneTimeCode(origin: string, username: string, otp: string): Promise<JsonReply> {
  const scope = "openid offline_access";
  return token(origin, {
    grant_type: "http://auth0.com/oauth/grant-type/passwordless/otp",
    client_id: "app",
    realm: "email",
    username,
    otp,
    scope,
  });
}

/** Submits a form of the page that a link opens. @returns the URL that the response redirects to. */
export async function submitLinkPage(origin: string, cookies: CookieMap, link: string, action?: string): Promise<URL> {
  const { pathname, searchParams } = new URL(link);
  if (action !== undefined) searchParams.set("action", action);
  const response = await fetch(origin + pathname, {
    method: "POST",
    body: searchParams,
    redirect: "manual",
    headers: { origin: new URL(serverIssuer).origin },
  });
  keepCookies(cookies, response);
  return new URL(response.headers.get("location") ?? "");
}

/** Signs a user up with `/dbconnections/signup`. */
export async function sendSignUp(origin: string, email: string): Promise<JsonReply> {
  const connection = "Username-Password-Authentication";
  const response = await visit(`${origin}/dbconnections/signup`, new Map(), { client_id: "app", connection, email, password });
  return { status: response.status, body: (await response.json()) as JsonReply["body"] };
}

/** Authenticates at `/co/authenticate`. @returns the login ticket. Its cookie is added to `cookies`. */
export async function loginTicket(origin: string, cookies: CookieMap): Promise<string> {
  const response = await fetch(`${origin}/co/authenticate`, {
    method: "POST",
    headers: { origin: appOrigin, "content-type": "application/json" },
    body: JSON.stringify({
      client_id: "app",
      credential_type: "http://auth0.com/oauth/grant-type/password-realm",
      realm: "Username-Password-Authentication",
      username: user,
      password,
    }),
  });
  keepCookies(cookies, response);
  const { login_ticket: ticket } = (await response.json()) as JsonReply["body"];
  if (typeof ticket !== "string") throw new Error(`the response has no ticket: ${response.status}`);
  return ticket;
}

/** Returns whether the Management API shows the email address of an account as verified. */
export async function isVerified(origin: string, email: string): Promise<boolean> {
  const response = await fetch(`${origin}/api/v2/users-by-email?${new URLSearchParams({ email })}`, {
    headers: { authorization: `Bearer ${await managerToken(origin)}` },
  });
  const [user] = (await response.json()) as readonly { readonly email_verified?: boolean }[];
  return user?.email_verified === true;
}

/** Calls the Management API. @returns the status. */
export async function manage(origin: string, accessToken: string, method: string, path: string, sent?: object): Promise<number> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${accessToken}`, ...(sent && { "content-type": "application/json" }) },
    ...(sent && { body: JSON.stringify(sent) }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Requests an access token for the Management API. */
export async function managerToken(origin: string): Promise<string> {
  const { clientId, secret } = managerClient;
  const body = { grant_type: "client_credentials", client_id: clientId, client_secret: secret, audience: `${serverIssuer}api/v2/` };
  return tokenOf(await token(origin, body), "access_token");
}

/** Returns the status of `/userinfo` for an access token. */
export async function userinfoStatus(origin: string, accessToken: string): Promise<number> {
  const response = await fetch(`${origin}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Signs the browser out. @returns the URL of the redirect. */
export async function signOut(origin: string, cookies: CookieMap): Promise<string | null> {
  const response = await visit(`${origin}/v2/logout?${new URLSearchParams({ client_id: "app", returnTo: signedOut })}`, cookies);
  return response.headers.get("location");
}

/** Returns a token of a token response. @throws {Error} if the response has none. */
export function tokenOf({ status, body }: JsonReply, name: "access_token" | "refresh_token"): string {
  const value = body[name];
  if (status !== 200 || typeof value !== "string") throw new Error(`the response has no ${name}: ${status} ${JSON.stringify(body)}`);
  return value;
}

async function token(origin: string, parameters: { readonly [name: string]: string }): Promise<JsonReply> {
  return reply(await fetch(`${origin}/oauth/token`, { method: "POST", body: new URLSearchParams(parameters) }));
}

async function reply(response: Response): Promise<JsonReply> {
  return { status: response.status, body: (await response.json()) as JsonReply["body"] };
}

/** Sends a request with these cookies and stores the cookies of the response. Posts `sent` as JSON. */
export async function visit(url: string, cookies: CookieMap, sent?: object): Promise<Response> {
  const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
  const response = await fetch(url, {
    redirect: "manual",
    ...(sent === undefined
      ? { headers }
      : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(sent) }),
  });
  keepCookies(cookies, response);
  return response;
}

function keepCookies(cookies: CookieMap, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ""] = line.split(";", 1);
    const [name = "", value = ""] = pair.split("=", 2);
    if (value === "") cookies.delete(name);
    else cookies.set(name, value);
  }
}
