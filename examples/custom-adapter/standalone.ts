import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname } from "node:path";
import { createPostern } from "@postern/core";
import { toNodeHandler } from "@postern/express";
import { logAdapter } from "./log-adapter.ts";

const { DATA_FILE = "./data/postern.log", PORT = "3000", ISSUER = `http://localhost:${PORT}/` } = process.env;
const { POSTERN_SECRET = "for-development-only-0123456789abcdef", BACKEND_SECRET = "for-development-only" } = process.env;

await mkdir(dirname(DATA_FILE), { recursive: true });
const data = await logAdapter(DATA_FILE);

const postern = createPostern({ issuer: ISSUER, data, secret: POSTERN_SECRET, defaultTenantId: "main" });
await postern.check();
await postern.seed({
  tenantId: "main",
  clients: [
    { clientId: "backend", secret: BACKEND_SECRET, settings: { name: "Backend", app_type: "non_interactive" }, managesTenant: true },
  ],
});

/** Nothing but Postern, on the adapter beside this file. */
export const server = createServer(toNodeHandler(postern)).listen(Number(PORT), "127.0.0.1");
server.on("listening", () => console.log(`${ISSUER}.well-known/openid-configuration`));
server.on("close", () => void data.close?.());
process.once("SIGTERM", () => server.close());
