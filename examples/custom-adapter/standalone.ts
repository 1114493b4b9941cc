import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { createPostern } from "@postern/core";
import { toNodeHandler } from "@postern/express";
import { logAdapter } from "./log-adapter.ts";

const { DATA_FILE = "./data/postern.log", PORT = "3000", ISSUER = `http://localhost:${PORT}/`, NODE_ENV } = process.env;

/** In development, the public secrets in this file are sufficient. Every other environment must set secret values. */
const isDevelopment = NODE_ENV !== "production" && new URL(ISSUER).hostname === "localhost";

function secret(name: "POSTERN_SECRET" | "BACKEND_SECRET", forDevelopment: string): string {
  const value = process.env[name] ?? (isDevelopment ? forDevelopment : undefined);
  if (value === undefined) throw new Error(`${name} is not set. It is required in production, and if the host of ISSUER is not localhost`);
  return value;
}

const POSTERN_SECRET = secret("POSTERN_SECRET", "for-development-only-0123456789abcdef");
const BACKEND_SECRET = secret("BACKEND_SECRET", "for-development-only");

await mkdir(dirname(DATA_FILE), { recursive: true });
const data = await logAdapter(DATA_FILE);

const postern = createPostern({ issuer: ISSUER, data, crypto: { secret: POSTERN_SECRET }, defaultTenantId: "main" });
await postern.check();
await postern.seed({
  tenantId: "main",
  clients: [
    { clientId: "backend", secret: BACKEND_SECRET, settings: { name: "Backend", app_type: "non_interactive" }, managesTenant: true },
  ],
});

/** Serves only Postern, with the adapter in this folder. */
export const server = createServer(toNodeHandler(postern)).listen(Number(PORT), "127.0.0.1");
server.on("listening", () => console.log(`${ISSUER}.well-known/openid-configuration`));
server.on("close", () => void data.close?.());
process.once("SIGTERM", () => server.close());
