import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { addConnection } from "../support/client-connections.ts";
import {
  sendAuthorization,
  openService,
  readRedirect,
  signInAtLoginPage,
  submitStep,
  readResult,
  type TestAccount,
  type App,
  type AuthorizationParameters,
  type LoginService,
  type FlowResult,
} from "../support/flow.ts";
import { clientSecret, issuer, type TestOptions } from "../support/postern.ts";

/** The issuer of the identity provider in these tests: another Postern. */
export const upstreamIssuer = "https://upstream.example.test/";

/** The URL to which identity providers redirect users back. */
export const callbackUrl = `${issuer}login/callback`;

/** A service with a connection to an identity provider, and that provider. */
export interface Federation {
  readonly service: LoginService;
  readonly provider: LoginService;
  /** The service's client at the identity provider. */
  readonly client: App;
  /** The requests to the identity provider, the newest last. */
  readonly requests: Request[];
  /** Responds to the next requests in place of the identity provider. The provider responds if it returns undefined. */
  respond: ((request: Request) => Promise<Response | undefined>) | undefined;
  /** Enables the newest connection for a client of the service, in addition to the enabled ones. */
  enableFor(app: App): Promise<void>;
  /** Creates a connection to the identity provider, and enables it for the default clients of the service. */
  connect(body?: { readonly options?: object; readonly [field: string]: unknown }): Promise<JsonBody>;
}

/** Opens a {@link Federation}. Both services share a clock. */
export async function openFederation(options: TestOptions = {}): Promise<Federation> {
  const federation = { requests: [] as Request[], respond: undefined as Federation["respond"] };
  let provider: LoginService | undefined;
  const fetch = async (request: Request): Promise<Response> => {
    federation.requests.push(request.clone());
    const responded = await federation.respond?.(request.clone());
    if (responded !== undefined) return responded;
    if (provider === undefined || !request.url.startsWith(upstreamIssuer)) throw new TypeError("fetch failed");
    return provider.postern.fetch(request, { clientAddress: "192.0.2.99" });
  };
  const service = await openService({ network: { fetch }, ...options });
  provider = await openService({ issuer: upstreamIssuer, testing: { clock: service.clock } });
  const client = await provider.register({ secret: true, callbacks: [callbackUrl] });
  const connect = async (body: { readonly options?: object; readonly [field: string]: unknown } = {}): Promise<JsonBody> => {
    const { options: more, ...rest } = body;
    const connection = await service.manage.create("/api/v2/connections", {
      name: "fieldnotes",
      strategy: "oidc",
      display_name: "Fieldnotes",
      show_as_button: true,
      options: { issuer: upstreamIssuer, client_id: client.clientId, client_secret: clientSecret, ...more },
      ...rest,
    });
    newest = stringMember(connection, "id");
    await enableFor(service.web);
    await enableFor(service.spa);
    return connection;
  };
  let newest = "";
  const enableFor = ({ clientId }: App): Promise<void> => addConnection(service.manage, clientId, newest);
  return Object.assign(federation, { service, provider, client, connect, enableFor });
}

/** Starts a login at a client and follows the provider's button. @returns the URL at the identity provider. */
export async function goToProvider(
  { service }: Federation,
  browser: Browser,
  app: App,
  parameters: AuthorizationParameters = {},
  connection = "fieldnotes",
): Promise<string> {
  const result = await sendAuthorization(browser, app, parameters);
  if (result.kind !== "login") throw new Error(`the result must be a login page: ${JSON.stringify(result)}`);
  return continueToProvider(service, browser, result.state, connection);
}

/** Continues a login session at the identity provider. @returns the URL there. */
export async function continueToProvider(_: LoginService, browser: Browser, state: string, connection = "fieldnotes"): Promise<string> {
  return stringMember(await submitStep(browser, state, { action: "continue-with", connection }), "redirect_to");
}

/** Signs in at the identity provider. @returns the URL that the browser is redirected back to. */
export async function submitProviderSignIn(
  { provider }: Federation,
  address: string,
  account: TestAccount,
  providerBrowser = provider.browser(),
): Promise<string> {
  const result = await readResult(await providerBrowser.get(address));
  return responseUrl(result.kind === "login" ? await signInAtLoginPage(providerBrowser, result, account) : result);
}

/** The URL of an authorization response. */
function responseUrl(result: FlowResult): string {
  if (result.kind !== "response") throw new Error(`not an authorization response: ${JSON.stringify(result)}`);
  return `${result.to}?${new URLSearchParams(result.parameters)}`;
}

/** Opens the callback URL of the identity provider. @returns the result for the browser. */
export async function returnFromProvider(browser: Browser, address: string): Promise<FlowResult> {
  return readResult(await browser.get(address));
}

/** Signs a user in through the identity provider, from the client and back. */
export async function signInWithProvider(
  federation: Federation,
  account: TestAccount,
  { browser = federation.service.browser(), app = federation.service.web, parameters = {} as AuthorizationParameters } = {},
): Promise<FlowResult> {
  return returnFromProvider(
    browser,
    await submitProviderSignIn(federation, await goToProvider(federation, browser, app, parameters), account),
  );
}

/** The users of the service that match a search. */
export async function searchUsers({ service }: Federation, q: string): Promise<readonly JsonBody[]> {
  const { body } = await service.manage("GET", `/api/v2/users?${new URLSearchParams({ q })}`);
  return Array.isArray(body) ? body.map((user) => jsonBody({ body: user, status: 200, headers: new Headers() })) : [];
}

export { readRedirect };
