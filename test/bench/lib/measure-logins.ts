import type { Facts } from "../operation.ts";
import { app, challenge, verifier } from "../visits.ts";
import { visitor } from "../visitor.ts";
import type { Running } from "./process.ts";

/** What logins cost a server. */
export interface Logins {
  /** Microseconds of CPU for one login. */
  readonly cpu: number;
  /** Milliseconds that the event loop was held up, at the longest and in 99 of 100 turns. */
  readonly stall: { readonly longest: number; readonly p99: number };
}

const people = 32;
const password = "correct horse battery staple";
const identifier = (i: number): string => `somebody${i}@example.com`;

/**
 * People sign in with a password, eight at a time, without scripts: the request to `/authorize`, the page, who they are, the password, and the exchange
 * of the code for three tokens.
 */
export async function measureLogins(server: Running, facts: Facts, seconds: number): Promise<Logins> {
  const address = `http://127.0.0.1:${server.port}/`;
  const { host } = new URL(facts.issuer);
  const post = async (path: string, headers: { readonly [name: string]: string }, body: string): Promise<void> => {
    const response = await fetch(address + path, { method: "POST", headers: { host, ...headers }, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  };
  for (let i = 0; i < people; i++) {
    const user = { connection: "Username-Password-Authentication", email: identifier(i), password, email_verified: true };
    const headers = { "content-type": "application/json", authorization: `Bearer ${facts.token}` };
    await post("api/v2/users", headers, JSON.stringify(user));
  }

  const login = async (who: number): Promise<void> => {
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
    const form = await browser.identify(await browser.open(), identifier(who));
    const code = (await browser.signIn(form, identifier(who), password)) ?? "";
    const exchange = { grant_type: "authorization_code", client_id: app.clientId, client_secret: facts.secret, code };
    const body = new URLSearchParams({ ...exchange, code_verifier: verifier, redirect_uri: app.redirectUri }).toString();
    await post("oauth/token", { "content-type": "application/x-www-form-urlencoded" }, body);
  };
  const run = async (milliseconds: number): Promise<number> => {
    const end = performance.now() + milliseconds;
    let done = 0;
    const one = async (lane: number): Promise<void> => {
      for (let i = 0; performance.now() < end; i++, done++) await login(lane * 4 + (i % 4));
    };
    await Promise.all(Array.from({ length: 8 }, (_, lane) => one(lane)));
    return done;
  };
  await run(6000);
  await server.stalls();
  const before = server.cpu();
  const done = await run(seconds * 1000);
  return { cpu: (server.cpu() - before) / done, stall: await server.stalls() };
}
