import type { Facts } from "../operation.ts";
import { benchApp, benchAuthorization, benchVerifier } from "../visits.ts";
import { createBrowser, visitor } from "../visitor.ts";
import type { Running } from "./process.ts";

/** The cost of logins. */
export interface LoginCost {
  /** CPU time of one login, in microseconds. */
  readonly cpu: number;
  /** Delays of the event loop in milliseconds: the longest one and the 99th percentile. */
  readonly stall: { readonly longest: number; readonly p99: number };
}

/** The number of users that can sign in. */
export const loginUsers = 32;
const password = "correct horse battery staple";
const identifier = (i: number): string => `user${i}@example.com`;

/** Signs the `i`th user in. */
export type Login = (i: number) => Promise<void>;

type Post = (path: string, headers: { readonly [name: string]: string }, body: string) => Promise<void>;

const postTo =
  (address: string, { issuer }: Facts): Post =>
  async (path, headers, body) => {
    const response = await fetch(address + path, { method: "POST", headers: { host: new URL(issuer).host, ...headers }, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  };

/** Exchanges a code for three tokens. */
async function exchange(post: Post, path: string, { app, secret }: Facts, code: string | null | undefined): Promise<void> {
  const client = { client_id: app.clientId, client_secret: secret };
  const parameters = {
    grant_type: "authorization_code",
    ...client,
    code: code ?? "",
    code_verifier: benchVerifier,
    redirect_uri: benchApp.redirectUri,
  };
  await post(path, { "content-type": "application/x-www-form-urlencoded" }, new URLSearchParams(parameters).toString());
}

/**
 * Creates the users, and returns a function that signs one of them in with a password, without JavaScript. A login has
 * five requests: `/authorize`, the page, the identifier, the password, and the exchange of the code for three tokens.
 */
export async function prepareLogins(server: Running, facts: Facts): Promise<Login> {
  const address = `http://127.0.0.1:${server.port}/`;
  const post = postTo(address, facts);
  for (let i = 0; i < loginUsers; i++) {
    const user = { connection: "Username-Password-Authentication", email: identifier(i), password, email_verified: true };
    const headers = { "content-type": "application/json", authorization: `Bearer ${facts.token}` };
    await post("api/v2/users", headers, JSON.stringify(user));
  }
  return async (i) => {
    const browser = visitor(address, facts.issuer, benchAuthorization);
    const form = await browser.identify(await browser.open(), identifier(i));
    const code = await browser.signIn(form, identifier(i), password);
    if (code === undefined) throw new Error("the login continues after the password");
    await exchange(post, "oauth/token", facts, code);
  };
}

/**
 * The same at the peer oidc-provider, whose users exist, and which asks for the identifier and the password on one page.
 * Three redirects, the page, the password and the exchange are six requests.
 */
export function prepareOidcProviderLogins(server: Running, facts: Facts): Login {
  const address = `http://127.0.0.1:${server.port}/`;
  const post = postTo(address, facts);
  return async (i) => {
    const { send, follow } = createBrowser(address, facts.issuer);
    const begun = await send(`/auth?${new URLSearchParams({ ...benchAuthorization, prompt: "login consent" })}`);
    const page = new URL(begun.headers.get("location") ?? "", facts.issuer).pathname;
    await (await follow(begun)).arrayBuffer();
    const finished = await follow(await send(page, { email: `person${i}@example.com`, password }));
    await finished.arrayBuffer();
    const location = new URL(finished.headers.get("location") ?? "", facts.issuer);
    await exchange(post, "token", facts, location.searchParams.get("code"));
  };
}

/**
 * The same at the peer Better Auth, whose page is the host's: `/authorize`, the password, which responds with the URL of
 * the app, and the exchange are three requests.
 */
export function prepareBetterAuthLogins(server: Running, facts: Facts): Login {
  const address = `http://127.0.0.1:${server.port}/`;
  const post = postTo(address, facts);
  const { appId: clientId = "", appSecret: clientSecret = "" } = server.peer;
  return async (i) => {
    const { send, sendJson } = createBrowser(address, facts.issuer);
    const begun = await send(`/api/auth/oauth2/authorize?${new URLSearchParams({ ...benchAuthorization, client_id: clientId })}`);
    const query = new URL(await redirectIn(begun), facts.issuer).search.slice(1);
    const finished = await sendJson("/api/auth/sign-in/email", { email: identifier(i), password, oauth_query: query });
    const code = new URL(await redirectIn(finished)).searchParams.get("code");
    await exchange(post, "api/auth/oauth2/token", { ...facts, app: { ...facts.app, clientId }, secret: clientSecret }, code);
  };
}

/** Better Auth redirects a script by its JSON, not by a status. */
async function redirectIn(response: Response): Promise<string> {
  const { url } = (await response.json()) as { readonly url: string };
  return url;
}

/** Measures logins, eight in parallel. */
export async function measureLogins(server: Running, facts: Facts, seconds: number): Promise<LoginCost> {
  const login = await prepareLogins(server, facts);
  const run = (milliseconds: number): Promise<number> => repeatInLanes(8, milliseconds, (lane, i) => login(lane * 4 + (i % 4)));
  await run(6000);
  await server.stalls();
  const before = server.cpu();
  const done = await run(seconds * 1000);
  return { cpu: (server.cpu() - before) / done, stall: await server.stalls() };
}

/** Calls `task` again and again in each lane, until the time has passed. @returns the number of calls. */
export async function repeatInLanes(
  lanes: number,
  milliseconds: number,
  task: (lane: number, i: number) => Promise<void>,
): Promise<number> {
  const end = performance.now() + milliseconds;
  let done = 0;
  const runLane = async (lane: number): Promise<void> => {
    for (let i = 0; performance.now() < end; i++, done++) await task(lane, i);
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
  return done;
}
