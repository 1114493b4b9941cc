import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A port of this machine that nothing listens on: for servers that are told theirs before they start. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // `listen` on a port gives an address of this form.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
