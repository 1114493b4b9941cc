import type { Facts } from "../operation.ts";
import { app, challenge, verifier } from "../visits.ts";
import { visitor } from "../visitor.ts";
import type { Running } from "./process.ts";

/** The cost of logins. */
export interface Logins {
  /** CPU time of one login, in microseconds. */
  readonly cpu: number;
  /** Delays of the event loop in milliseconds: the longest one and the 99th percentile. */
  readonly stall: { readonly longest: number; readonly p99: number };
}

const userCount = 32;
const password = "correct horse battery staple";
const identifier = (i: number): string => `user${i}@example.com`;

/**
 * Signs users in with a password, eight in parallel, without JavaScript. A login has five requests: `/authorize`, the
 * page, the identifier, the password, and the exchange of the code for three tokens.
 */
export async function measureLogins(server: Running, facts: Facts, seconds: number): Promise<Logins> {
  const address = `http://127.0.0.1:${server.port}/`;
  const { host } = new URL(facts.issuer);
  const post = async (path: string, headers: { readonly [name: string]: string }, body: string): Promise<void> => {
    const response = await fetch(address + path, { method: "POST", headers: { host, ...headers }, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  };
  for (let i = 0; i < userCount; i++) {
    const user = { connection: "Username-Password-Authentication", email: identifier(i), password, email_verified: true };
    const headers = { "content-type": "application/json", authorization: `Bearer ${facts.token}` };
    await post("api/v2/users", headers, JSON.stringify(user));
  }

  const login = async (number: number): Promise<void> => {
    const browser = visitor(address, facts.issuer, {
      client_id: app.clientId,
      redirect_uri: app.redirectUri,
      response_type: "code",
      scope: app.scope,
      state: "a-state",
      nonce: "a-nonce",
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    const form = await browser.identify(await browser.open(), identifier(number));
    const code = (await browser.signIn(form, identifier(number), password)) ?? "";
    const exchange = { grant_type: "authorization_code", client_id: app.clientId, client_secret: facts.secret, code };
    const body = new URLSearchParams({ ...exchange, code_verifier: verifier, redirect_uri: app.redirectUri }).toString();
    await post("oauth/token", { "content-type": "application/x-www-form-urlencoded" }, body);
  };
  const run = async (milliseconds: number): Promise<number> => {
    const end = performance.now() + milliseconds;
    let done = 0;
    const runLane = async (lane: number): Promise<void> => {
      for (let i = 0; performance.now() < end; i++, done++) await login(lane * 4 + (i % 4));
    };
    await Promise.all(Array.from({ length: 8 }, (_, lane) => runLane(lane)));
    return done;
  };
  await run(6000);
  await server.stalls();
  const before = server.cpu();
  const done = await run(seconds * 1000);
  return { cpu: (server.cpu() - before) / done, stall: await server.stalls() };
}
