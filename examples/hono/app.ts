import { createPostern } from "@postern/core";
import { toHonoHandler } from "@postern/hono";
import { openDatabase } from "@postern/kysely/url";
import { Hono } from "hono";

const { DATABASE_URL = "sqlite:./data/app.db", ISSUER = "http://localhost:3000/auth/", NODE_ENV } = process.env;

/** In development, the public secrets in this file are sufficient. Every other environment must set secret values. */
const isDevelopment = NODE_ENV !== "production" && new URL(ISSUER).hostname === "localhost";

function secret(name: "POSTERN_SECRET" | "BACKEND_SECRET", forDevelopment: string): string {
  const value = process.env[name] ?? (isDevelopment ? forDevelopment : undefined);
  if (value === undefined) throw new Error(`${name} is not set. It is required in production, and if the host of ISSUER is not localhost`);
  return value;
}

const POSTERN_SECRET = secret("POSTERN_SECRET", "for-development-only-0123456789abcdef");
const BACKEND_SECRET = secret("BACKEND_SECRET", "for-development-only");

const data = await openDatabase(DATABASE_URL);
await data.migrate();

const postern = createPostern({ issuer: ISSUER, data, crypto: { secret: POSTERN_SECRET }, defaultTenantId: "main" });
await postern.seed({
  tenantId: "main",
  clients: [
    { clientId: "backend", secret: BACKEND_SECRET, settings: { name: "Backend", app_type: "non_interactive" }, managesTenant: true },
  ],
});

/** The example app. It serves its own pages, and passes every path below /auth/ to Postern. */
export const app = new Hono();
app.all("/auth/*", toHonoHandler(postern));
app.get("/", (context) => context.text("My own page"));
