import type { PosternHandler } from "@postern/core";
import { handleRootRequest, type RootOptions } from "@postern/core/glue";
import type { ExpressHandler } from "./express.ts";
import { headersOf, send } from "./to-web.ts";

/**
 * Answers the few addresses at the root of the issuer's host that clients ask for where the issuer has a path: RFC 8414's metadata, the vendor's `/v2/logout`, and `/.well-known/change-password` where the options say
 * where that leads. Everything else goes on.
 *
 * @example
 * app.use(toExpressRootHandler(postern), toExpressHandler(postern));
 */
export function toExpressRootHandler(postern: PosternHandler, options?: RootOptions): ExpressHandler {
  return (request, response, next) => {
    const { method = "GET" } = request;
    const url = request.originalUrl ?? request.url ?? "/";
    if ((method !== "GET" && method !== "HEAD") || !url.startsWith("/") || !URL.canParse(url, postern.issuer)) return next();
    const { origin } = new URL(postern.issuer);
    handleRootRequest(postern, new Request(origin + url, { method, headers: headersOf(request) }), options)
      .then((answer) => (answer === undefined ? next() : send(answer, response)))
      .catch(next);
  };
}
