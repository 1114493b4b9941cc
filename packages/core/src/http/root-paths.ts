import type { Urls } from "./urls.ts";

/** Options of the handlers at the root of the issuer's host. */
export interface RootOptions {
  /** Where people change their password in the host's app: `/.well-known/change-password`, which password managers open, leads there. Left out: that address is the host's own. */
  readonly changePassword?: string;
}

/** What becomes of a request at the root of the issuer's host. */
export type RootAnswer = { readonly redirect: string } | { readonly serve: string };

const metadata = "/.well-known/oauth-authorization-server";

/**
 * The few addresses that clients and password managers ask for at the root of a host, where the issuer has a path: the metadata document with the path inserted (RFC 8414 section 3.1), the vendor's logout, which
 * its Express quick start links to, and the address of changing a password (W3C, A Well-Known URL for Changing Passwords).
 * And where an address belongs (RFC 7033).
 * @returns undefined for every other address, and where the issuer has no path: those are its own then.
 */
export function rootAnswer({ issuer, basePath }: Urls, method: string, url: URL, { changePassword }: RootOptions): RootAnswer | undefined {
  if (basePath === "/" || (method !== "GET" && method !== "HEAD")) return undefined;
  const { pathname, search } = url;
  if (pathname === metadata + basePath || pathname === metadata + basePath.slice(0, -1)) return { serve: issuer + metadata.slice(1) };
  if (pathname === "/.well-known/webfinger") return { serve: `${issuer}.well-known/webfinger${search}` };
  // Not served here: the session's cookie is for the issuer's path alone.
  if (pathname === "/v2/logout") return { redirect: `${issuer}v2/logout${search}` };
  if (pathname === "/.well-known/change-password" && changePassword !== undefined)
    return { redirect: new URL(changePassword, issuer).href };
  return undefined;
}
