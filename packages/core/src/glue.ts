/** The entry point `@postern/core/glue`, for authors of framework integrations. */

import { resolveRootRequest, type RootOptions } from "./http/root-paths.ts";
import { createUrls } from "./http/urls.ts";
import type { PosternHandler } from "./postern.ts";

export type { RootOptions } from "./http/root-paths.ts";
export type { UnhandledRequest } from "./server/unhandled-requests.ts";
export { reportUnhandledRequest } from "./server/unhandled-requests.ts";

/**
 * Responds to the few requests that clients send to the root of the issuer's host even if the issuer has a path: RFC
 * 8414 metadata, WebFinger, Auth0's `/v2/logout`, and `/.well-known/change-password`.
 * @returns undefined for every other request, which the host application must handle.
 */
export async function handleRootRequest(
  postern: PosternHandler,
  request: Request,
  options: RootOptions = {},
): Promise<Response | undefined> {
  const found = resolveRootRequest(createUrls(postern.issuer), request.method, new URL(request.url), options);
  if (found === undefined) return undefined;
  if ("redirect" in found) return new Response(null, { status: 302, headers: { location: found.redirect } });
  return postern.fetch(new Request(found.serve, { method: request.method, headers: request.headers }));
}
