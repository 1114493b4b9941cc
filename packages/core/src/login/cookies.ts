import { cookieName, readCookie, setCookie } from "../http/cookies.ts";
import type { Urls } from "../http/urls.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/**
 * The cookies of the login pages. Their names contain the tenant's id, so that tenants on the same host do not share
 * cookies.
 */

const sessionPrefix = "postern_session_";

/** Returns the name of the cookie with the secret of the browser's session. */
export function sessionCookie({ id }: RequestTenant): string {
  return sessionPrefix + id;
}

/** Returns the ids in the names of the session cookies that the browser sent. Any text, because cookies are untrusted. */
export function sessionTenants(request: Request, urls: Urls): readonly string[] {
  const prefix = cookieName(urls, sessionPrefix);
  const names = (request.headers.get("cookie") ?? "").split(";").map((part) => part.trim().split("=", 1)[0] ?? "");
  return [...new Set(names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)))];
}

/** Returns the name of the cookie that binds login sessions to the browser. All tabs share this cookie. */
export function browserCookie({ id }: RequestTenant): string {
  return `postern_browser_${id}`;
}

/**
 * Returns the name of the cookie with the connection of the last sign-in at an identity provider. Pages mark the button
 * of that connection; the cookie has no other effect.
 */
function lastConnectionCookie({ id }: RequestTenant): string {
  return `postern_last_${id}`;
}

/**
 * Returns the name of the cookie with the accounts that signed in with this browser before. The cookie does
 * not authenticate: it distinguishes a known device from a new one, and gives messages and one-time codes for these
 * accounts a separate budget.
 */
function knownAccountsCookie({ id }: RequestTenant): string {
  return `postern_accounts_${id}`;
}

/**
 * Returns the name of the cookie which proves that a password was set with this browser, on the page that a link in a
 * mail opens.
 */
export function passwordLinkCookie({ id }: RequestTenant): string {
  return `postern_password_link_${id}`;
}

/**
 * Returns the name of the cookie which proves that a user passed a second factor with this browser, on the page that a
 * link to reset a password opens.
 */
export function linkFactorCookie({ id }: RequestTenant): string {
  return `postern_link_factor_${id}`;
}

/** Returns the name of the cookie with the factor that a user adds with this browser, on the page that a link opens. */
export function enrollmentCookie({ id }: RequestTenant): string {
  return `postern_enrollment_${id}`;
}

/**
 * Returns the name of the cookie with the secrets of the users who trust the browser: they are not asked for a second
 * factor there.
 */
function trustedBrowserCookie({ id }: RequestTenant): string {
  return `postern_trusted_${id}`;
}

/** Returns the name of the cookie with a fingerprint of the user who did not want to add a passkey. */
function declinedPasskeyCookie({ id }: RequestTenant): string {
  return `postern_no_passkey_${id}`;
}

/** Returns the name of the cookie with the test sign-in at an identity provider that began in this browser, encrypted. */
export function connectionTestCookie({ id }: RequestTenant): string {
  return `postern_connection_test_${id}`;
}

/** The data in the browser's cookies, except the session. The data is untrusted. */
export interface Remembered {
  /** The id of the connection of the last sign-in at an identity provider. */
  readonly connection: string | undefined;
  /** Fingerprints of the accounts that signed in with this browser, the most recent first. */
  readonly accounts: readonly string[];
  /** The text of the cookie of a browser that users trust. See identity/factors/trusted-browser.ts. */
  readonly trustedBrowser: string | undefined;
  /** A fingerprint of the user who did not want to add a passkey. */
  readonly declinedPasskey: string | undefined;
}

/** Reads the data in the browser's cookies, except the session. */
export function readRemembered(tenant: RequestTenant, request: Request): Remembered {
  const { urls } = tenant;
  const accounts = readCookie(request, urls, knownAccountsCookie(tenant)) ?? "";
  const marks = accounts.split(".").filter((one) => one !== "");
  return {
    connection: readCookie(request, urls, lastConnectionCookie(tenant)),
    accounts: marks,
    trustedBrowser: readCookie(request, urls, trustedBrowserCookie(tenant)),
    declinedPasskey: readCookie(request, urls, declinedPasskeyCookie(tenant)),
  };
}

/** The maximum number of accounts in the cookie. */
const mostAccounts = 10;

/**
 * Returns a `Set-Cookie` value that puts an account first in the list of known accounts.
 * @param former earlier fingerprints of the same account, which the new one replaces.
 */
export function rememberAccount(
  tenant: RequestTenant,
  accounts: readonly string[],
  account: string,
  former: readonly string[] = [],
): string {
  const others = accounts.filter((one) => one !== account && !former.includes(one));
  const value = [account, ...others].slice(0, mostAccounts).join(".");
  return setCookie(tenant.urls, knownAccountsCookie(tenant), value, { maxAge: rememberedFor, sameSite: "Lax" });
}

/**
 * Returns a `Set-Cookie` value for a browser that users trust.
 * @param text the text that `trustBrowser` returned.
 * @param lifetime the lifetime of the newest trust in milliseconds. The others end earlier.
 */
export function rememberTrustedBrowser(tenant: RequestTenant, text: string, lifetime: number): string {
  return setCookie(tenant.urls, trustedBrowserCookie(tenant), text, { maxAge: lifetime / 1000, sameSite: "Lax" });
}

/** The lifetime of these cookies in seconds. */
const rememberedFor = 365 * 24 * 60 * 60;

/** How long a user is not offered a passkey again, in seconds: 30 days, as in Auth0. */
const passkeyPause = 30 * 24 * 60 * 60;

/** Returns a `Set-Cookie` value that stores that a user did not want to add a passkey. */
export function rememberDeclinedPasskey(tenant: RequestTenant, fingerprint: string): string {
  return setCookie(tenant.urls, declinedPasskeyCookie(tenant), fingerprint, { maxAge: passkeyPause, sameSite: "Lax" });
}

/** Returns a `Set-Cookie` value that stores the connection of a sign-in at an identity provider. */
export function rememberConnection(tenant: RequestTenant, connectionId: string): string {
  return setCookie(tenant.urls, lastConnectionCookie(tenant), connectionId, { maxAge: rememberedFor, sameSite: "Lax" });
}

/** Returns a `Set-Cookie` value that deletes the cookie with the connection of the last sign-in. */
export function forgetConnection(tenant: RequestTenant): string {
  return setCookie(tenant.urls, lastConnectionCookie(tenant), "", { maxAge: 0, sameSite: "Lax" });
}

/**
 * Returns the value of the cookie that binds login sessions to this browser. If the browser has no such cookie, creates
 * a value, and returns a `Set-Cookie` value for it in `cookies`.
 */
export function bindingCookies(tenant: RequestTenant, request: Request): { readonly browser: string; readonly cookies: readonly string[] } {
  const name = browserCookie(tenant);
  const known = readCookie(request, tenant.urls, name);
  if (known !== undefined) return { browser: known, cookies: [] };
  const browser = tenant.random.token(24);
  return { browser, cookies: [setCookie(tenant.urls, name, browser)] };
}
