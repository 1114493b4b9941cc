import { SignJWT, type JWTPayload } from "jose";
import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import type { ApiResponse } from "../support/postern.ts";
import { managementAudience } from "../support/postern.ts";
import { upstreamIssuer } from "./federation.ts";
import { openScriptedProvider, type Claims, type ScriptedProvider } from "./scripted-provider.ts";

export const consoleOrigin = "https://console.example.test";
export const returnUrl = `${consoleOrigin}/result`;

/** A connection to a scripted provider, and an operator who tests it. */
export interface TestedConnection {
  readonly provider: ScriptedProvider;
  readonly connection: string;
  /** The operator's token for the Management API, with the scope `update:connections`. */
  readonly token: string;
  /** Returns another token of an operator, from a new session. */
  tokenOf(scopes: readonly string[], user?: "ada" | "bob"): Promise<string>;
  start(body?: object, token?: string): Promise<ApiResponse>;
  /** Opens the URL of a test in a browser. @returns the URL to which the browser is redirected. */
  leave(browser: Browser, url: string): Promise<URL>;
  /** Returns from the provider with these claims. @returns the response of the callback. */
  comeBack(browser: Browser, address: URL, claims?: Claims, callback?: { readonly [name: string]: string }): Promise<Response>;
  result(response: string, token?: string): Promise<ApiResponse>;
  /** Runs a whole test in a new browser. */
  run(claims?: Claims, callback?: { readonly [name: string]: string }): Promise<JsonBody>;
}

/** Opens a {@link TestedConnection}. @param options further options of the connection. */
export async function openTestedConnection(options: Claims = {}): Promise<TestedConnection> {
  const provider = await openScriptedProvider(options);
  const { service, keys, responses } = provider;
  const found = await service.manage("GET", "/api/v2/connections?name=fieldnotes");
  const [first] = Array.isArray(found.body) ? found.body : [];
  const connection = stringMember(first, "id");
  const { clientId } = await service.register({ grant_types: ["password"], callbacks: [`${consoleOrigin}/callback`] });
  await service.data.collections.clients.update({ tenant_id: "main", client_id: clientId }, { set: { may_administer: true } });

  let roles = 0;
  const tokenOf: TestedConnection["tokenOf"] = async (scopes, name = "ada") => {
    const user = service[name];
    const role = stringMember(await service.manage.create("/api/v2/roles", { name: `Operator ${(roles += 1)}` }), "id");
    const permissions = scopes.map((scope) => ({ resource_server_identifier: managementAudience, permission_name: scope }));
    await service.manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
    await service.manage("POST", `/api/v2/users/${encodeURIComponent(user.userId)}/roles`, { roles: [role] });
    const grant = { grant_type: "password", client_id: clientId, username: user.email, password: user.password };
    const scope = scopes.join(" ");
    return stringMember(jsonBody(await service.exchange({ ...grant, audience: managementAudience, scope })), "access_token");
  };
  const token = await tokenOf(["update:connections"]);
  const path = `/api/v2/connections/${connection}/test`;
  const start: TestedConnection["start"] = (body = { return_url: returnUrl }, by = token) =>
    service.call("POST", path, { token: by, body });
  const result: TestedConnection["result"] = (response, by = token) =>
    service.call("POST", `${path}/result`, { token: by, body: { response } });
  const leave: TestedConnection["leave"] = async (browser, url) => new URL(locationOf(await browser.get(url)));
  const comeBack: TestedConnection["comeBack"] = async (browser, address, claims = {}, callback = {}) => {
    const { state = "", nonce = "" } = Object.fromEntries(address.searchParams);
    const now = Math.floor(service.clock.now() / 1000);
    const all: JWTPayload = { iss: upstreamIssuer, aud: "we", iat: now, exp: now + 60, nonce, sub: "u1", ...claims };
    const { kid, alg, privateKey } = keys.current;
    const jwt = new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
    const idToken = await jwt.setProtectedHeader({ alg, kid }).sign(privateKey);
    if (!responses.has("/token"))
      responses.set("/token", () =>
        Response.json({ access_token: "the-access-token", token_type: "Bearer", expires_in: 60, id_token: idToken }),
      );
    return browser.get(`/login/callback?${new URLSearchParams({ code: "c", state, iss: upstreamIssuer, ...callback })}`);
  };
  const run: TestedConnection["run"] = async (claims, callback) => {
    const browser = service.browser();
    const address = await leave(browser, stringMember(jsonBody(await start()), "url"));
    const back = address.origin === consoleOrigin ? address.href : locationOf(await comeBack(browser, address, claims, callback));
    return jsonBody(await result(responseIn(back)));
  };
  return { provider, connection, token, tokenOf, start, leave, comeBack, result, run };
}

/** Returns the URL of a redirect. */
export function locationOf(response: Response): string {
  const location = response.headers.get("location");
  if (location === null) throw new Error(`the response must be a redirect: ${response.status}`);
  return location;
}

/** Returns the parameter `response` of a return URL. */
export function responseIn(url: string): string {
  return new URL(url).searchParams.get("response") ?? "";
}
