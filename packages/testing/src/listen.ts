import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A server on a port of 127.0.0.1. */
export interface Listening {
  readonly port: number;
  /** Hands requests to somebody; before that each is answered 503. */
  serve(listener: RequestListener): void;
  /** Repeatable. */
  close(): Promise<void>;
}

/**
 * Listens: on https with a certificate, else on http.
 * @param port 0: a free one.
 * @throws {Error} the system's, for a port that is taken.
 */
export async function listen(port: number, tls?: Certificate): Promise<Listening> {
  let listener: RequestListener = (_, response) => void response.writeHead(503).end();
  const answer: RequestListener = (request, response) => listener(request, response);
  const server: Server = tls === undefined ? createHttpServer(answer) : createHttpsServer({ ...tls }, answer);
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
