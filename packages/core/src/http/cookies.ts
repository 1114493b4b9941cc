import type { Urls } from "./urls.ts";

/** How a cookie travels. */
export interface CookieOptions {
  /** Seconds; left out, it ends with the browser. 0 removes it. */
  readonly maxAge?: number;
  /** On https. Default `None`: the vendor's browser SDK renews in a cross-site iframe. Plain http has `Lax`. */
  readonly sameSite?: "None" | "Lax";
}

/** The full name of a cookie: `__Host-` where it is for the root of an https host, `__Secure-` below a path (RFC 6265bis section 4.1.3). */
export function cookieName(urls: Urls, name: string): string {
  if (!urls.secure) return name;
  return urls.basePath === "/" ? `__Host-${name}` : `__Secure-${name}`;
}

/** A cookie's value; undefined where the browser sent none. */
export function readCookie(request: Request, urls: Urls, name: string): string | undefined {
  const wanted = `${cookieName(urls, name)}=`;
  const found = (request.headers.get("cookie") ?? "").split(";").find((part) => part.trim().startsWith(wanted));
  return found?.trim().slice(wanted.length);
}

/** A `Set-Cookie` value. Values are base64url, which needs no escaping. */
export function setCookie(urls: Urls, name: string, value: string, { maxAge, sameSite = "None" }: CookieOptions = {}): string {
  return [
    `${cookieName(urls, name)}=${value}`,
    `Path=${urls.basePath}`,
    "HttpOnly",
    ...(urls.secure ? ["Secure", `SameSite=${sameSite}`] : ["SameSite=Lax"]),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join("; ");
}
