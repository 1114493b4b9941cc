/** The resources that a page may load, and the sites that may frame it. */
export interface PageOptions {
  readonly nonce: string;
  readonly status?: number;
  /**
   * Whether submitting the page's forms redirects to the client, and from there possibly to other sites. Chromium
   * checks every redirect after a form submission against `form-action` (CSP 3 section 6.4.1), including those of other
   * sites, and blocks the navigation without a message. So the policy of such a page has no `form-action`.
   */
  readonly redirectsAfterSubmit?: boolean;
  /** Allowed origins of images. */
  readonly images?: readonly string[];
  /** Allowed origins of fonts. */
  readonly fonts?: readonly string[];
  /** Origins that may frame the page: those of the client, for pages that post a message to it. Default: none. */
  readonly framedBy?: readonly string[];
  readonly script?: boolean;
  readonly cookies?: readonly string[];
}

/** Creates an HTML response with a Content-Security-Policy that allows only what `options` names. */
export function htmlResponse(html: string, options: PageOptions): Response {
  const {
    nonce,
    status = 200,
    redirectsAfterSubmit: redirectsAfterSubmit = false,
    images = [],
    fonts = [],
    framedBy = [],
    script = false,
    cookies = [],
  } = options;
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script ? [`script-src 'nonce-${nonce}'`] : []),
    `img-src ${["data:", ...images].join(" ")}`,
    ...(fonts.length === 0 ? [] : [`font-src ${fonts.join(" ")}`]),
    ...(redirectsAfterSubmit ? [] : ["form-action 'self'"]),
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(" ")}`,
    "base-uri 'none'",
  ].join("; ");
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cache-control": "no-store",
    pragma: "no-cache",
    ...(framedBy.length === 0 && { "x-frame-options": "DENY" }),
  });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(html, { status, headers });
}

/** Creates a redirect after a form submission, or to the client. */
export function redirectResponse(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, "cache-control": "no-store", pragma: "no-cache" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
