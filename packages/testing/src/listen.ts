import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A server that listens on a port of 127.0.0.1. */
interface Listening {
  readonly port: number;
  /** Sets the request listener. Until then the server responds with 503. */
  serve(listener: RequestListener): void;
  /** Stops listening. Can be called more than once. */
  close(): Promise<void>;
}

/**
 * Starts a server: HTTPS with a certificate, otherwise HTTP.
 * @param port 0 selects a free port.
 * @throws {Error} the system error (`EADDRINUSE`) if the port is in use.
 */
export async function listen(port: number, tls?: Certificate): Promise<Listening> {
  let listener: RequestListener = (_, response) => void response.writeHead(503).end();
  const handle: RequestListener = (request, response) => listener(request, response);
  const server: Server = tls === undefined ? createHttpServer(handle) : createHttpsServer({ ...tls }, handle);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    serve: (next) => void (listener = next),
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
