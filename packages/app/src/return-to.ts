/**
 * A first path segment that is empty or begins with a slash, a backslash or a control character, plain or
 * percent-encoded. A client that decodes the path once more, or resolves it as a relative reference, reads `//host` or
 * `/\host` there: another site.
 */
const hostileStart = /^\/(?:[/\\]|%(?:2f|5c|[01][0-9a-f]|7f))/i;

/** Maximum length of a path: the cookie of a sign-in attempt contains it, and browsers limit a cookie to 4,096 bytes. */
const maximumLength = 1500;

/**
 * Returns the URL to which the browser is redirected after the sign-in: a path, query and fragment at the app's origin.
 * @param app the app's public URL, with a path that ends in a slash.
 * @param requested the requested path. Any URL with another origin, any path outside the app's path, and any that is too long, is replaced
 * by the app's path.
 */
export function returnPath(app: URL, requested: string | null | undefined): string {
  if (requested === null || requested === undefined || !requested.startsWith("/") || !URL.canParse(requested, app)) return app.pathname;
  const url = new URL(requested, app);
  // `//evil.example`, `/\evil.example` and variants with tabs and newlines become another origin here.
  if (url.origin !== app.origin || url.username !== "" || url.password !== "") return app.pathname;
  // Checked after dot segments are removed: `/.//evil.example` is at this origin, and its path `//evil.example` is not.
  if (hostileStart.test(url.pathname)) return app.pathname;
  if (`${url.pathname}/` !== app.pathname && !url.pathname.startsWith(app.pathname)) return app.pathname;
  // Measured after percent-encoding, in which a letter may have nine characters.
  const path = url.pathname + url.search + url.hash;
  return path.length > maximumLength ? app.pathname : path;
}
