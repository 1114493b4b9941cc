import type { PosternHandler } from "@postern/core";
import { handleRootRequest, type RootOptions } from "@postern/core/glue";
import type { ExpressHandler } from "./express.ts";
import { headersOf, writeResponse } from "./to-web.ts";

/**
 * Serves the URLs that clients request at the root of the issuer's host even if the issuer has a path: the metadata
 * documents (RFC 8414), `/.well-known/webauthn`, Auth0's `/v2/logout`, and `/.well-known/change-password` if the options set its
 * target. Other requests go to the next handler.
 *
 * @example
 * app.use(toExpressRootHandler(postern), toExpressHandler(postern));
 */
export function toExpressRootHandler(postern: PosternHandler, options?: RootOptions): ExpressHandler {
  return (request, response, next) => {
    const { method = "GET" } = request;
    const url = request.originalUrl ?? request.url ?? "/";
    if (!["GET", "HEAD", "OPTIONS"].includes(method) || !url.startsWith("/") || !URL.canParse(url, postern.issuer)) return next();
    const { origin } = new URL(postern.issuer);
    const { remoteAddress: clientAddress } = request.socket;
    const extra = clientAddress === undefined ? {} : { clientAddress };
    handleRootRequest(postern, new Request(origin + url, { method, headers: headersOf(request) }), options, extra)
      .then((rootResponse) => (rootResponse === undefined ? next() : writeResponse(rootResponse, response)))
      .catch(next);
  };
}
