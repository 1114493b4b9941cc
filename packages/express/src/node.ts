import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { PosternHandler } from "@postern/core";

/** Options of the conversion of Node requests. */
interface ConversionOptions {
  /** Changes the request before it is passed to Postern. */
  readonly prepare?: (request: Request) => Request;
  /** Called for an internal error. It must then send the response itself. */
  readonly failed?: (error: unknown) => void;
}

/**
 * A listener for `node:http` and for frameworks that pass Node's own objects.
 *
 * Rate limits use the address of the socket. Behind a proxy, set `trustedProxies` of `createPostern`.
 *
 * @example
 * const postern = createPostern({ issuer: "http://localhost:3000/", data, crypto: { secret } });
 * createServer(toNodeHandler(postern)).listen(3000);
 */
export function toNodeHandler(postern: PosternHandler): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => passToNext(postern, request, response);
}

/** Handles one request. */
export function passToNext(
  postern: PosternHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { prepare, failed }: ConversionOptions = {},
): void {
  const clientAddress = incoming.socket.remoteAddress;
  const listener = getRequestListener(
    (request) => postern.fetch(prepare?.(request) ?? request, clientAddress === undefined ? {} : { clientAddress }),
    {
      // The host application owns the global Request and Response: do not replace them.
      overrideGlobalObjects: false,
      errorHandler: (error) => {
        if (error instanceof RequestError) return unreadable();
        if (failed === undefined) return new Response(null, { status: 500 });
        failed(error);
        return undefined;
      },
    },
  );
  void listener(incoming, outgoing);
}

/** A request URL or Host header from which no URL can be built. */
function unreadable(): Response {
  return Response.json({ error: "invalid_request", error_description: "the URL of the request is invalid" }, { status: 400 });
}
