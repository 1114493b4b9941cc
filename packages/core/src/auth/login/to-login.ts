import { readCookie, setCookie } from "../../http/cookies.ts";
import { redirectResponse } from "../../http/html.ts";
import type { AuthorizationRequest } from "../../issuing/authorization-request.ts";
import { browserCookie } from "../../login/cookies.ts";
import { startLogin, stateOf, type LoginSession } from "../../login/login-session.ts";
import type { Tenant } from "../../tenancy/tenant.ts";

/** Keeps a request, and leads the browser to the login page, the host's own where it has one, for a step; without one, for whatever is due. */
export async function toLogin(tenant: Tenant, httpRequest: Request, request: AuthorizationRequest, step?: string): Promise<Response> {
  const known = readCookie(httpRequest, tenant.urls, browserCookie(tenant));
  const login = await startLogin(tenant, request);
  const cookies = known === undefined ? [setCookie(tenant.urls, browserCookie(tenant), tenant.environment.ids.token(24))] : [];
  return redirectResponse(addressOf(tenant.loginPage, tenant, login, step), cookies);
}

/** The address of a step's hosted page. Without a step: of whatever is due. */
export function stepUrl(tenant: Tenant, login: LoginSession, step?: string): string {
  return addressOf(tenant.urls.urlFor("/u/login"), tenant, login, step);
}

function addressOf(page: string, tenant: Tenant, login: LoginSession, step: string | undefined): string {
  const address = { state: stateOf(tenant, login), ...(step !== undefined && { step }) };
  return `${page}?${new URLSearchParams(address)}`;
}
