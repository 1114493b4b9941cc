import { createHash, randomBytes } from "node:crypto";
import type { Postern } from "@postern/core";
import { CookieJar } from "./cookie-jar.ts";
import { signInThere, type ProviderPerson } from "./test-provider.ts";

/** What a sign-in asks for. */
export interface SignInOptions {
  /** The client that is signed in to. Default: the tenant's own, `clientId`. */
  readonly clientId?: string;
  /** Of a confidential client. */
  readonly clientSecret?: string;
  /** One of the client's callbacks. Default: the first that the client has. */
  readonly redirectUri?: string;
  /** Default: `openid profile email offline_access`. */
  readonly scope?: string;
  readonly audience?: string;
  /** By id or name. */
  readonly organization?: string;
}

/** What a sign-in brings. */
export interface SignedIn {
  readonly accessToken: string;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** Seconds. */
  readonly expiresIn: number;
  readonly scope: string;
}

/** Cookies as Playwright's `storageState` takes them: `browser.newContext({ storageState })`. */
export interface StorageState {
  cookies: {
    name: string;
    value: string;
    domain: string;
    path: string;
    /** Seconds since 1970; -1 for a cookie that ends with the browser. */
    expires: number;
    httpOnly: boolean;
    secure: boolean;
    sameSite: "Strict" | "Lax" | "None";
  }[];
  origins: { origin: string; localStorage: { name: string; value: string }[] }[];
}

/** Somebody's name and password. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Somebody who signs in at a test provider. */
export interface AtProvider {
  /** The name of the provider's connection. */
  readonly connection: string;
  readonly person: ProviderPerson;
}

/** Steps of a login that are no question of who somebody is, and what is answered to them. */
const agreements: { readonly [screen: string]: string } = { invitation: "accept-invitation", consent: "accept" };

/**
 * Signs somebody in as a browser does: the authorization request, the login pages' JSON API, the code.
 * @throws {Error} that says what the service answered, or which screen it stopped at.
 */
export async function signIn(
  postern: Postern,
  jar: CookieJar,
  who: Credentials | AtProvider,
  options: SignInOptions & { readonly clientId: string; readonly redirectUri: string },
): Promise<SignedIn> {
  const { clientId, clientSecret, redirectUri, scope = "openid profile email offline_access", audience, organization } = options;
  const verifier = randomBytes(32).toString("base64url");
  const asked = {
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
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) url.searchParams.set(name, value);
  let reached = await jar.send(new Request(url));
  const state = new URL(reached.headers.get("location") ?? url, url).searchParams.get("state");
  let to = reached.headers.get("location");
  if (to !== null && isLogin(new URL(to, url)) && state !== null) to = await takeSteps(postern, jar, state, who);
  if (to === null) throw new Error(`the authorization request was answered ${reached.status}: ${await reached.text()}`);
  const answer = new URL(to).searchParams;
  const code = answer.get("code");
  if (code === null) throw new Error(`the sign-in ended with ${answer.get("error") ?? to}: ${answer.get("error_description") ?? ""}`);

  const form = { grant_type: "authorization_code", client_id: clientId, code, redirect_uri: redirectUri, code_verifier: verifier };
  const body = new URLSearchParams({ ...form, ...(clientSecret !== undefined && { client_secret: clientSecret }) });
  reached = await postern.fetch(new Request(new URL("oauth/token", postern.issuer), { method: "POST", body }));
  const tokens = (await reached.json()) as { readonly [name: string]: unknown };
  if (!reached.ok) throw new Error(`the code was refused: ${String(tokens["error"])}: ${String(tokens["error_description"])}`);
  const text = (name: string): string | undefined => (typeof tokens[name] === "string" ? tokens[name] : undefined);
  return {
    accessToken: text("access_token") ?? "",
    idToken: text("id_token"),
    refreshToken: text("refresh_token"),
    expiresIn: Number(tokens["expires_in"]),
    scope: text("scope") ?? scope,
  };
}

/** @returns where the login leads. */
async function takeSteps(postern: Postern, jar: CookieJar, state: string, who: Credentials | AtProvider): Promise<string> {
  const flow = new URL("u/flow", postern.issuer);
  const look = async () => read(await jar.send(new Request(`${flow.href}?${new URLSearchParams({ state })}`)));
  for (let steps = 0; steps < 8; steps++) {
    const { screen, csrf, redirect_to: done } = await look();
    if (typeof done === "string") return done;
    const name = typeof screen === "object" && screen !== null && "name" in screen ? String(screen.name) : "";
    const taken = stepOf(name, who);
    if (taken === undefined) throw new Error(`the sign-in stopped at the screen '${name}', which a test has to answer by itself`);
    const body = JSON.stringify({ state, csrf, ...taken });
    const headers = { "content-type": "application/json", origin: new URL(postern.issuer).origin };
    const next = await read(await jar.send(new Request(flow, { method: "POST", headers, body })));
    const to = next["redirect_to"];
    if (typeof to === "string" && taken.action !== "continue-with") return to;
    if (typeof to === "string" && "person" in who) {
      const back = await jar.send(new Request(await signInThere(to, who.person)));
      const onward = back.headers.get("location");
      if (onward === null) throw new Error(`the way back from '${who.connection}' was answered ${back.status}: ${await back.text()}`);
      if (!isLogin(new URL(onward, postern.issuer))) return onward;
      continue;
    }
    const problem = JSON.stringify(next["screen"]).includes('"problem"') ? JSON.stringify(next["screen"]) : undefined;
    const somebody = "person" in who ? (who.person.email ?? who.person.sub ?? "somebody") : who.email;
    if (problem !== undefined) throw new Error(`the sign-in of '${somebody}' was refused: ${problem}`);
  }
  throw new Error("the sign-in does not end");
}

/** What is answered to a screen; undefined where a test has to say. */
function stepOf(screen: string, who: Credentials | AtProvider): { readonly action: string; readonly [field: string]: string } | undefined {
  if ("person" in who && screen === "identifier") return { action: "continue-with", connection: who.connection };
  if ("email" in who && screen === "identifier") return { action: "continue", identifier: who.email };
  if ("email" in who && screen === "password") return { action: "sign-in", password: who.password };
  const action = agreements[screen];
  return action === undefined ? undefined : { action };
}

const isLogin = (url: URL): boolean => url.pathname.endsWith("/u/login");

async function read(response: Response): Promise<{ readonly [name: string]: unknown }> {
  const text = await response.text();
  if (!response.ok) throw new Error(`the login was answered ${response.status}: ${text}`);
  return JSON.parse(text) as { readonly [name: string]: unknown };
}
