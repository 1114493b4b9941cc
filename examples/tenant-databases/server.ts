import { createServer } from "node:http";
import { toNodeHandler } from "@postern/express";
import { openDatabases } from "./databases.ts";
import { controlPlaneId, createService } from "./service.ts";

const { DATABASES = "./data", PORT = "3000", ISSUER = `http://localhost:${PORT}/`, NODE_ENV } = process.env;

/** In development, the public secrets in this file are sufficient. Every other environment must set secret values. */
const isDevelopment = NODE_ENV !== "production" && new URL(ISSUER).hostname === "localhost";

function secret(name: "POSTERN_SECRET" | "MANAGER_SECRET", forDevelopment: string): string {
  const value = process.env[name] ?? (isDevelopment ? forDevelopment : undefined);
  if (value === undefined) throw new Error(`${name} is not set. It is required in production, and if the host of ISSUER is not localhost`);
  return value;
}

const databases = await openDatabases(DATABASES);
await databases.first.migrate();
const postern = createService(databases, {
  issuer: ISSUER,
  crypto: { secret: secret("POSTERN_SECRET", "for-development-only-0123456789abcdef") },
});
await postern.check();
await postern.seed({
  tenantId: controlPlaneId,
  clients: [
    {
      clientId: "manager",
      secret: secret("MANAGER_SECRET", "for-development-only"),
      settings: { name: "Manager of tenants", app_type: "non_interactive" },
      managesTenant: true,
    },
  ],
});

/** Serves only Postern. `POST /tenants` creates a tenant with its database. */
const server = createServer(toNodeHandler(postern)).listen(Number(PORT), "127.0.0.1");
server.on("listening", () => console.log(`${ISSUER}.well-known/openid-configuration`));
const sweeping = setInterval(() => void postern.jobs.sweep().catch(console.error), 600_000);
server.on("close", () => {
  clearInterval(sweeping);
  // Closes the tenants' databases first, because their adapters share a connection pool with the first database.
  void postern.close().then(() => databases.close());
});
process.once("SIGTERM", () => server.close());
