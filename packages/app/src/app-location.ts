import type { CookieKind } from "./cookies.ts";
import type { SessionPaths } from "./session-options.ts";

/**
 * Reads the app's public URL. The result has a path that ends in a slash, and no query.
 * @throws {TypeError} if the text is not an absolute http or https URL.
 */
export function readAppUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new TypeError(`createSessions: 'appUrl' is '${text}': pass the app's public URL, such as https://app.example.com/`);
  }
  const url = new URL(text);
  url.search = url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** Returns the URLs of the app's own routes. @throws {TypeError} if one is not below the app's URL. */
export function readPaths(
  app: URL,
  { login = "login", callback = "callback", logout = "logout", backchannelLogout = "backchannel-logout" }: SessionPaths = {},
): Readonly<Record<keyof SessionPaths, URL>> {
  const at = {
    login: new URL(login, app),
    callback: new URL(callback, app),
    logout: new URL(logout, app),
    backchannelLogout: new URL(backchannelLogout, app),
  };
  for (const [name, { href }] of Object.entries(at)) {
    if (!href.startsWith(app.href)) throw new TypeError(`createSessions: 'paths.${name}' must be below 'appUrl'`);
  }
  return at;
}

/** Whether two paths are the same route. Some frameworks redirect to a path with a final slash. */
export function isSamePath(a: URL, b: URL): boolean {
  const withSlash = ({ pathname }: URL): string => (pathname.endsWith("/") ? pathname : `${pathname}/`);
  return withSlash(a) === withSlash(b);
}

/**
 * Returns the name and attributes of a cookie. Browsers accept a name with `__Host-` only from the app's host, and a
 * name with `__Secure-` only over https (RFC 6265bis section 4.1.3).
 * @throws {TypeError} if the name is invalid.
 */
export function cookieKind(app: URL, name: string): CookieKind {
  if (!/^[\w-]{1,64}$/.test(name)) throw new TypeError(`createSessions: 'cookieName' is '${name}': use only letters, digits, - and _`);
  const secure = app.protocol === "https:";
  const path = app.pathname === "/" ? "/" : app.pathname.replace(/\/$/, "");
  const prefix = secure ? (path === "/" ? "__Host-" : "__Secure-") : "";
  return { name: prefix + name, attributes: `; Path=${path}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}` };
}
