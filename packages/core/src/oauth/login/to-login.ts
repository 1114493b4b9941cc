import { redirectResponse } from "../../http/html.ts";
import type { AuthorizationRequest } from "../../authorization/authorization-request.ts";
import { bindingCookies } from "../../login/cookies.ts";
import { startLogin, stateOf, type LoginSession } from "../../login/login-session.ts";
import type { Progress } from "../../login/progress.ts";
import type { Tenant } from "../../tenants/tenant.ts";

/** Where a login begins: the step that is due, and what the browser proved on its way here, with the cookies that it got for that. */
export interface LoginStart {
  /** Left out: whatever is due. */
  readonly step?: string;
  readonly progress?: Progress;
  readonly cookies?: readonly string[];
}

/** Keeps a request, and leads the browser to the login page, the host's own where it has one. */
export async function toLogin(
  tenant: Tenant,
  httpRequest: Request,
  request: AuthorizationRequest,
  { step, progress, cookies = [] }: LoginStart = {},
): Promise<Response> {
  const login = await startLogin(tenant, request, progress);
  return redirectResponse(addressOf(tenant.loginPage, tenant, login, step), [...cookies, ...bindingCookies(tenant, httpRequest).cookies]);
}

/** The address of a step's hosted page. Without a step: of whatever is due. */
export function stepUrl(tenant: Tenant, login: LoginSession, step?: string): string {
  return addressOf(tenant.urls.urlFor("/u/login"), tenant, login, step);
}

function addressOf(page: string, tenant: Tenant, login: LoginSession, step: string | undefined): string {
  const address = { state: stateOf(tenant, login), ...(step !== undefined && { step }) };
  return `${page}?${new URLSearchParams(address)}`;
}
