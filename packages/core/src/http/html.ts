/** What a page may load and who may show it. */
export interface PageOptions {
  readonly nonce: string;
  readonly status?: number;
  /**
   * Its forms lead to the client, and from there to wherever that leads. Chromium holds every redirect after a post against `form-action` (CSP 3 section 6.4.1),
   * also those of others, and shows nothing where it refuses one: such a page cannot have it.
   */
  readonly leadsAway?: boolean;
  /** Origins of pictures. */
  readonly images?: readonly string[];
  /** Origins of fonts. */
  readonly fonts?: readonly string[];
  /** Pages that carry a message are shown in a frame of the client's; all others in none. */
  readonly framedBy?: readonly string[];
  readonly script?: boolean;
  readonly cookies?: readonly string[];
}

/** A page with a Content-Security-Policy that lets nothing in but what it names. */
export function htmlResponse(html: string, options: PageOptions): Response {
  const { nonce, status = 200, leadsAway = false, images = [], fonts = [], framedBy = [], script = false, cookies = [] } = options;
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script ? [`script-src 'nonce-${nonce}'`] : []),
    `img-src ${["data:", ...images].join(" ")}`,
    ...(fonts.length === 0 ? [] : [`font-src ${fonts.join(" ")}`]),
    ...(leadsAway ? [] : ["form-action 'self'"]),
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

/** A redirect after a post, or to the client. */
export function redirectResponse(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, "cache-control": "no-store", pragma: "no-cache" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
