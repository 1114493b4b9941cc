import { jsonBody, list, stringMember, type JsonBody } from "./api.ts";
import { login, openService, type App, type AuthorizationParameters, type LoginService, type TestAccount } from "./flow.ts";
import type { Browser } from "./browser.ts";
import type { ApiResponse, TestOptions } from "./postern.ts";

/** The API that clients which registered themselves may use, because of a grant to all of them. */
export const tools = "https://tools.example.test";

/** Creates a service with a connection and an API for clients that register themselves. Registration is off. */
export async function openServiceForStrangers(options: TestOptions = {}): Promise<LoginService> {
  const service = await openService(options);
  const { manage } = service;
  const scopes = [{ value: "read:tools", description: "Use your tools" }, { value: "write:tools" }];
  await manage.create("/api/v2/resource-servers", { name: "Tools", identifier: tools, scopes, allow_offline_access: true });
  await manage.create("/api/v2/client-grants", { default_for: "third_party_clients", audience: tools, scope: ["read:tools"] });
  const [connection] = list(await manage("GET", "/api/v2/connections?strategy=auth0"));
  jsonBody(await manage("PATCH", `/api/v2/connections/${stringMember(connection ?? {}, "id")}`, { is_domain_connection: true }));
  return service;
}

/** Sets whether anyone may register clients. */
export async function setOpenRegistration({ manage }: LoginService, isOpen: boolean): Promise<void> {
  jsonBody(await manage("PATCH", "/api/v2/tenants/settings", { flags: { enable_dynamic_client_registration: isOpen } }));
}

/** Creates an initial access token and returns it. */
export async function initialAccessToken({ manage }: LoginService, body: object = {}): Promise<string> {
  return stringMember(await manage.create("/api/v2/clients/initial-access-tokens", body), "token");
}

/** A minimal registration of a public client. */
export const publicClient = { redirect_uris: ["http://localhost:4711/callback"], token_endpoint_auth_method: "none" };

/** Sends a registration request. @param token an initial access token. */
export function register(service: Pick<LoginService, "call">, body: unknown = publicClient, token?: string): Promise<ApiResponse> {
  return service.call("POST", "/oidc/register", { body, ...(token !== undefined && { token }) });
}

/** A client that registered itself. */
export interface Stranger extends App {
  readonly registration: JsonBody;
  /** The path of its registration, with the query. */
  readonly path: string;
  /** The registration access token. */
  readonly token: string;
}

/** Registers a client, and returns it. */
export async function registered(service: Pick<LoginService, "call">, body: unknown = publicClient, token?: string): Promise<Stranger> {
  const registration = jsonBody(await register(service, body, token), 201);
  const { pathname, search } = new URL(stringMember(registration, "registration_client_uri"));
  const { redirect_uris: uris, client_secret: secret } = registration;
  return {
    registration,
    path: pathname + search,
    token: stringMember(registration, "registration_access_token"),
    clientId: stringMember(registration, "client_id"),
    redirectUri: Array.isArray(uris) ? String(uris[0]) : "",
    ...(typeof secret === "string" && { secret }),
  };
}

/** Signs a user in to a client with access to {@link tools}. @returns the code. */
export async function codeForTools(
  browser: Browser,
  client: App,
  account: TestAccount,
  parameters: AuthorizationParameters = {},
): Promise<string> {
  const { code = "" } = await login(browser, client, account, {
    scope: "openid offline_access read:tools",
    resource: tools,
    ...parameters,
  });
  return code;
}
