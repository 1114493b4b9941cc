import { jsonList, jsonObject, textMember, type HttpResponse, type JsonValue } from "./response.ts";
import { createTestUser, type IsolationUser } from "./users.ts";
import type { ConnectedTenant, RequestContent } from "./tenant-access.ts";

/** A client that users of a tenant sign in to. */
export interface TestClient {
  readonly clientId: string;
  readonly secret: string;
}

export const callback = "https://app.example.test/callback";

const longGrantTypes = ["urn:ietf:params:oauth:grant-type:token-exchange", "http://auth0.com/oauth/grant-type/passwordless/otp"];

/** Registers a confidential web client. */
export async function createClient({ manage, newName }: ConnectedTenant, settings: object = {}): Promise<TestClient> {
  const client = await manage.create("/api/v2/clients", {
    name: newName(),
    app_type: "regular_web",
    callbacks: [callback],
    allowed_logout_urls: ["https://app.example.test/bye"],
    grant_types: ["authorization_code", "refresh_token", "password", ...longGrantTypes],
    ...settings,
  });
  return { clientId: textMember(client, "client_id"), secret: textMember(client, "client_secret") };
}

/** Cookies of a browser, by name. */
export type VisitCookies = Map<string, string>;

/** Sends a request with the cookies of a browser, and stores the cookies of the response. */
export async function browse(
  tenant: ConnectedTenant,
  cookies: VisitCookies,
  method: string,
  path: string,
  sent: RequestContent = {},
): Promise<HttpResponse> {
  const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  const headers = { origin: new URL(tenant.issuer).origin, ...(cookie !== "" && { cookie }), ...sent.headers };
  const response = await tenant.call(method, path, { ...sent, headers });
  for (const each of response.headers.getSetCookie()) {
    const [pair = ""] = each.split(";", 1);
    const [name = "", value = ""] = pair.split("=", 2);
    if (/;\s*max-age=0\b/i.test(each)) cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}

/** Returns the query of an authorization request. */
export function authorizationQuery({ clientId }: TestClient, more: { readonly [name: string]: string } = {}): string {
  const all = { client_id: clientId, redirect_uri: callback, response_type: "code", scope: "openid profile offline_access", state: "st" };
  return `?${new URLSearchParams({ ...all, ...more })}`;
}

/** Starts a login. @returns its `state`. */
export async function startUserLogin(
  tenant: ConnectedTenant,
  cookies: VisitCookies,
  client: TestClient,
  more: { readonly [name: string]: string } = {},
): Promise<string> {
  const response = await browse(tenant, cookies, "GET", "/authorize", { query: authorizationQuery(client, more) });
  const state = new URL(response.headers.get("location") ?? "", tenant.issuer).searchParams.get("state");
  if (state === null) throw new Error(`/authorize: expected the login page, got ${response.status} ${JSON.stringify(response.body)}`);
  return state;
}

/** The form fields that the suite submits on each login screen. */
const formFields: { readonly [screen: string]: (user: IsolationUser) => object } = {
  identifier: ({ email }) => ({ action: "continue", identifier: email }),
  password: ({ password }) => ({ action: "sign-in", password }),
  consent: () => ({ action: "accept" }),
};

/** Completes a login. @returns the authorization code. */
export async function signInUser(tenant: ConnectedTenant, cookies: VisitCookies, state: string, user: IsolationUser): Promise<string> {
  let step = await flow(tenant, cookies, "GET", { query: `?${new URLSearchParams({ state })}` });
  for (let screens = 0; screens < 5; screens++) {
    const { csrf, screen, redirect_to: redirectTo } = step;
    if (typeof redirectTo === "string") return new URL(redirectTo).searchParams.get("code") ?? "";
    const name = typeof screen === "object" && screen !== null && "name" in screen ? String(screen.name) : "";
    const fieldsOf = formFields[name];
    if (fieldsOf === undefined) throw new Error(`the login of '${tenant.id}' has a screen that the suite cannot fill in: '${name}'`);
    step = await flow(tenant, cookies, "POST", { body: { state, csrf, ...fieldsOf(user) } });
  }
  throw new Error("the login does not redirect to the client");
}

async function flow(tenant: ConnectedTenant, cookies: VisitCookies, method: string, sent: RequestContent): Promise<JsonValue> {
  return jsonObject(await browse(tenant, cookies, method, "/u/flow", sent), 200, `${method} /u/flow`);
}

/** Exchanges an authorization code for tokens. */
export async function exchangeCode({ call }: ConnectedTenant, { clientId, secret }: TestClient, code: string): Promise<JsonValue> {
  const body = { grant_type: "authorization_code", client_id: clientId, client_secret: secret, code, redirect_uri: callback };
  return jsonObject(await call("POST", "/oauth/token", { body }), 200, "the exchange of a code");
}

/** Signs a new user in to a third-party client, which requires consent. @returns the id of the consent's grant. */
export async function createConsentGrant(tenant: ConnectedTenant): Promise<string> {
  const user = await createTestUser(tenant);
  const client = await createClient(tenant, { is_first_party: false });
  const cookies: VisitCookies = new Map();
  await signInUser(tenant, cookies, await startUserLogin(tenant, cookies, client), user);
  const path = `/api/v2/grants?user_id=${encodeURIComponent(user.userId)}`;
  const [consent = {}] = jsonList(await tenant.manage("GET", path), path);
  return textMember(consent, "id");
}

/** Signs a new user in. @param target the `audience` and `scope` of the token. @returns the access token. */
export async function createAccessToken(tenant: ConnectedTenant, target: { readonly [name: string]: string } = {}): Promise<string> {
  const [client, user, cookies] = [await createClient(tenant), await createTestUser(tenant), new Map<string, string>()];
  const code = await signInUser(tenant, cookies, await startUserLogin(tenant, cookies, client, target), user);
  return textMember(await exchangeCode(tenant, client, code), "access_token");
}
