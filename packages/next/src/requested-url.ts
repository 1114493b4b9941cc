/** The location of the app, which Next.js does not pass to a handler. */
export interface AppLocation {
  /**
   * The `basePath` of `next.config.ts`, such as `/shop`. Next.js removes it from the URL before it calls a handler. The
   * issuer contains it: `https://example.com/shop/auth/`. Default: none.
   */
  readonly basePath?: string;
}

/**
 * Returns the path that the client requested, including the base path of the app.
 * @throws {TypeError} if the base path is not valid in Next.js.
 */
export function requestedPath(pathname: string, { basePath = "" }: AppLocation): string {
  if (basePath !== "" && !/^(\/[^/?#]+)+$/.test(basePath))
    throw new TypeError(`'basePath' must be the value in next.config.ts, such as "/shop", and is ${JSON.stringify(basePath)}`);
  return basePath + pathname;
}

/**
 * Returns the request with the URL that the client requested. Next.js may build `request.url` from the address that it
 * listens on: only the Host header has the requested host.
 */
export function withRequestedUrl(request: Request, location: AppLocation): Request {
  const url = new URL(request.url);
  const host = `${url.protocol}//${request.headers.get("host") ?? url.host}`;
  const requested = new URL(requestedPath(url.pathname, location) + url.search, URL.canParse(host) ? host : url);
  if (requested.href === url.href) return request;
  const { method, headers, body, signal } = request;
  // `duplex` is required with a stream, and missing in TypeScript's RequestInit.
  const init: RequestInit & { duplex: "half" } = { method, headers, signal, body, duplex: "half" };
  return new Request(requested, init);
}
