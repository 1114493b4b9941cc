import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { AddressInfo } from "node:net";
import type { Facts } from "../operation.ts";

/** The methods of a server that {@link ready} uses. */
interface ListeningServer {
  listen(port: number, host: string, done: () => void): unknown;
  address(): AddressInfo | string | null;
}

/**
 * Listens on a free port and prints it as one line of JSON, with the values that requests need. Exits cleanly on
 * SIGTERM, so that a profile is written.
 */
export function ready(server: ListeningServer, peer: { readonly [name: string]: string } = {}): void {
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    process.stdout.write(`${JSON.stringify({ port, peer })}\n`);
  });
  process.on("SIGTERM", () => process.exit(0));
}

/** Prints the delays of the event loop since the last signal, in milliseconds as a line of JSON, on SIGUSR2. */
export function watchStalls(): void {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  process.on("SIGUSR2", () => {
    process.stdout.write(`${JSON.stringify({ longest: delays.max / 1e6, p99: delays.percentile(99) / 1e6 })}\n`);
    delays.reset();
  });
}

export function readFacts(path: string): Facts {
  // `prepare.ts` wrote this file in the same run.
  return JSON.parse(readFileSync(path, "utf8")) as Facts;
}
