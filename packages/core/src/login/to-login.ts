import { redirectResponse } from "../http/html.ts";
import type { AuthorizationRequest } from "../authorization/authorization-request.ts";
import { bindingCookies } from "./cookies.ts";
import { startLogin, stateOf, type LoginSession } from "./login-session.ts";
import type { LoginProgress } from "./progress.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/**
 * The start of a login: the current step, the user's progress before it, and the cookies that the browser received for
 * that progress.
 */
interface LoginStart {
  /** Default: the current step. */
  readonly step?: string;
  readonly progress?: LoginProgress;
  readonly cookies?: readonly string[];
}

/**
 * Stores a request, and redirects the browser to the login page, which may be a custom page of the host application.
 */
export async function toLogin(
  tenant: RequestTenant,
  httpRequest: Request,
  request: AuthorizationRequest,
  { step, progress, cookies = [] }: LoginStart = {},
): Promise<Response> {
  const login = await startLogin(tenant, request, progress);
  return redirectResponse(addressOf(tenant.loginPage, tenant, login, step), [...cookies, ...bindingCookies(tenant, httpRequest).cookies]);
}

/** Returns the URL of a step's hosted page; without `step`, the URL of the current step. */
export function stepUrl(tenant: RequestTenant, login: LoginSession, step?: string): string {
  return addressOf(tenant.urls.urlFor("/u/login"), tenant, login, step);
}

function addressOf(page: string, tenant: RequestTenant, login: LoginSession, step: string | undefined): string {
  const address = { state: stateOf(tenant, login), ...(step !== undefined && { step }) };
  return `${page}?${new URLSearchParams(address)}`;
}
