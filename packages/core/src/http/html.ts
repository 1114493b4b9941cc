/** The resources that a page may load, and the sites that may embed it in a frame. */
interface PageOptions {
  readonly nonce: string;
  readonly status?: number;
  /**
   * Whether a submitted form redirects to the client, which may redirect to other sites. Chromium checks every redirect
   * after a form submission against `form-action` (CSP 3 section 6.4.1), including redirects that other sites send. It
   * blocks the navigation without a message. So the policy of such a page has no `form-action`.
   */
  readonly redirectsAfterSubmit?: boolean;
  /** The origins from which the page may load images. */
  readonly images?: readonly string[];
  /** The origins from which the page may load fonts. */
  readonly fonts?: readonly string[];
  /**
   * The origins that may embed the page in a frame. Pages that post a message to the client name the client's origins
   * here. Default: none.
   */
  readonly framedBy?: readonly string[];
  readonly script?: boolean;
  readonly cookies?: readonly string[];
}

/** Creates an HTML response. Its Content-Security-Policy allows only what `options` names. */
export function htmlResponse(html: string, options: PageOptions): Response {
  const {
    nonce,
    status = 200,
    redirectsAfterSubmit = false,
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

/** Creates the redirect that follows a form submission or leads to the client. */
export function redirectResponse(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, "cache-control": "no-store", pragma: "no-cache" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
