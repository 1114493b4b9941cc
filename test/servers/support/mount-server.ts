import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { ExpressHandler } from "@postern/express";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import express4 from "express-4";
import type { Hono } from "hono";
import { proxyTo } from "../../support/tls-proxy.ts";

/** A server on a free port, whose listener a test sets when the URL is known. */
export interface MountServer {
  /** The origin of the server, or of the TLS proxy before it. */
  readonly origin: string;
  listen(listener: RequestListener): void;
  close(): Promise<void>;
}

/** Opens a {@link MountServer}. */
export async function openMountServer(behindTls: boolean): Promise<MountServer> {
  let listener: RequestListener = () => {};
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo;
  const proxy = behindTls ? await proxyTo(port) : undefined;
  return {
    origin: proxy?.origin ?? `http://127.0.0.1:${port}`,
    listen: (set) => void (listener = set),
    async close() {
      await proxy?.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** The API that Express 4 and 5 have in common. */
interface ExpressApp extends RequestListener {
  use(handler: express.RequestHandler | ExpressHandler): unknown;
  use(path: string, handler: ExpressHandler): unknown;
}

/** The supported versions of Express. */
export const expresses: { readonly [version in "Express 4" | "Express 5"]: () => ExpressApp } = {
  "Express 4": express4,
  "Express 5": express,
};

/** Returns the request listener of a Hono app. */
export function listenerOf(app: Hono): RequestListener {
  const listener = getRequestListener((request, env) => app.fetch(request, env));
  return (request, response) => void listener(request, response);
}
