import { readCookie, setCookie } from "../http/cookies.ts";
import type { Tenant } from "../tenants/tenant.ts";

/** Cookies of a tenant. Their names contain its id, so that tenants on the same host do not share them. */

/** The cookie with the secret of the browser's session. */
export function sessionCookie({ id }: Tenant): string {
  return `postern_session_${id}`;
}

/** The cookie that binds login sessions to the browser. All tabs share it. */
export function browserCookie({ id }: Tenant): string {
  return `postern_browser_${id}`;
}

/**
 * The cookie with the connection of the last sign-in at an identity provider, which marks its button. It has no other
 * effect.
 */
function lastConnectionCookie({ id }: Tenant): string {
  return `postern_last_${id}`;
}

/**
 * The cookie with the accounts that signed in on this browser before. It does not authenticate: it distinguishes a
 * known device from a new one, and gives the messages and one-time codes of its accounts a separate budget.
 */
function knownAccountsCookie({ id }: Tenant): string {
  return `postern_accounts_${id}`;
}

/** The cookie which proves that this browser set a password by a link. */
export function passwordLinkCookie({ id }: Tenant): string {
  return `postern_password_link_${id}`;
}

/** The data in the browser's cookies other than its session. It is not trusted. */
export interface Remembered {
  /** The id of the connection of the last sign-in at an identity provider. */
  readonly connection: string | undefined;
  /** Fingerprints of the accounts that signed in, the most recent first. */
  readonly accounts: readonly string[];
}

/** Reads what the browser remembers. */
export function readRemembered(tenant: Tenant, request: Request): Remembered {
  const { urls } = tenant;
  const accounts = readCookie(request, urls, knownAccountsCookie(tenant)) ?? "";
  const marks = accounts.split(".").filter((one) => one !== "");
  return { connection: readCookie(request, urls, lastConnectionCookie(tenant)), accounts: marks };
}

/** The maximum number of accounts that the cookie holds. */
const mostAccounts = 10;

/**
 * Returns a `Set-Cookie` value that puts an account first in the list.
 * @param former marks of the same account, which the new one replaces.
 */
export function rememberAccount(tenant: Tenant, accounts: readonly string[], account: string, former: readonly string[] = []): string {
  const others = accounts.filter((one) => one !== account && !former.includes(one));
  const value = [account, ...others].slice(0, mostAccounts).join(".");
  return setCookie(tenant.urls, knownAccountsCookie(tenant), value, { maxAge: rememberedFor, sameSite: "Lax" });
}

/** Seconds until the cookies expire. */
const rememberedFor = 365 * 24 * 60 * 60;

/** Returns a `Set-Cookie` value that stores the connection of a sign-in at an identity provider. */
export function rememberConnection(tenant: Tenant, connectionId: string): string {
  return setCookie(tenant.urls, lastConnectionCookie(tenant), connectionId, { maxAge: rememberedFor, sameSite: "Lax" });
}

/** Returns a `Set-Cookie` value that deletes the stored connection. */
export function forgetConnection(tenant: Tenant): string {
  return setCookie(tenant.urls, lastConnectionCookie(tenant), "", { maxAge: 0, sameSite: "Lax" });
}

/**
 * Returns the value of the cookie that binds login sessions to this browser. Creates one if it is missing, which
 * `cookies` sets.
 */
export function bindingCookies(tenant: Tenant, request: Request): { readonly browser: string; readonly cookies: readonly string[] } {
  const name = browserCookie(tenant);
  const known = readCookie(request, tenant.urls, name);
  if (known !== undefined) return { browser: known, cookies: [] };
  const browser = tenant.random.token(24);
  return { browser, cookies: [setCookie(tenant.urls, name, browser)] };
}
