/**
 * Whether a URL is one of those that a client registered. Exactly, query included, but for two cases:
 * a leftmost `*` label of a registered https URL stands for one label, as the vendor has it, and a native client's loopback URL
 * may have any port (RFC 8252 section 7.3).
 */
export function isRegisteredUrl(url: string, registered: readonly string[], options: { readonly anyLoopbackPort?: boolean } = {}): boolean {
  // A pattern itself is no address.
  if (/[*{]/.test(url)) return false;
  if (registered.includes(url)) return true;
  // What a URL parser would read in another way than we do is never matched loosely: control characters, backslashes, user parts, fragments.
  if (!URL.canParse(url) || /[\\\s@#]|\p{Cc}/u.test(url)) return false;
  return registered.some((pattern) => matchesWildcard(url, pattern) || (options.anyLoopbackPort === true && matchesLoopback(url, pattern)));
}

function matchesWildcard(url: string, pattern: string): boolean {
  const prefix = "https://*.";
  if (!pattern.startsWith(prefix) || !url.startsWith("https://")) return false;
  const rest = url.slice("https://".length);
  const dot = rest.indexOf(".");
  return dot > 0 && /^[a-z0-9-]+$/i.test(rest.slice(0, dot)) && rest.slice(dot + 1) === pattern.slice(prefix.length);
}

/** Compared as text: a parser would take `127.1` for the same host, and `/x/../callback` for the same path. */
function matchesLoopback(url: string, pattern: string): boolean {
  const sent = withoutLoopbackPort(url);
  return sent !== undefined && sent === withoutLoopbackPort(pattern);
}

/** Undefined for what is no http URL of this machine. */
function withoutLoopbackPort(url: string): string | undefined {
  const [, origin, rest] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/.*)?$/.exec(url) ?? [];
  return origin === undefined ? undefined : origin + (rest ?? "");
}
