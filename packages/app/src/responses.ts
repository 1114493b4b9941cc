import { escapeHtml } from "./error-page.ts";
import type { Exchange } from "./session-options.ts";
import type { ParsedRequirements } from "./requirements.ts";

/**
 * The response to a script of the app without a sufficient session. @param unmet the reason; undefined if no user is
 * signed in.
 */
export function unauthorized(unmet: string | undefined, { acrs, maxAge }: ParsedRequirements): Response {
  if (unmet === undefined) return Response.json({ error: "login_required", error_description: "no user is signed in" }, { status: 401 });
  const body = {
    error: "insufficient_user_authentication",
    error_description: unmet,
    ...(acrs.length > 0 && { acr_values: acrs.join(" ") }),
    ...(maxAge !== undefined && { max_age: maxAge }),
  };
  return Response.json(body, { status: 401 });
}

/** Whether the request is a page navigation of a browser, not a script's request for data. */
export function isForPage({ headers }: Exchange): boolean {
  const destination = headers.get("sec-fetch-mode");
  return destination === null ? (headers.get("accept") ?? "").includes("text/html") : destination === "navigate";
}

/**
 * Whether the request comes from the app. Uses `Sec-Fetch-Site`, which every current browser sends, or else `Origin`. A
 * request without either header, such as a typed URL in an old browser, is accepted unless it is a POST.
 */
export function isFromApp({ headers, method }: Request, app: URL): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || (site === "none" && method !== "POST");
  const origin = headers.get("origin");
  return origin === null ? method !== "POST" : origin === app.origin;
}

export function redirect(to: URL, cookies: readonly string[]): Response {
  return withCookies(new Response(null, { status: 303, headers: { location: to.href, "cache-control": "no-store" } }), cookies);
}

/** Maximum characters of a `Location` header that {@link redirectByPage} sends. */
const maximumLocation = 2000;

/**
 * Redirects like {@link redirect}, but sends a long URL in a page, which the browser leaves at once. Proxies such as
 * nginx reject a response whose headers together exceed 4 KiB, and the URL contains all requested scopes.
 */
export function redirectByPage(to: URL, cookies: readonly string[]): Response {
  if (to.href.length <= maximumLocation) return redirect(to, cookies);
  const url = escapeHtml(to.href);
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${url}">
<title>Signing in</title>
<a href="${url}">Continue</a>
</html>
`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  };
  return withCookies(new Response(html, { headers }), cookies);
}

export function withCookies(response: Response, cookies: readonly string[]): Response {
  const headers = new Headers(response.headers);
  for (const line of cookies) headers.append("set-cookie", line);
  return new Response(response.body, { status: response.status, headers });
}
