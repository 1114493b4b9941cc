import { createPostern } from "@postern/core";
import { createSqliteAdapter } from "@postern/kysely";
import { Database } from "bun:sqlite";

const { DATABASE_FILE = "app.db", PORT = "3000", ISSUER = `http://localhost:${PORT}/`, NODE_ENV } = process.env;
const { CALLBACK_URL = "http://localhost:3001/callback", LOGOUT_URL = "http://localhost:3001/" } = process.env;

/** In development, the public secrets in this file are sufficient. Every other environment must set secret values. */
const isDevelopment = NODE_ENV !== "production" && new URL(ISSUER).hostname === "localhost";

function secret(name: "POSTERN_SECRET" | "WEB_SECRET" | "MANAGER_SECRET", forDevelopment: string): string {
  const value = process.env[name] ?? (isDevelopment ? forDevelopment : undefined);
  if (value === undefined) throw new Error(`${name} is not set. It is required in production, and if the host of ISSUER is not localhost`);
  return value;
}

const data = createSqliteAdapter({ database: new Database(DATABASE_FILE) });
await data.migrate();

const crypto = { secret: secret("POSTERN_SECRET", "for-development-only-0123456789abcdef") };
const postern = createPostern({ issuer: ISSUER, data, crypto, defaultTenantId: "main" });
await postern.seed({
  tenantId: "main",
  clients: [
    {
      clientId: "web",
      secret: secret("WEB_SECRET", "for-development-only"),
      settings: { name: "Web", app_type: "regular_web", callbacks: [CALLBACK_URL], allowed_logout_urls: [LOGOUT_URL] },
    },
    {
      clientId: "manager",
      secret: secret("MANAGER_SECRET", "for-development-only"),
      settings: { name: "Manager", app_type: "non_interactive" },
      managesTenant: true,
    },
  ],
});

/** Accepts connections only from this machine, for example from a TLS proxy. */
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(PORT),
  fetch: (request, server) => {
    const peer = server.requestIP(request);
    return postern.fetch(request, peer === null ? {} : { clientAddress: peer.address });
  },
});
console.log(`${ISSUER}.well-known/openid-configuration`);

setInterval(() => void postern.jobs.sweep().catch(console.error), 10 * 60_000);
