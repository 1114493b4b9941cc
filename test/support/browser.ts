import type { Postern } from "@postern/core";

/** The body and headers of a request that a {@link Browser} sends. */
interface BrowserRequest {
  readonly form?: { readonly [name: string]: string };
  readonly json?: unknown;
  readonly headers?: { readonly [name: string]: string };
}

/** A user agent that stores cookies and follows no redirects. */
export interface Browser {
  /** The cookies by name. Pass a copy of the map to open another browser with the same cookies. */
  readonly cookies: Map<string, string>;
  get(url: string, sent?: BrowserRequest): Promise<Response>;
  /** Posts a form or JSON with the `Origin` that browsers send from Postern's own pages. */
  post(url: string, sent: BrowserRequest): Promise<Response>;
}

/** Opens a browser. URLs can be paths below the issuer. */
export function openBrowser(postern: Postern, cookies: ReadonlyMap<string, string> = new Map()): Browser {
  const jar = new Map(cookies);

  const request = async (method: string, url: string, { form, json, headers }: BrowserRequest): Promise<Response> => {
    const response = await postern.fetch(
      new Request(new URL(url.replace(/^\//, ""), postern.issuer), {
        method,
        headers: {
          ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") }),
          ...(json !== undefined && { "content-type": "application/json" }),
          ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
      }),
      { clientAddress: "192.0.2.7" },
    );
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = cookie.split("; ");
      const [name = "", value = ""] = pair.split("=", 2);
      if (attributes.includes("Max-Age=0")) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };

  return {
    cookies: jar,
    get: (url, sent = {}) => request("GET", url, sent),
    post: (url, { headers, ...sent }) => request("POST", url, { ...sent, headers: { origin: new URL(postern.issuer).origin, ...headers } }),
  };
}

/** Returns the named fields in the first form on a page, including hidden ones. */
export function formFields(html: string): { [name: string]: string } {
  const fields: { [name: string]: string } = {};
  for (const [input] of html.matchAll(/<input\b(?:"[^"]*"|[^">])*>/g)) {
    const name = attribute(input, "name");
    if (name !== undefined) fields[name] = attribute(input, "value") ?? "";
  }
  return fields;
}

/** Returns the URL to which the first form on a page is sent. */
export function formAction(html: string): string | undefined {
  const [form] = /<form\b(?:"[^"]*"|[^">])*>/.exec(html) ?? [];
  return form === undefined ? undefined : attribute(form, "action");
}

/** Returns the URL of a redirect in a page. Next.js writes one if a page redirects after its first part was sent. */
export function refreshUrl(html: string): string | undefined {
  const [meta = ""] = /<meta\b[^>]* http-equiv="refresh"[^>]*>/.exec(html) ?? [];
  return attribute(meta, "content")?.split(";url=")[1];
}

function attribute(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? undefined : unescapeHtml(value);
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}
