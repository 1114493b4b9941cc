import type { IncomingMessage, ServerResponse } from "node:http";
import type { PosternHandler } from "@postern/core";
import { reportUnhandledRequest } from "@postern/core/glue";
import { pass } from "./node.ts";
import { parsedBody } from "./parsed-body.ts";

/** What Express adds to Node's request, as far as it is needed here. */
export interface ExpressRequest extends IncomingMessage {
  /** The path and query that were asked for; `url` lacks the path that a handler is mounted on. */
  readonly originalUrl?: string;
  /** What a body parser made of the body; undefined where none ran. */
  readonly body?: unknown;
}

/** A handler as Express 4 and 5 take it. Written out, so that it fits without Express's own types. */
export type ExpressHandler = (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void) => void;

/**
 * Postern as a handler for Express 4 and 5.
 *
 * Mount it before body parsers: they may refuse or change what OAuth clients send. After them it works too, from what they parsed.
 * The mount path does not matter, the path of the issuer does: what lies outside it goes on to the next handler. Where the issuer has no path
 * this is the last handler, because it answers everything. `next(error)` is called on faults alone.
 *
 * @example
 * const postern = createPostern({ issuer: "https://example.com/auth/", data, crypto: { secret } });
 * app.use(toExpressHandler(postern));
 * app.use(express.json());
 */
export function toExpressHandler(postern: PosternHandler): ExpressHandler {
  const { pathname } = new URL(postern.issuer);
  return (request, response, next) => {
    const mountedUrl = request.url;
    const url = request.originalUrl ?? mountedUrl ?? "/";
    if (pathname !== "/" && !url.startsWith(pathname)) {
      if (URL.canParse(url, postern.issuer))
        void reportUnhandledRequest(postern, { method: request.method ?? "GET", url: new URL(url, postern.issuer).href });
      next();
      return;
    }
    request.url = url;
    pass(postern, request, response, {
      prepare: (unread) => withParsedBody(unread, request),
      failed: (error) => {
        if (mountedUrl !== undefined) request.url = mountedUrl;
        next(error);
      },
    });
  };
}

/** The request as it came, or, where a body parser was faster, with a body made of what that one left. */
function withParsedBody(request: Request, { body, readableDidRead }: ExpressRequest): Request {
  if (!readableDidRead || body === undefined || request.method === "GET" || request.method === "HEAD") return request;
  const headers = new Headers(request.headers);
  const again = parsedBody(body, headers.get("content-type") ?? "");
  // They described the body that is gone: this one has another length, and parsers unpack it.
  headers.delete("content-length");
  headers.delete("content-encoding");
  return new Request(request.url, { method: request.method, headers, body: again, signal: request.signal });
}
