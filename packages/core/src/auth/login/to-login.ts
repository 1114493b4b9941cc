import { readCookie, setCookie } from "../../http/cookies.ts";
import { redirectResponse } from "../../http/html.ts";
import type { AuthorizationRequest } from "../../issuing/authorization-request.ts";
import { browserCookie } from "../../login/cookies.ts";
import { startLogin, stateOf, type LoginSession } from "../../login/login-session.ts";
import type { Tenant } from "../../tenancy/tenant.ts";

/** Keeps a request, and leads the browser to the page of a step; without one, of whatever is due. */
export async function toLogin(tenant: Tenant, httpRequest: Request, request: AuthorizationRequest, step?: string): Promise<Response> {
  const known = readCookie(httpRequest, tenant.urls, browserCookie(tenant));
  const login = await startLogin(tenant, request);
  const cookies = known === undefined ? [setCookie(tenant.urls, browserCookie(tenant), tenant.environment.ids.token(24))] : [];
  return redirectResponse(stepUrl(tenant, login, step), cookies);
}

/** The address of a step's page. Without a step: of whatever is due. */
export function stepUrl(tenant: Tenant, login: LoginSession, step?: string): string {
  const address = { state: stateOf(tenant, login), ...(step !== undefined && { step }) };
  return `${tenant.urls.urlFor("/u/login")}?${new URLSearchParams(address)}`;
}
