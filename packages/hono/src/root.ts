import type { PosternHandler } from "@postern/core";
import { handleRootRequest, type RootOptions } from "@postern/core/glue";
import type { MiddlewareHandler } from "hono";

/**
 * Answers the few addresses at the root of the issuer's host that clients ask for where the issuer has a path: RFC 8414's metadata, the vendor's `/v2/logout`, and `/.well-known/change-password` where the options say
 * where that leads. Everything else goes on.
 *
 * @example
 * app.use(toHonoRootHandler(postern));
 */
export function toHonoRootHandler(postern: PosternHandler, options?: RootOptions): MiddlewareHandler {
  return async ({ req }, next) =>
    (await handleRootRequest(postern, new Request(req.url, { method: req.method, headers: req.raw.headers }), options)) ?? next();
}
