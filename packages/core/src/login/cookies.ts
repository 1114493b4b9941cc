import { readCookie, setCookie } from "../http/cookies.ts";
import type { Tenant } from "../tenants/tenant.ts";

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

/** Says which accounts signed in here before. It signs nobody in: it tells a known device from a new one, and gives its messages and one-time codes a budget of their own. */
export function knownAccountsCookie({ id }: Tenant): string {
  return `postern_accounts_${id}`;
}

/** Proves that this browser set a password by a link. */
export function passwordLinkCookie({ id }: Tenant): string {
  return `postern_password_link_${id}`;
}

/** What a browser remembers besides its session, as it says. */
export interface Remembered {
  /** The id of the connection by which somebody signed in last. */
  readonly connection: string | undefined;
  /** Fingerprints of the accounts that signed in, the last one first. */
  readonly accounts: readonly string[];
}

/** Reads what the browser remembers. */
export function readRemembered(tenant: Tenant, request: Request): Remembered {
  const { urls } = tenant;
  const accounts = readCookie(request, urls, knownAccountsCookie(tenant)) ?? "";
  const marks = accounts.split(".").filter((one) => one !== "");
  return { connection: readCookie(request, urls, lastConnectionCookie(tenant)), accounts: marks };
}

/** As many accounts as people of a household have. */
const mostAccounts = 10;

/** Has the browser remember an account before the others. @param former marks of the same account, which the new one replaces. */
export function rememberAccount(tenant: Tenant, accounts: readonly string[], account: string, former: readonly string[] = []): string {
  const others = accounts.filter((one) => one !== account && !former.includes(one));
  const value = [account, ...others].slice(0, mostAccounts).join(".");
  return setCookie(tenant.urls, knownAccountsCookie(tenant), value, { maxAge: rememberedFor, sameSite: "Lax" });
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
  const browser = tenant.random.token(24);
  return { browser, cookies: [setCookie(tenant.urls, name, browser)] };
}
