/** Makes every URL that leaves Postern: links, redirects, form actions, cookie paths. Made from a configured issuer, never from an unconfigured header. */
export interface Urls {
  /** The issuer, ending in a slash: byte-identical in discovery, in the `iss` claim and in the `iss` parameter. */
  readonly issuer: string;
  /** The path that everything is under, starting and ending with a slash. */
  readonly basePath: string;
  /** `protocol://host[:port]`. */
  readonly origin: string;
  /** `host[:port]`. */
  readonly host: string;
  /** True where cookies can and must be `Secure`. */
  readonly secure: boolean;
  /** An absolute URL for a path that starts with a slash. */
  urlFor(path: `/${string}`): string;
}

/** @throws {TypeError} when the issuer is not an absolute http or https URL without query and fragment. */
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
