import type { Urls } from "./urls.ts";

/** Options of the handler at the root of the issuer's host. */
export interface RootOptions {
  /**
   * The page of the host application where users change their password. `/.well-known/change-password`, which password
   * managers open, redirects to it. Default: that path is not handled.
   */
  readonly changePassword?: string;
}

/** How to handle a request at the root of the issuer's host. */
type RootRequestTarget = { readonly redirect: string } | { readonly serve: string };

const metadata = "/.well-known/oauth-authorization-server";

/**
 * Resolves the few paths that clients and password managers request at the root of a host whose issuer has a path:
 *
 * - the metadata document with the path inserted (RFC 8414 section 3.1),
 * - WebFinger (RFC 7033),
 * - Auth0's logout, which its Express quick start links to,
 * - the change-password URL (W3C, A Well-Known URL for Changing Passwords).
 *
 * @returns undefined for every other path, and if the issuer has no path, because the issuer then serves these paths
 * itself.
 */
export function resolveRootRequest(
  { issuer, basePath }: Urls,
  method: string,
  url: URL,
  { changePassword }: RootOptions,
): RootRequestTarget | undefined {
  if (basePath === "/" || (method !== "GET" && method !== "HEAD")) return undefined;
  const { pathname, search } = url;
  if (pathname === metadata + basePath || pathname === metadata + basePath.slice(0, -1)) return { serve: issuer + metadata.slice(1) };
  if (pathname === "/.well-known/webfinger") return { serve: `${issuer}.well-known/webfinger${search}` };
  // A redirect, because the session cookie is limited to the issuer's path.
  if (pathname === "/v2/logout") return { redirect: `${issuer}v2/logout${search}` };
  if (pathname === "/.well-known/change-password" && changePassword !== undefined)
    return { redirect: new URL(changePassword, issuer).href };
  return undefined;
}
