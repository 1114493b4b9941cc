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

/**
 * The URL to redirect to, or the URL whose response to serve instead. Documents are on the host of the request, because
 * each custom domain has its own.
 */
type RootRequestTarget = { readonly redirect: string } | { readonly serve: string };

/** The metadata documents, whose names precede the path of the issuer. */
const documents = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];

/**
 * Resolves the few paths that clients and password managers request at the root of the host although the issuer has a
 * path:
 *
 * - the metadata documents, whose URLs insert the well-known path before the issuer's path (RFC 8414 sections 3.1 and 5),
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
  if (basePath === "/") return undefined;
  const { pathname, search, origin } = url;
  const reads = method === "GET" || method === "HEAD";
  const document = documents.find((name) => pathname === name + basePath || pathname === name + basePath.slice(0, -1));
  // Scripts that send a header with the request, such as `MCP-Protocol-Version`, send a preflight request first.
  if (document !== undefined && (reads || method === "OPTIONS")) return { serve: origin + basePath + document.slice(1) };
  if (!reads) return undefined;
  if (pathname === "/.well-known/webfinger") return { serve: `${issuer}.well-known/webfinger${search}` };
  if (pathname === "/.well-known/webauthn") return { serve: `${origin}${basePath}.well-known/webauthn` };
  // This is a redirect, because the browser sends the session cookie only below the issuer's path.
  if (pathname === "/v2/logout") return { redirect: `${issuer}v2/logout${search}` };
  if (pathname === "/.well-known/change-password" && changePassword !== undefined)
    return { redirect: new URL(changePassword, issuer).href };
  return undefined;
}
