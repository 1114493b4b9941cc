import type { PosternHandler } from "@postern/core";
import { isServedPath, reportUnhandledRequest } from "@postern/core/glue";
import type { Context, MiddlewareHandler } from "hono";
import { peerAddress } from "./peer-address.ts";
import { unreadRequest } from "./unread-request.ts";

/** Options of {@link toHonoHandler}. */
export interface HonoHandlerOptions {
  /**
   * Returns the IP address of the client. Default: the address of the socket on Node (`@hono/node-server`), Bun and
   * Deno; otherwise none. Use a header only if clients cannot set it, because a proxy replaces it: on Cloudflare, `(c)
   * => c.req.header("cf-connecting-ip")`.
   */
  readonly clientAddress?: (context: Context) => string | undefined;
}

/**
 * Creates a handler for Hono that serves Postern, on any runtime.
 *
 * Requests outside the issuer's path go to the next handler, so you can mount it anywhere. If the issuer has no path,
 * it handles every request: declare your own routes first. Use `app.all` or `app.use`. `app.mount` removes its path
 * from the URL, unless you pass `{ replaceRequest: false }`. Middleware may read the body through `c.req` before
 * Postern does.
 *
 * @example
 * const postern = createPostern({ issuer: "https://example.com/auth/", data, crypto: { secret } });
 * app.all("/auth/*", toHonoHandler(postern));
 */
export function toHonoHandler(postern: PosternHandler, options: HonoHandlerOptions = {}): MiddlewareHandler {
  const { clientAddress = (context) => peerAddress(context.env, context.req.raw) } = options;
  return async (context, next) => {
    if (!isServedPath(postern, new URL(context.req.url).pathname)) {
      void reportUnhandledRequest(postern, context.req.raw);
      return next();
    }
    const address = clientAddress(context);
    const waitUntil = waitUntilOf(context);
    return postern.fetch(await unreadRequest(context), {
      ...(address !== undefined && { clientAddress: address }),
      ...(waitUntil && { waitUntil }),
    });
  };
}

/** Returns the platform's function that keeps the process running after the response, or undefined if it has none. */
function waitUntilOf(context: Context): ((work: Promise<unknown>) => void) | undefined {
  try {
    const { executionCtx } = context;
    return (work) => executionCtx.waitUntil(work);
  } catch {
    // Hono throws if the platform passed no execution context.
    return undefined;
  }
}
