import { createHash, randomBytes } from "node:crypto";
import type { Postern } from "@postern/core";
import { CookieJar } from "./cookie-jar.ts";
import { submitProviderLogin, type ProviderUser } from "./test-provider.ts";

/** Options of a sign-in. */
export interface SignInOptions {
  /** The client to sign in to. Default: the test tenant's `clientId`. */
  readonly clientId?: string;
  /** Required for a confidential client. */
  readonly clientSecret?: string;
  /** One of the client's callbacks. Default: the first one. */
  readonly redirectUri?: string;
  /** Default: `openid profile email offline_access`. */
  readonly scope?: string;
  readonly audience?: string;
  /** An organization's id or name. */
  readonly organization?: string;
}

/** The tokens of a sign-in. */
export interface SignedIn {
  readonly accessToken: string;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** Seconds. */
  readonly expiresIn: number;
  readonly scope: string;
}

/** Cookies in the format of Playwright's `storageState`: `browser.newContext({ storageState })`. */
export interface StorageState {
  cookies: {
    name: string;
    value: string;
    domain: string;
    path: string;
    /** Seconds since 1970. -1 for a session cookie. */
    expires: number;
    httpOnly: boolean;
    secure: boolean;
    sameSite: "Strict" | "Lax" | "None";
  }[];
  origins: { origin: string; localStorage: { name: string; value: string }[] }[];
}

/** The email address and password of a user. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A sign-in at a test provider. */
export interface ProviderSignIn {
  /** The name of the provider's connection. */
  readonly connection: string;
  readonly providerUser: ProviderUser;
}

/** The action that accepts each screen on which the user only has to agree. */
const agreements: { readonly [screen: string]: string } = { invitation: "accept-invitation", consent: "accept" };

/**
 * Signs a user in as a browser would: sends the authorization request, submits the login steps and exchanges the code.
 * @throws {Error} with the response of the service, or with the name of the screen at which the sign-in stopped.
 */
export async function signIn(
  postern: Postern,
  jar: CookieJar,
  user: Credentials | ProviderSignIn,
  options: SignInOptions & { readonly clientId: string; readonly redirectUri: string },
): Promise<SignedIn> {
  const { clientId, clientSecret, redirectUri, scope = "openid profile email offline_access", audience, organization } = options;
  const verifier = randomBytes(32).toString("base64url");
  const request = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    audience,
    organization,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  const url = new URL("authorize", postern.issuer);
  for (const [name, value] of Object.entries(request)) if (value !== undefined) url.searchParams.set(name, value);
  let response = await jar.send(new Request(url));
  const state = new URL(response.headers.get("location") ?? url, url).searchParams.get("state");
  let to = response.headers.get("location");
  if (to !== null && isLogin(new URL(to, url)) && state !== null) to = await completeLogin(postern, jar, state, user);
  if (to === null) throw new Error(`the authorization request failed with ${response.status}: ${await response.text()}`);
  const result = new URL(to).searchParams;
  const code = result.get("code");
  if (code === null) throw new Error(`the sign-in ended with ${result.get("error") ?? to}: ${result.get("error_description") ?? ""}`);

  const form = { grant_type: "authorization_code", client_id: clientId, code, redirect_uri: redirectUri, code_verifier: verifier };
  const body = new URLSearchParams({ ...form, ...(clientSecret !== undefined && { client_secret: clientSecret }) });
  response = await postern.fetch(new Request(new URL("oauth/token", postern.issuer), { method: "POST", body }));
  const tokens = (await response.json()) as { readonly [name: string]: unknown };
  if (!response.ok) throw new Error(`the code was rejected: ${String(tokens["error"])}: ${String(tokens["error_description"])}`);
  const text = (name: string): string | undefined => (typeof tokens[name] === "string" ? tokens[name] : undefined);
  return {
    accessToken: text("access_token") ?? "",
    idToken: text("id_token"),
    refreshToken: text("refresh_token"),
    expiresIn: Number(tokens["expires_in"]),
    scope: text("scope") ?? scope,
  };
}

/** Submits the steps of a login. @returns the URL that the login redirects to. */
async function completeLogin(postern: Postern, jar: CookieJar, state: string, user: Credentials | ProviderSignIn): Promise<string> {
  const flow = new URL("u/flow", postern.issuer);
  const readStep = async () => read(await jar.send(new Request(`${flow.href}?${new URLSearchParams({ state })}`)));
  for (let steps = 0; steps < 8; steps++) {
    const { screen, csrf, redirect_to: redirectTo } = await readStep();
    if (typeof redirectTo === "string") return redirectTo;
    const name = typeof screen === "object" && screen !== null && "name" in screen ? String(screen.name) : "";
    const submission = submissionFor(name, user);
    if (submission === undefined) throw new Error(`the sign-in stopped at the screen '${name}', which the test must submit itself`);
    const body = JSON.stringify({ state, csrf, ...submission });
    const headers = { "content-type": "application/json", origin: new URL(postern.issuer).origin };
    const next = await read(await jar.send(new Request(flow, { method: "POST", headers, body })));
    const to = next["redirect_to"];
    if (typeof to === "string" && submission.action !== "continue-with") return to;
    if (typeof to === "string" && "providerUser" in user) {
      const response = await jar.send(new Request(await submitProviderLogin(to, user.providerUser)));
      const location = response.headers.get("location");
      if (location === null)
        throw new Error(`the callback of '${user.connection}' failed with ${response.status}: ${await response.text()}`);
      if (!isLogin(new URL(location, postern.issuer))) return location;
      continue;
    }
    const rejection = JSON.stringify(next["screen"]).includes('"problem"') ? JSON.stringify(next["screen"]) : undefined;
    const userName = "providerUser" in user ? (user.providerUser.email ?? user.providerUser.sub ?? "unknown") : user.email;
    if (rejection !== undefined) throw new Error(`the sign-in of '${userName}' was rejected: ${rejection}`);
  }
  throw new Error("the sign-in did not end after the expected number of steps");
}

/** Returns the action and fields for a screen. `undefined` if the test must submit the screen itself. */
function submissionFor(
  screen: string,
  user: Credentials | ProviderSignIn,
): { readonly action: string; readonly [field: string]: string } | undefined {
  if ("providerUser" in user && screen === "identifier") return { action: "continue-with", connection: user.connection };
  if ("email" in user && screen === "identifier") return { action: "continue", identifier: user.email };
  if ("email" in user && screen === "password") return { action: "sign-in", password: user.password };
  const action = agreements[screen];
  return action === undefined ? undefined : { action };
}

const isLogin = (url: URL): boolean => url.pathname.endsWith("/u/login");

async function read(response: Response): Promise<{ readonly [name: string]: unknown }> {
  const text = await response.text();
  if (!response.ok) throw new Error(`the login failed with ${response.status}: ${text}`);
  return JSON.parse(text) as { readonly [name: string]: unknown };
}
