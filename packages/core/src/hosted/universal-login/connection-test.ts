import * as z from "zod";
import { equalInConstantTime } from "../../adapters/digest.ts";
import {
  openTest,
  sealResponse,
  type ConnectionTest,
  type ConnectionTestResponse,
} from "../../authorization/connection-tests/sealed-test.ts";
import { stateOfTest, testPath } from "../../authorization/connection-tests/state.ts";
import { connectionTestLifetime } from "../../authorization/connection-tests/sealed-test.ts";
import { PosternError } from "../../errors.ts";
import { readCookie, setCookie } from "../../http/cookies.ts";
import { redirectResponse } from "../../http/html.ts";
import { attemptOf } from "../../identity/providers/attempt.ts";
import { authorizationUrl } from "../../identity/providers/provider-requests.ts";
import { UpstreamError } from "../../identity/providers/upstream-error.ts";
import { connectionTestCookie } from "../../login/cookies.ts";
import { loginErrorPage } from "../../login/pages/error-page.ts";
import { callbackPath } from "../../login/upstream/redirect-to-provider.ts";
import { fixedParameters } from "../../login/upstream/upstream-parameters.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** Sends the browser to the identity provider of a test sign-in. A cookie binds the test to the browser. */
export const startConnectionTest = route({
  path: testPath,
  method: "GET",
  hasSideEffects: true,
  scopes: "public",
  errorFormat: "page",
  summary: "Start a test sign-in at an identity provider, with the URL that the Management API returned",
  tenantHints: ["test"],
  query: z.looseObject({ test: z.string().max(6000) }),
  responses: {
    303: { error: "redirects to the identity provider; if that fails, to the return URL of the test" },
    400: { error: "a page: the test has expired" },
  },
})(async ({ query }, { tenant }) => {
  const test = await openTest(tenant, query.test);
  const connection = test && (await tenant.connections.byId(test.connection_id));
  if (test === undefined || connection === undefined) return loginErrorPage(tenant, noTest());
  try {
    const attempt = await attemptOf(tenant.secrets.fingerprints, stateOfTest(tenant, test));
    const sent = { redirectUri: tenant.urls.urlFor(callbackPath), more: fixedParameters(connection) };
    const url = await authorizationUrl(await tenant.upstreamClient(connection), attempt, sent, tenant.host.wait);
    // A provider may post its response from its site, so the cookie keeps the default for `SameSite`.
    const cookie = setCookie(tenant.urls, connectionTestCookie(tenant), query.test, { maxAge: connectionTestLifetime / 1000 });
    return redirectResponse(url, [cookie]);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { message, details } = error;
    return returnToCaller(tenant, test, { message, ...(details && { details }) });
  }
});

/**
 * Handles the callback of a test sign-in: returns the browser to the caller of the Management API with the provider's
 * response, encrypted. The cookie proves that the test began in this browser.
 */
export async function returnFromConnectionTest(
  tenant: RequestTenant,
  request: Request,
  state: string,
  received: URLSearchParams,
): Promise<Response> {
  const cookie = readCookie(request, tenant.urls, connectionTestCookie(tenant));
  const test = cookie === undefined ? undefined : await openTest(tenant, cookie);
  if (test === undefined || !equalInConstantTime(stateOfTest(tenant, test), state)) return loginErrorPage(tenant, noTest());
  return returnToCaller(tenant, test, { redirect_uri: tenant.urls.urlFor(callbackPath), parameters: [...received] });
}

async function returnToCaller(tenant: RequestTenant, test: ConnectionTest, outcome: ConnectionTestResponse["outcome"]): Promise<Response> {
  const url = new URL(test.return_url);
  url.searchParams.set("response", await sealResponse(tenant, { test, outcome }));
  return redirectResponse(url.href, [setCookie(tenant.urls, connectionTestCookie(tenant), "", { maxAge: 0 })]);
}

function noTest(): PosternError {
  return new PosternError("login_expired", "This test sign-in has expired, or began in another browser. Start it again.");
}
