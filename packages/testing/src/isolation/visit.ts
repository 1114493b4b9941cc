import { listOf, objectOf, textOf, type Answer, type Json } from "./answer.ts";
import { newPerson, type Person } from "./people.ts";
import type { Party, Sent } from "./tenant-access.ts";

/** An application that people of a tenant sign in to. */
export interface App {
  readonly clientId: string;
  readonly secret: string;
}

export const callback = "https://app.example.test/callback";

const longGrantTypes = ["urn:ietf:params:oauth:grant-type:token-exchange", "http://auth0.com/oauth/grant-type/passwordless/otp"];

/** Registers an app. */
export async function newApp({ manage, newName }: Party, settings: object = {}): Promise<App> {
  const client = await manage.create("/api/v2/clients", {
    name: newName(),
    app_type: "regular_web",
    callbacks: [callback],
    allowed_logout_urls: ["https://app.example.test/bye"],
    grant_types: ["authorization_code", "refresh_token", "password", ...longGrantTypes],
    ...settings,
  });
  return { clientId: textOf(client, "client_id"), secret: textOf(client, "client_secret") };
}

/** Cookies of a browser, by name. */
export type Cookies = Map<string, string>;

/** Sends a request with the cookies of a browser, which keeps those of the answer. */
export async function browse(party: Party, cookies: Cookies, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  const headers = { origin: new URL(party.issuer).origin, ...(cookie !== "" && { cookie }), ...sent.headers };
  const answer = await party.call(method, path, { ...sent, headers });
  for (const each of answer.headers.getSetCookie()) {
    const [pair = ""] = each.split(";", 1);
    const [name = "", value = ""] = pair.split("=", 2);
    if (/;\s*max-age=0\b/i.test(each)) cookies.delete(name);
    else cookies.set(name, value);
  }
  return answer;
}

/** The query of an authorization request. */
export function authorization({ clientId }: App, more: { readonly [name: string]: string } = {}): string {
  const all = { client_id: clientId, redirect_uri: callback, response_type: "code", scope: "openid profile offline_access", state: "st" };
  return `?${new URLSearchParams({ ...all, ...more })}`;
}

/** Begins a login and gives its `state`. */
export async function beginLogin(
  party: Party,
  cookies: Cookies,
  app: App,
  more: { readonly [name: string]: string } = {},
): Promise<string> {
  const answer = await browse(party, cookies, "GET", "/authorize", { query: authorization(app, more) });
  const state = new URL(answer.headers.get("location") ?? "", party.issuer).searchParams.get("state");
  if (state === null) throw new Error(`/authorize: expected the login page, got ${answer.status} ${JSON.stringify(answer.body)}`);
  return state;
}

/** What somebody does on the screens that may come. */
const actions: { readonly [screen: string]: (person: Person) => object } = {
  identifier: ({ email }) => ({ action: "continue", identifier: email }),
  password: ({ password }) => ({ action: "sign-in", password }),
  consent: () => ({ action: "accept" }),
};

/** Signs somebody in where a login began, and gives the code that the app gets. */
export async function signIn(party: Party, cookies: Cookies, state: string, person: Person): Promise<string> {
  let reached = await flow(party, cookies, "GET", { query: `?${new URLSearchParams({ state })}` });
  for (let screens = 0; screens < 5; screens++) {
    const { csrf, screen, redirect_to: end } = reached;
    if (typeof end === "string") return new URL(end).searchParams.get("code") ?? "";
    const name = typeof screen === "object" && screen !== null && "name" in screen ? String(screen.name) : "";
    const act = actions[name];
    if (act === undefined) throw new Error(`the login of tenant '${party.id}' asks something that the suite cannot answer: '${name}'`);
    reached = await flow(party, cookies, "POST", { body: { state, csrf, ...act(person) } });
  }
  throw new Error("the login does not end");
}

async function flow(party: Party, cookies: Cookies, method: string, sent: Sent): Promise<Json> {
  return objectOf(await browse(party, cookies, method, "/u/flow", sent), 200, `${method} /u/flow`);
}

/** What an app exchanges a code for. */
export async function redeem({ call }: Party, { clientId, secret }: App, code: string): Promise<Json> {
  const body = { grant_type: "authorization_code", client_id: clientId, client_secret: secret, code, redirect_uri: callback };
  return objectOf(await call("POST", "/oauth/token", { body }), 200, "the exchange of a code");
}

/** Something that somebody agreed to: its id. */
export async function newConsent(party: Party): Promise<string> {
  const person = await newPerson(party);
  const app = await newApp(party, { is_first_party: false });
  const cookies: Cookies = new Map();
  await signIn(party, cookies, await beginLogin(party, cookies, app), person);
  const path = `/api/v2/grants?user_id=${encodeURIComponent(person.userId)}`;
  const [consent = {}] = listOf(await party.manage("GET", path), path);
  return textOf(consent, "id");
}

/** An access token of somebody who has just signed in. */
export async function newAccessToken(party: Party): Promise<string> {
  const [app, person, cookies] = [await newApp(party), await newPerson(party), new Map<string, string>()];
  const code = await signIn(party, cookies, await beginLogin(party, cookies, app), person);
  return textOf(await redeem(party, app, code), "access_token");
}
