import type { PosternHandler } from "@postern/core";
import { handleRootRequest, type RootOptions } from "@postern/core/glue";
import type { MiddlewareHandler } from "hono";
import { peerAddress } from "./peer-address.ts";

/**
 * Serves the URLs that clients request at the root of the issuer's host even if the issuer has a path: the metadata
 * documents (RFC 8414), `/.well-known/webauthn`, Auth0's `/v2/logout`, and `/.well-known/change-password` if the options set its
 * target. Other requests go to the next handler.
 *
 * @example
 * app.use(toHonoRootHandler(postern));
 */
export function toHonoRootHandler(postern: PosternHandler, options?: RootOptions): MiddlewareHandler {
  return async ({ req, env }, next) => {
    const { url, method, raw } = req;
    const clientAddress = peerAddress(env, raw);
    const extra = clientAddress === undefined ? {} : { clientAddress };
    return (await handleRootRequest(postern, new Request(url, { method, headers: raw.headers }), options, extra)) ?? next();
  };
}
