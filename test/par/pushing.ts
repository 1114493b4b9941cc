import { jsonBody, stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  authorizeParameters,
  openService,
  readResult,
  type App,
  type AuthorizationParameters,
  type FlowResult,
  type LoginService,
} from "../support/flow.ts";
import type { ApiResponse, TestOptions } from "../support/postern.ts";

/** Opens a service whose tenant accepts pushed requests. */
export async function openPushingService(options: TestOptions = {}): Promise<LoginService> {
  const service = await openService(options);
  jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { pushed_authorization_requests_supported: true }));
  service.clock.advance("6s");
  return service;
}

/** Pushes an authorization request with the credentials of the client. */
export async function push(
  service: LoginService,
  app: App,
  parameters: AuthorizationParameters = {},
  headers: { readonly [name: string]: string } = {},
): Promise<ApiResponse> {
  const body = authorizeParameters(app, { client_secret: app.secret, ...parameters });
  return service.call("POST", "/oauth/par", {
    body: new URLSearchParams(body).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

/** Pushes a request. @returns its request URI. */
export async function pushedUri(service: LoginService, app: App, parameters: AuthorizationParameters = {}): Promise<string> {
  return stringMember(jsonBody(await push(service, app, parameters), 201), "request_uri");
}

/** Opens a pushed request in a browser. */
export async function openPushed(
  browser: Browser,
  app: Pick<App, "clientId">,
  request_uri: string,
  more: { readonly [name: string]: string } = {},
): Promise<FlowResult> {
  return readResult(await browser.get(`/authorize?${new URLSearchParams({ client_id: app.clientId, request_uri, ...more })}`));
}
