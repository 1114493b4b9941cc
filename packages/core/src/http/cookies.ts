import type { Urls } from "./urls.ts";

/** Attributes of a cookie. */
interface CookieOptions {
  /** Lifetime in seconds; 0 deletes the cookie. Default: the cookie lasts until the browser session ends. */
  readonly maxAge?: number;
  /**
   * The `SameSite` attribute on https. Default: `None`, because Auth0's browser SDK renews tokens in a cross-site
   * iframe. On plain http the attribute is always `Lax`.
   */
  readonly sameSite?: "None" | "Lax";
}

/**
 * Returns the full name of a cookie: with the prefix `__Host-` if the issuer is at the root of an https host, with
 * `__Secure-` if it is below a path (RFC 6265bis section 4.1.3).
 */
export function cookieName(urls: Urls, name: string): string {
  if (!urls.secure) return name;
  return urls.basePath === "/" ? `__Host-${name}` : `__Secure-${name}`;
}

/** Returns a cookie's value; undefined if the browser did not send the cookie. */
export function readCookie(request: Request, urls: Urls, name: string): string | undefined {
  const wanted = `${cookieName(urls, name)}=`;
  const found = (request.headers.get("cookie") ?? "").split(";").find((part) => part.trim().startsWith(wanted));
  return found?.trim().slice(wanted.length);
}

/** Returns a `Set-Cookie` header value. Cookie values are base64url, which needs no escaping. */
export function setCookie(urls: Urls, name: string, value: string, { maxAge, sameSite = "None" }: CookieOptions = {}): string {
  return [
    `${cookieName(urls, name)}=${value}`,
    `Path=${urls.basePath}`,
    "HttpOnly",
    ...(urls.secure ? ["Secure", `SameSite=${sameSite}`] : ["SameSite=Lax"]),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join("; ");
}
