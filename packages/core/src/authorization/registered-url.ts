/**
 * Whether a URL is one of those that a client registered. URLs must match exactly, including the query, with two
 * exceptions. A leftmost `*` label of a registered https URL matches one label, as in Auth0. A native client's loopback
 * URL may have any port (RFC 8252 section 7.3).
 */
export function isRegisteredUrl(url: string, registered: readonly string[], options: { readonly anyLoopbackPort?: boolean } = {}): boolean {
  // A pattern is not itself a valid URL.
  if (/[*{]/.test(url)) return false;
  if (registered.includes(url)) return true;
  // A URL must match exactly if it contains a part that URL parsers may read differently: a control character, a
  // backslash, a user part or a fragment.
  if (!URL.canParse(url) || /[\\\s@#]|\p{Cc}/u.test(url)) return false;
  return registered.some((pattern) => matchesWildcard(url, pattern) || (options.anyLoopbackPort === true && matchesLoopback(url, pattern)));
}

/**
 * Whether `/v2/logout` may redirect to a URL. As Auth0 documents for its logout URLs, query and fragment do not take
 * part in the comparison, and scheme and host are compared without case. Everything else is compared as in
 * {@link isRegisteredUrl}.
 */
export function isRegisteredLogoutUrl(url: string, registered: readonly string[]): boolean {
  // Browsers remove control characters anywhere in a URL.
  return !/[\s\p{Cc}]/u.test(url) && isRegisteredUrl(logoutTarget(url), registered.map(logoutTarget));
}

/** Returns the part of a logout URL that is compared: scheme and host in lower case, and the path. */
function logoutTarget(url: string): string {
  const [, origin, path] = /^([a-z][a-z0-9+.-]*:(?:\/\/[^/?#\\]*)?)([^?#]*)/i.exec(url) ?? [];
  return origin === undefined || path === undefined ? url : origin.toLowerCase() + path;
}

function matchesWildcard(url: string, pattern: string): boolean {
  const prefix = "https://*.";
  if (!pattern.startsWith(prefix) || !url.startsWith("https://")) return false;
  const rest = url.slice("https://".length);
  const dot = rest.indexOf(".");
  return dot > 0 && /^[a-z0-9-]+$/i.test(rest.slice(0, dot)) && rest.slice(dot + 1) === pattern.slice(prefix.length);
}

/** Compares the URLs as text: a parser would take `127.1` for the same host, and `/x/../callback` for the same path. */
function matchesLoopback(url: string, pattern: string): boolean {
  const sent = withoutLoopbackPort(url);
  return sent !== undefined && sent === withoutLoopbackPort(pattern);
}

/** Returns the URL without its port; undefined if it is not an http loopback URL. */
function withoutLoopbackPort(url: string): string | undefined {
  const [, origin, rest] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/.*)?$/.exec(url) ?? [];
  return origin === undefined ? undefined : origin + (rest ?? "");
}
