import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { PosternHandler } from "@postern/core";

/** Options for passing a Node request to Postern. */
interface ConversionOptions {
  /** Changes the request before it is passed to Postern. */
  readonly prepare?: (request: Request) => Request;
  /** Called for an internal error, with the duty to send the response. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Creates a listener for `node:http`, and for frameworks that pass Node's own request and response objects.
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

/** Returns the response to a request whose URL or Host header is invalid. */
function unreadable(): Response {
  return Response.json({ error: "invalid_request", error_description: "the URL of the request is invalid" }, { status: 400 });
}
