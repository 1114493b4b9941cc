import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { PosternHandler } from "@postern/core";

/** What becomes of a request on its way from Node to Postern. */
interface Passage {
  /** Makes the request that Postern is given of the one that Node read. */
  readonly prepare?: (request: Request) => Request;
  /** Told of a fault. The response is then the callee's affair. */
  readonly failed?: (error: unknown) => void;
}

/**
 * A listener for `node:http` and for frameworks that pass Node's own objects.
 *
 * The address that limits count by is the socket's. Behind a proxy, name it in `createPostern`'s `trustedProxies`.
 *
 * @example
 * const postern = createPostern({ issuer: "http://localhost:3000/", data, crypto: { secret } });
 * createServer(toNodeHandler(postern)).listen(3000);
 */
export function toNodeHandler(postern: PosternHandler): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => pass(postern, request, response);
}

/** Answers one request. */
export function pass(
  postern: PosternHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { prepare, failed }: Passage = {},
): void {
  const clientAddress = incoming.socket.remoteAddress;
  const listener = getRequestListener(
    (request) => postern.fetch(prepare?.(request) ?? request, clientAddress === undefined ? {} : { clientAddress }),
    {
      // Request and Response belong to the host's app: they stay as they are.
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

/** An address or a Host header that makes no URL. */
function unreadable(): Response {
  return Response.json({ error: "invalid_request", error_description: "the address of the request cannot be read" }, { status: 400 });
}
