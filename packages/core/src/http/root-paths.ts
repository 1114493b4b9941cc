import type { Urls } from "./urls.ts";

/** Options of the handler for requests at the root of the issuer's host. */
export interface RootOptions {
  /**
   * The URL of the page in the host application where users change their password. Password managers open
   * `/.well-known/change-password`, which redirects to this URL. Default: `/.well-known/change-password` is not
   * handled.
   */
  readonly changePassword?: string;
}

/** The URL to redirect to, or the URL whose response to serve instead. */
type RootRequestTarget = { readonly redirect: string } | { readonly serve: string };

const metadata = "/.well-known/oauth-authorization-server";

/**
 * Resolves the few paths that clients and password managers request at the root of the host although the issuer has a
 * path:
 *
 * - the metadata document, whose URL inserts the well-known path before the issuer's path (RFC 8414 section 3.1),
 * - WebFinger (RFC 7033),
 * - the list of domains that share passkeys (WebAuthn section 5.11), on the host of the request,
 * - Auth0's logout URL, which Auth0's Express quick start links to,
 * - the change-password URL (W3C, A Well-Known URL for Changing Passwords).
 *
 * @returns undefined for every other path. Also undefined if the issuer has no path, because the issuer itself then
 * serves these paths.
 */
export function resolveRootRequest(
  { issuer, basePath }: Urls,
  method: string,
  url: URL,
  { changePassword }: RootOptions,
): RootRequestTarget | undefined {
  if (basePath === "/" || (method !== "GET" && method !== "HEAD")) return undefined;
  const { pathname, search, origin } = url;
  if (pathname === metadata + basePath || pathname === metadata + basePath.slice(0, -1)) return { serve: issuer + metadata.slice(1) };
  if (pathname === "/.well-known/webfinger") return { serve: `${issuer}.well-known/webfinger${search}` };
  // Each custom domain has another list, so the response depends on the host of the request and not on the issuer's.
  if (pathname === "/.well-known/webauthn") return { serve: `${origin}${basePath}.well-known/webauthn` };
  // This is a redirect, because the browser sends the session cookie only below the issuer's path.
  if (pathname === "/v2/logout") return { redirect: `${issuer}v2/logout${search}` };
  if (pathname === "/.well-known/change-password" && changePassword !== undefined)
    return { redirect: new URL(changePassword, issuer).href };
  return undefined;
}
