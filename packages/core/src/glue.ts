/** The entry point `@postern/core/glue`, for authors of framework integrations. */

import { resolveRootRequest, type RootOptions } from "./http/root-paths.ts";
import { createUrls } from "./http/urls.ts";
import type { PosternHandler } from "./postern.ts";
import type { RequestExtra } from "./server/request-extra.ts";

export type { RootOptions } from "./http/root-paths.ts";
export type { UnhandledRequest } from "./server/unhandled-requests.ts";
export { writeLogEntry } from "./server/host-log.ts";
export { reportUnhandledRequest } from "./server/unhandled-requests.ts";

/**
 * Responds to the few requests that clients send to the root of the issuer's host even if the issuer has a path: the
 * metadata documents (RFC 8414), WebFinger, `/.well-known/webauthn`, Auth0's `/v2/logout`, and `/.well-known/change-password`.
 * @param extra the address of the peer, as for `postern.fetch`: a trusted proxy may send the host name of the request.
 * @returns undefined for every other request, which the host application must handle.
 */
export async function handleRootRequest(
  postern: PosternHandler,
  request: Request,
  options: RootOptions = {},
  extra: RequestExtra = {},
): Promise<Response | undefined> {
  const found = resolveRootRequest(createUrls(postern.issuer), request.method, requestedUrl(request), options);
  if (found === undefined) return undefined;
  if ("redirect" in found) return new Response(null, { status: 302, headers: { location: found.redirect } });
  return postern.fetch(new Request(found.serve, { method: request.method, headers: request.headers }), extra);
}

/**
 * Whether a handler serves a path: one below the path of its issuer, and with `servesPathWithoutSlash` also the path of
 * the issuer without its final slash. The host application handles requests for other paths.
 * @param path the complete path of the request, without its query.
 */
export function isServedPath({ issuer, servesPathWithoutSlash = false }: PosternHandler, path: string): boolean {
  const { pathname } = new URL(issuer);
  return path.startsWith(pathname) || (servesPathWithoutSlash && `${path}/` === pathname);
}

/** Some frameworks build the URL from the address that they listen on: only the Host header has the requested host. */
function requestedUrl({ url, headers }: Request): URL {
  const parsed = new URL(url);
  const origin = `${parsed.protocol}//${headers.get("host") ?? parsed.host}`;
  return URL.canParse(origin) ? new URL(parsed.pathname + parsed.search, origin) : parsed;
}
