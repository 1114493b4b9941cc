import { toService } from "@postern/app/service";
import { asAsked, type AppPlace } from "./as-asked.ts";
import type { PosternHandler } from "@postern/core";
import type { OpenService } from "./service.ts";

/** A route handler. Next.js passes its `NextRequest`, which is a `Request`. */
export type NextHandler = (request: Request) => Promise<Response>;

/** What a `route.ts` exports: a handler for each method. */
export type NextHandlers = Readonly<Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", NextHandler>>;

/** Options of {@link toNextHandlers}. */
export interface NextHandlerOptions extends AppPlace {
  /**
   * Returns the address of the client. Next.js does not pass it to a handler, so by default limits by address do not run.
   * Use a header only if nothing but your proxy can set it, for example `(request) => request.headers.get("x-real-ip") ?? undefined` on Vercel.
   */
  readonly clientAddress?: (request: Request) => string | undefined;
  /** Keeps the process running for work after the response, such as a mail delivery: `after` of `next/server`. Default: none. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

/**
 * Postern as route handlers of Next.js (App Router), for a catch-all route: `app/[...postern]/route.ts`,
 * or, with an issuer that ends in `/auth/`, `app/auth/[...postern]/route.ts`.
 *
 * Pass a function: `next build` loads every route, and has no database. The function is called by the first request and once in a process, however many
 * routes share it; where it fails, that request fails with its error and the next one calls it again. In `next dev` the service outlives edits, but not those of the function itself.
 *
 * @example
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNextHandlers(openPostern, { waitUntil: after });
 */
export function toNextHandlers(
  postern: PosternHandler | Promise<PosternHandler> | OpenService,
  { clientAddress, waitUntil, ...place }: NextHandlerOptions = {},
): NextHandlers {
  const service = toService(postern);
  const handle: NextHandler = async (request) => {
    // Before anything is opened: where Next.js tries whether an answer can be made at build time, it stops at the first look at the request.
    const asked = asAsked(request, place);
    const address = clientAddress?.(request);
    const opened = await service();
    return opened.fetch(asked, { ...(address !== undefined && { clientAddress: address }), ...(waitUntil && { waitUntil }) });
  };
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle };
}
