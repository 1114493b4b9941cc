import {
  authorizeParameters,
  codeGrant,
  loginState,
  openService,
  readResult,
  screenName,
  submitStep,
  redirectOf,
  successParameters,
  tokens,
} from "../support/flow.ts";
import type { AuthorizationParameters, FlowResult, LoginService } from "../support/flow.ts";
import { expect } from "vitest";
import type { Browser } from "../support/browser.ts";
import type { TestOptions } from "../support/postern.ts";

/** The URL of a client's metadata document, which is its client id. */
export const documentUrl = "https://agent.example.test/oauth/client.json";
/** The redirect URI in {@link documentUrl}. */
export const redirectUri = "https://agent.example.test/callback";
/** The API whose scopes every external client may request. */
export const audience = "https://mcp.example.test/mcp";

/** A server that publishes documents. A test can replace what it responds to a URL. */
export interface PublishedDocuments {
  /** Requests that were sent, by URL. */
  readonly requests: readonly string[];
  /** Sets the response to requests for a URL: a document, a whole response, or a function. */
  publish(url: string, response: object | Response | (() => Response | Promise<Response>)): void;
}

/** A service that accepts metadata documents, and an API that all external clients may use. */
export interface DocumentService extends LoginService, PublishedDocuments {}

/** The smallest document of a public client. */
export function documentOf(more: object = {}, url: string = documentUrl): object {
  return { client_id: url, client_name: "Agent", redirect_uris: [redirectUri], token_endpoint_auth_method: "none", ...more };
}

/** Creates a {@link DocumentService} whose tenant has the setting enabled. */
export async function openDocumentService(options: TestOptions = {}): Promise<DocumentService> {
  const published = new Map<string, () => Response | Promise<Response>>();
  const requests: string[] = [];
  const fetch = async ({ url }: Request): Promise<Response> => {
    requests.push(url);
    return (await published.get(url)?.()) ?? new Response("", { status: 404 });
  };
  const publish: PublishedDocuments["publish"] = (url, response) => {
    if (typeof response === "function") published.set(url, response as () => Response);
    else published.set(url, () => (response instanceof Response ? response.clone() : Response.json(response)));
  };
  const service = await openService({ network: { fetch }, ...options });
  const settings = { client_id_metadata_document_supported: true };
  expect((await service.manage("PATCH", "/api/v2/tenants/settings", settings)).status).toBe(200);
  await service.manage.create("/api/v2/resource-servers", {
    name: "Tools",
    identifier: audience,
    allow_offline_access: true,
    scopes: [{ value: "tools:read" }, { value: "tools:write" }],
  });
  await service.manage.create("/api/v2/client-grants", {
    default_for: "third_party_clients",
    audience,
    scope: ["tools:read", "tools:write"],
  });
  await offerAsDomainConnection(service);
  publish(documentUrl, documentOf());
  return { ...service, requests, publish };
}

/** Lets external clients sign users in with the tenant's password database. */
export async function offerAsDomainConnection({ manage }: LoginService): Promise<void> {
  const { body } = await manage("GET", "/api/v2/connections?strategy=auth0");
  const [connection] = body as readonly { readonly id: string }[];
  expect((await manage("PATCH", `/api/v2/connections/${connection?.id ?? ""}`, { is_domain_connection: true })).status).toBe(200);
}

/** Parameters with which the client of a document requests a code. */
export function documentRequest(parameters: AuthorizationParameters = {}): { readonly [parameter: string]: string } {
  const app = { clientId: documentUrl, redirectUri };
  return authorizeParameters(app, { scope: "openid offline_access tools:read", resource: audience, ...parameters });
}

/** Sends an authorization request of the client of a document. */
export async function authorizeDocument(browser: Browser, parameters: AuthorizationParameters = {}): Promise<FlowResult> {
  return readResult(await browser.get(`/authorize?${new URLSearchParams(documentRequest(parameters))}`));
}

/** Signs a user in up to the consent page. @returns the `state` of the login. */
export async function reachConsent(service: LoginService, browser: Browser, parameters: AuthorizationParameters = {}): Promise<string> {
  const state = loginState(await authorizeDocument(browser, parameters));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  const reached = await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
  expect(screenName(reached)).toBe("consent");
  return state;
}

/** Signs a user in and consents. @returns the tokens. */
export async function signInWithDocument(service: LoginService, browser: Browser, parameters: AuthorizationParameters = {}) {
  const state = await reachConsent(service, browser, parameters);
  const { code = "" } = successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
  const { client_id: clientId = "", redirect_uri: uri = "" } = documentRequest(parameters);
  return tokens(await service.exchange({ ...codeGrant({ clientId, redirectUri: uri }, code), resource: audience }));
}
