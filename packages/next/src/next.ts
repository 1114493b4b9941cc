import { toService } from "@postern/app/service";
import { withRequestedUrl, type AppLocation } from "./requested-url.ts";
import type { PosternHandler } from "@postern/core";
import type { OpenService } from "./service.ts";

/** A route handler. Next.js passes its `NextRequest`, which is a `Request`. */
export type NextHandler = (request: Request) => Promise<Response>;

/** What a `route.ts` exports: a handler for each method. */
export type NextHandlers = Readonly<Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", NextHandler>>;

/** Options of {@link toNextHandlers}. */
export interface NextHandlerOptions extends AppLocation {
  /**
   * Returns the address of the client. Next.js does not pass it to a handler, so by default limits by address do not
   * run. Use a header only if nothing but your proxy can set it, for example `(request) =>
   * request.headers.get("x-real-ip") ?? undefined` on Vercel.
   */
  readonly clientAddress?: (request: Request) => string | undefined;
  /**
   * Keeps the process running for work after the response, such as sending an email: `after` of `next/server`. Default:
   * none.
   */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

/**
 * Postern as route handlers of Next.js (App Router), for a catch-all route: `app/[...postern]/route.ts`,
 * or, with an issuer that ends in `/auth/`, `app/auth/[...postern]/route.ts`.
 *
 * Pass a function, because `next build` loads every route without a database. The first request calls the function,
 * once per process, even if several routes share it. If it fails, that request fails with its error and the next
 * request calls it again. In `next dev` the service survives edits, except edits of the function itself.
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
    // Must run before the service is opened. When Next.js tries to prerender the route at build time, it stops at the
    // first access to the request.
    const requested = withRequestedUrl(request, location);
    const address = clientAddress?.(request);
    const opened = await service();
    return opened.fetch(requested, { ...(address !== undefined && { clientAddress: address }), ...(waitUntil && { waitUntil }) });
  };
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle };
}
