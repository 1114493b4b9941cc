import { object, text, type Json } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  authorize,
  openService,
  readRedirect,
  signIn,
  step,
  readResult,
  type Account,
  type App,
  type AuthorizationParameters,
  type LoginService,
  type FlowResult,
} from "../support/flow.ts";
import { clientSecret, issuer, type TestOptions } from "../support/postern.ts";

/** The address of the provider of these tests: another Postern. */
export const upstreamIssuer = "https://upstream.example.test/";

/** Where providers send people back to. */
export const callbackUrl = `${issuer}login/callback`;

/** A service whose people sign in at a provider, and the provider. */
export interface Federation {
  readonly service: LoginService;
  readonly provider: LoginService;
  /** We as a client of the provider. */
  readonly client: App;
  /** What the provider was asked, newest last. */
  readonly requests: Request[];
  /** Answers the provider's next requests in its place; undefined lets it answer. */
  respond: ((request: Request) => Promise<Response | undefined>) | undefined;
  /** Has an app of the service offer the newest connection besides those that it has. */
  enableFor(app: App): Promise<void>;
  /** Adds a connection to the provider, which the apps of the service offer besides their own. */
  connect(body?: { readonly options?: object; readonly [field: string]: unknown }): Promise<Json>;
}

/** Opens a {@link Federation}. Both share a clock. */
export async function openFederation(options: TestOptions = {}): Promise<Federation> {
  const federation = { requests: [] as Request[], respond: undefined as Federation["respond"] };
  let provider: LoginService | undefined;
  const fetch = async (request: Request): Promise<Response> => {
    federation.requests.push(request.clone());
    const answered = await federation.respond?.(request.clone());
    if (answered !== undefined) return answered;
    if (provider === undefined || !request.url.startsWith(upstreamIssuer)) throw new TypeError("fetch failed");
    return provider.postern.fetch(request, { clientAddress: "192.0.2.99" });
  };
  const service = await openService({ network: { fetch }, ...options });
  provider = await openService({ issuer: upstreamIssuer, testing: { clock: service.clock } });
  const client = await provider.register({ secret: true, callbacks: [callbackUrl] });
  const connect = async (body: { readonly options?: object; readonly [field: string]: unknown } = {}): Promise<Json> => {
    const { options: more, ...rest } = body;
    const connection = await service.manage.create("/api/v2/connections", {
      name: "fieldnotes",
      strategy: "oidc",
      display_name: "Fieldnotes",
      show_as_button: true,
      options: { issuer: upstreamIssuer, client_id: client.clientId, client_secret: clientSecret, ...more },
      ...rest,
    });
    newest = text(connection, "id");
    await enableFor(service.web);
    await enableFor(service.spa);
    return connection;
  };
  let newest = "";
  const enableFor = async ({ clientId }: App): Promise<void> => {
    const { status } = await service.manage("PATCH", `/api/v2/connections/${newest}/clients`, [{ client_id: clientId, status: true }]);
    if (status !== 204) throw new Error(`the connection was not switched on: ${status}`);
  };
  return Object.assign(federation, { service, provider, client, connect, enableFor });
}

/** Sends a browser from an app to the provider, by its button. @returns the address there. */
export async function goToProvider(
  { service }: Federation,
  browser: Browser,
  app: App,
  asked: AuthorizationParameters = {},
  connection = "fieldnotes",
): Promise<string> {
  const given = await authorize(browser, app, asked);
  if (given.kind !== "login") throw new Error(`no login page: ${JSON.stringify(given)}`);
  return continueToProvider(service, browser, given.state, connection);
}

/** Goes to the provider from a login that began. */
export async function continueToProvider(_: LoginService, browser: Browser, state: string, connection = "fieldnotes"): Promise<string> {
  return text(await step(browser, state, { action: "continue-with", connection }), "redirect_to");
}

/** Signs in at the provider, and tells the address that the browser is sent back to. */
export async function signInAtProvider(
  { provider }: Federation,
  address: string,
  account: Account,
  there = provider.browser(),
): Promise<string> {
  const given = await readResult(await there.get(address));
  return responseUrl(given.kind === "login" ? await signIn(there, given, account) : given);
}

/** An answer to a client as the address that it is sent to. */
export function responseUrl(given: FlowResult): string {
  if (given.kind !== "answer") throw new Error(`no answer: ${JSON.stringify(given)}`);
  return `${given.to}?${new URLSearchParams(given.parameters)}`;
}

/** Brings the answer of the provider back, and tells what comes of it. */
export async function returnFromProvider(browser: Browser, address: string): Promise<FlowResult> {
  return readResult(await browser.get(address));
}

/** The whole way of one person. */
export async function signInWithProvider(
  federation: Federation,
  account: Account,
  { browser = federation.service.browser(), app = federation.service.web, asked = {} as AuthorizationParameters } = {},
): Promise<FlowResult> {
  return returnFromProvider(browser, await signInAtProvider(federation, await goToProvider(federation, browser, app, asked), account));
}

/** The users of the service that a search finds. */
export async function findUsers({ service }: Federation, q: string): Promise<readonly Json[]> {
  const { body } = await service.manage("GET", `/api/v2/users?${new URLSearchParams({ q })}`);
  return Array.isArray(body) ? body.map((user) => object({ body: user, status: 200, headers: new Headers() })) : [];
}

export { readRedirect };
