/**
 * Creates every URL in Postern's output: links, redirects, form actions, cookie paths. The URLs derive from a
 * configured issuer, never from an unverified header.
 */
export interface Urls {
  /**
   * The issuer, ending in a slash. It is byte-identical in discovery, in the `iss` claim and in the `iss` parameter.
   */
  readonly issuer: string;
  /** The path of all endpoints, starting and ending with a slash. */
  readonly basePath: string;
  /** `protocol://host[:port]`. */
  readonly origin: string;
  /** `host[:port]`. */
  readonly host: string;
  /** Whether the scheme is https, so that cookies must be `Secure`. */
  readonly secure: boolean;
  /** Returns the absolute URL of a path that starts with a slash. */
  urlFor(path: `/${string}`): string;
}

/**
 * Creates {@link Urls}. @throws {TypeError} if the issuer is not an absolute http or https URL without query, fragment
 * and user.
 */
export function createUrls(issuer: string): Urls {
  const url = new URL(issuer);
  if ((url.protocol !== "https:" && url.protocol !== "http:") || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new TypeError(`the issuer must be a http(s) URL without query, fragment or user: '${issuer}'`);
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  const base = url.href;
  return {
    issuer: base,
    basePath: url.pathname,
    origin: url.origin,
    host: url.host,
    secure: url.protocol === "https:",
    urlFor: (path) => base + path.slice(1),
  };
}
