import { createServer, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { RequestExtra } from "@postern/core";
import { StartError } from "./start-error.ts";

/** Handles a request. */
export type Handler = (request: Request, extra: RequestExtra) => Promise<Response>;

/** A server that listens. */
interface Server {
  /** The port that the server listens on. For port 0, this is the port that the system selected. */
  readonly port: number;
  /** Sets the handler for all requests, including requests that are already waiting. */
  serve(handler: Handler): void;
  /**
   * Stops accepting requests and waits for the running ones. After `milliseconds`, closes the remaining connections.
   */
  drain(milliseconds: number): Promise<void>;
}

/**
 * Starts listening. Call it before you access the database, so that a second server on the same port does not affect
 * the data.
 * @throws {StartError} if the server cannot listen on the address.
 */
export async function startServer(host: string, port: number): Promise<Server> {
  const { promise: handler, resolve: serve } = Promise.withResolvers<Handler>();
  const openResponses = new Set<ServerResponse>();
  const running = new Set<Promise<unknown>>();
  const track = (work: Promise<unknown>): void => {
    running.add(work);
    const done = (): boolean => running.delete(work);
    // The listener reports a rejected response. Without this handler, the rejection would end the process.
    void work.then(done, done);
  };
  let draining = false;

  const listener = getRequestListener(async (request, { incoming }) => {
    const clientAddress = incoming.socket.remoteAddress;
    const response = (await handler)(request, { waitUntil: track, ...(clientAddress !== undefined && { clientAddress }) });
    track(response);
    return response;
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.prependListener("request", (_incoming, outgoing) => {
    openResponses.add(outgoing);
    if (draining) outgoing.shouldKeepAlive = false;
    outgoing.on("close", () => {
      openResponses.delete(outgoing);
      if (draining) server.closeIdleConnections();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new StartError(explain(error, host, port), { cause: error })));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    serve,
    async drain(milliseconds) {
      draining = true;
      // Tells clients not to send another request on the same connection.
      for (const outgoing of openResponses) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
      const deadline = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        server.closeAllConnections();
        deadline.resolve();
      }, milliseconds);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      // Work for disconnected clients, and work that continues after a response, such as sending an email, may still
      // write to the database.
      await Promise.race([whenIdle(running), deadline.promise]);
      clearTimeout(timer);
    },
  };
}

/** Resolves when no work is running. Running work may start further work. */
async function whenIdle(running: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (running.size > 0) await Promise.allSettled(running);
}

function explain(error: Error, host: string, port: number): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `PORT ${port} on ${host} is in use by another process. Stop that process, or set PORT to another number.`;
  if (code === "EACCES")
    return `PORT ${port} on ${host} requires privileges that this process does not have. Set PORT to a number above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `HOST ${host} is not an address of this machine.`;
  return `Cannot listen on HOST ${host}, PORT ${port}: ${error.message}`;
}
