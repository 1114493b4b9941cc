import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** Finds a local port that is not in use, for servers that need their port before they start. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a server that listens on a port is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
