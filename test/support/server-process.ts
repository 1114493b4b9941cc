/** Serves a Postern on the database URL in the first argument, and prints its base URL. Tests may kill this process. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPostern } from "@postern/core";
import { toNodeHandler } from "@postern/express";
import { openDatabase } from "@postern/kysely/url";

const data = await openDatabase(String(process.argv[2]));
await data.migrate();
const postern = createPostern({
  issuer: "http://postern.test/",
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
  defaultTenantId: "main",
  controlPlane: { tenantId: "main" },
});
const settings = { name: "Manager", app_type: "non_interactive" } as const;
const secret = "a-secret-that-is-long-enough-for-tests";
await postern.seed({ tenantId: "main", clients: [{ clientId: "main-manager", secret, settings, managesTenant: true }] });

const server = createServer(toNodeHandler(postern));
server.listen(0, "127.0.0.1", () => {
  // The address of a server that listens on a port is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}/`);
});
