import { createServer, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { RequestExtra } from "@postern/core";
import { StartError } from "./start-error.ts";

/** Answers a request. */
export type Handler = (request: Request, extra: RequestExtra) => Promise<Response>;

/** A server that listens. */
export interface Server {
  /** The port, also where 0 was asked for and the system chose one. */
  readonly port: number;
  /** Answers all requests from now on, also those that came before and wait. */
  serve(handler: Handler): void;
  /** Accepts nothing new, finishes what has begun, and cuts off what takes longer than `milliseconds`. */
  drain(milliseconds: number): Promise<void>;
}

/**
 * Listens. This comes before anything is done to the database, so that a second server on one port disturbs nothing.
 * @throws {StartError} where the address cannot be had.
 */
export async function listen(host: string, port: number): Promise<Server> {
  const { promise: handler, resolve: serve } = Promise.withResolvers<Handler>();
  const open = new Set<ServerResponse>();
  const running = new Set<Promise<unknown>>();
  const keep = (work: Promise<unknown>): void => {
    running.add(work);
    const done = (): boolean => running.delete(work);
    // The listener reports a rejected answer. Here a rejection would be unhandled and end the process.
    void work.then(done, done);
  };
  let draining = false;

  const listener = getRequestListener(async (request, { incoming }) => {
    const clientAddress = incoming.socket.remoteAddress;
    const answer = (await handler)(request, { waitUntil: keep, ...(clientAddress !== undefined && { clientAddress }) });
    keep(answer);
    return answer;
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.prependListener("request", (_incoming, outgoing) => {
    open.add(outgoing);
    if (draining) outgoing.shouldKeepAlive = false;
    outgoing.on("close", () => {
      open.delete(outgoing);
      if (draining) server.closeIdleConnections();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new StartError(whyNot(error, host, port), { cause: error })));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    serve,
    async drain(milliseconds) {
      draining = true;
      // Clients that would send another request on the same connection are told not to.
      for (const outgoing of open) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        server.closeAllConnections();
        late.resolve();
      }, milliseconds);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      // A client may have left before its answer, and mails go out after it; both may still write to the database.
      await Promise.race([settled(running), late.promise]);
      clearTimeout(timer);
    },
  };
}

/** Resolves when nothing is under way any more: an answer may begin something that goes on after it. */
async function settled(running: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (running.size > 0) await Promise.allSettled(running);
}

function whyNot(error: Error, host: string, port: number): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `PORT ${port} on ${host} is taken by another process. Stop that one, or set PORT to another number.`;
  if (code === "EACCES") return `PORT ${port} on ${host} needs rights that this process does not have. Set PORT to a number above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `HOST ${host} is no address of this machine.`;
  return `Cannot listen on HOST ${host}, PORT ${port}: ${error.message}`;
}
