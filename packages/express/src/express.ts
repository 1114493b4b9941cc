import type { IncomingMessage, ServerResponse } from "node:http";
import type { PosternHandler } from "@postern/core";
import { isServedPath, reportUnhandledRequest } from "@postern/core/glue";
import { passToNext } from "./node.ts";
import { parsedBody } from "./parsed-body.ts";

/** The properties that Express adds to Node's request and that this handler uses. */
export interface ExpressRequest extends IncomingMessage {
  /** The path and query of the request. In contrast to `url`, it includes the path that the handler is mounted on. */
  readonly originalUrl?: string;
  /** The parsed body; undefined if no body parser ran. */
  readonly body?: unknown;
}

/** A handler for Express 4 and 5, declared without a dependency on Express's types. */
export type ExpressHandler = (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void) => void;

/**
 * Creates a handler for Express 4 and 5 that serves Postern.
 *
 * Mount it before body parsers: they may reject or change the bodies that OAuth clients send. It also works after them,
 * with the parsed body. The mount path has no effect. Requests outside the issuer's path go to the next handler. If the
 * issuer has no path, mount this handler last, because it handles every request. It calls `next(error)` only for
 * internal errors.
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
    const [path = ""] = url.split("?", 1);
    if (pathname !== "/" && !isServedPath(postern, path)) {
      if (URL.canParse(url, postern.issuer))
        void reportUnhandledRequest(postern, { method: request.method ?? "GET", url: new URL(url, postern.issuer).href });
      next();
      return;
    }
    request.url = url;
    passToNext(postern, request, response, {
      prepare: (unread) => withParsedBody(unread, request),
      failed: (error) => {
        if (mountedUrl !== undefined) request.url = mountedUrl;
        next(error);
      },
    });
  };
}

/** Returns the original request. If a body parser already read the body, rebuilds the body from the parsed value. */
function withParsedBody(request: Request, { body, readableDidRead }: ExpressRequest): Request {
  if (!readableDidRead || body === undefined || request.method === "GET" || request.method === "HEAD") return request;
  const headers = new Headers(request.headers);
  const rebuilt = parsedBody(body, headers.get("content-type") ?? "");
  // These headers describe the original body. The rebuilt body has another length and is not compressed.
  headers.delete("content-length");
  headers.delete("content-encoding");
  return new Request(request.url, { method: request.method, headers, body: rebuilt, signal: request.signal });
}
