/**
 * Whether a URL is one of those that a client registered. Exactly, query included, but for two cases:
 * a leftmost `*` label of a registered https URL stands for one label, as the vendor has it, and a native client's loopback URL
 * may have any port (RFC 8252 section 7.3).
 */
export function isRegisteredUrl(url: string, registered: readonly string[], options: { readonly anyLoopbackPort?: boolean } = {}): boolean {
  // A pattern itself is no address.
  if (url.includes("*")) return false;
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

const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"]);

function matchesLoopback(url: string, pattern: string): boolean {
  if (!URL.canParse(pattern)) return false;
  const [sent, known] = [new URL(url), new URL(pattern)];
  return (
    sent.protocol === "http:" &&
    known.protocol === "http:" &&
    loopbackHosts.has(sent.hostname) &&
    sent.hostname === known.hostname &&
    sent.pathname === known.pathname &&
    sent.search === known.search
  );
}
