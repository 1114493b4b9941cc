import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@postern/express";
import { systemClock } from "@postern/core/testing";
import { createTestPostern, type TestOptions, type TestPostern } from "./postern.ts";

/**
 * A {@link TestPostern} that listens on a port. It uses the system clock, because external clients use this clock as
 * well.
 */
export interface ServedPostern extends TestPostern {
  /** The base URL: `http://127.0.0.1:<port>`, without a path. */
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves a Postern on a free port. @param options returns the options for an origin. By default, the origin is the
 * issuer.
 */
export async function serve(options: (origin: string) => TestOptions = () => ({})): Promise<ServedPostern> {
  let listener: RequestListener = () => {};
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The address of a server that listens on a port is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const own = options(origin);
  const service = await createTestPostern({ issuer: `${origin}/`, ...own, testing: { clock: systemClock, ...own.testing } });
  listener = toNodeHandler(service.postern);
  return {
    ...service,
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
