/**
 * Creates every URL that Postern outputs: links, redirects, form actions, cookie paths. The URLs derive from a
 * configured issuer, never from an unverified header.
 */
export interface Urls {
  /**
   * The issuer, ending in a slash. Discovery, the `iss` claim and the `iss` parameter all contain exactly this text.
   */
  readonly issuer: string;
  /** The path that all endpoints are below. It starts and ends with a slash. */
  readonly basePath: string;
  /** `protocol://host[:port]`. */
  readonly origin: string;
  /** `host[:port]`. */
  readonly host: string;
  /** Whether the scheme is https, so that cookies must be `Secure`. */
  readonly secure: boolean;
  /** Returns the absolute URL for a path below the issuer. The path starts with a slash. */
  urlFor(path: `/${string}`): string;
}

/**
 * Creates {@link Urls}. @throws {TypeError} if the issuer is not an absolute http or https URL, or if it contains a
 * query, a fragment or a user name.
 */
export function createUrls(issuer: string): Urls {
  const url = new URL(issuer);
  if ((url.protocol !== "https:" && url.protocol !== "http:") || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new TypeError(`the issuer must be an http(s) URL without query, fragment or user: '${issuer}'`);
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
