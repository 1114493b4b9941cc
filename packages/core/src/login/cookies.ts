import { readCookie, setCookie } from "../http/cookies.ts";
import type { Tenant } from "../tenancy/tenant.ts";

/** Small cookies of a tenant, named for it: tenants that share a host never see each other's. */

/** Holds the secret of the browser's session. */
export function sessionCookie({ id }: Tenant): string {
  return `postern_session_${id}`;
}

/** Binds login sessions to the browser: one for any number of tabs. */
export function browserCookie({ id }: Tenant): string {
  return `postern_browser_${id}`;
}

/** Says at which identity provider somebody signed in here last, for the mark at its button. It decides nothing. */
export function lastConnectionCookie({ id }: Tenant): string {
  return `postern_last_${id}`;
}

/** Seconds that the browser remembers. */
const rememberedFor = 365 * 24 * 60 * 60;

/** Has the browser remember at which identity provider somebody signed in. */
export function rememberConnection(tenant: Tenant, connectionId: string): string {
  return setCookie(tenant.urls, lastConnectionCookie(tenant), connectionId, { maxAge: rememberedFor, sameSite: "Lax" });
}

/** Has the browser forget that. */
export function forgetConnection(tenant: Tenant): string {
  return setCookie(tenant.urls, lastConnectionCookie(tenant), "", { maxAge: 0, sameSite: "Lax" });
}

/** The cookie that binds to this browser: the one that it has, or a new one, which `cookies` sets. */
export function bindingCookies(tenant: Tenant, request: Request): { readonly browser: string; readonly cookies: readonly string[] } {
  const name = browserCookie(tenant);
  const known = readCookie(request, tenant.urls, name);
  if (known !== undefined) return { browser: known, cookies: [] };
  const browser = tenant.environment.ids.token(24);
  return { browser, cookies: [setCookie(tenant.urls, name, browser)] };
}
