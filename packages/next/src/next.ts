import { toService } from "@postern/app/service";
import { withRequestedUrl, type AppLocation } from "./requested-url.ts";
import type { PosternHandler } from "@postern/core";
import type { OpenService } from "./service.ts";

/** A route handler. Next.js passes its `NextRequest`, which is a `Request`. */
export type NextHandler = (request: Request) => Promise<Response>;

/** The exports of a `route.ts`: a handler for each HTTP method. */
export type NextHandlers = Readonly<Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", NextHandler>>;

/** Options of {@link toNextHandlers}. */
export interface NextHandlerOptions extends AppLocation {
  /**
   * Returns the IP address of the client. Next.js does not pass the address to a handler, so by default rate limits per
   * client address have no effect. Use a header only if clients cannot set it, because your proxy replaces it, for
   * example `(request) => request.headers.get("x-real-ip") ?? undefined` on Vercel.
   */
  readonly clientAddress?: (request: Request) => string | undefined;
  /**
   * Keeps the process running for work after the response, such as sending an email: `after` of `next/server`. Default:
   * none.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

/**
 * Creates route handlers for Next.js (App Router) that serve Postern in a catch-all route: `app/[...postern]/route.ts`,
 * or, with an issuer that ends in `/auth/`, `app/auth/[...postern]/route.ts`.
 *
 * Pass a function, because `next build` loads every route without a database. The first request calls the function,
 * once per process, even if several routes share it. If the function fails, the request fails with the function's
 * error, and the next request calls the function again. In `next dev`, the service stays open when you edit a file,
 * unless you edit the function itself.
 *
 * @example
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(openPostern, { waitUntil: after });
 */
export function toNextHandlers(
  postern: PosternHandler | Promise<PosternHandler> | OpenService,
  { clientAddress, waitUntil, ...location }: NextHandlerOptions = {},
): NextHandlers {
  const service = toService(postern);
  const handle: NextHandler = async (request) => {
    // This access to the request must precede the opening of the service: when Next.js tries to prerender the route at
    // build time, it stops at the first access to the request.
    const requested = withRequestedUrl(request, location);
    const address = clientAddress?.(request);
    const opened = await service();
    return opened.fetch(requested, { ...(address !== undefined && { clientAddress: address }), ...(waitUntil && { waitUntil }) });
  };
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle };
}
