import { readCookie, setCookie } from "../http/cookies.ts";
import type { Tenant } from "../tenancy/tenant.ts";

/** Two small cookies a tenant, named for it: tenants that share a host never see each other's. */

/** Holds the secret of the browser's session. */
export function sessionCookie({ id }: Tenant): string {
  return `postern_session_${id}`;
}

/** Binds login sessions to the browser: one for any number of tabs. */
export function browserCookie({ id }: Tenant): string {
  return `postern_browser_${id}`;
}

/** The cookie that binds to this browser: the one that it has, or a new one, which `cookies` sets. */
export function bindingCookies(tenant: Tenant, request: Request): { readonly browser: string; readonly cookies: readonly string[] } {
  const name = browserCookie(tenant);
  const known = readCookie(request, tenant.urls, name);
  if (known !== undefined) return { browser: known, cookies: [] };
  const browser = tenant.environment.ids.token(24);
  return { browser, cookies: [setCookie(tenant.urls, name, browser)] };
}
