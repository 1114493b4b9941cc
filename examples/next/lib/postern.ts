import { createPostern, type Postern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

const { DATABASE_URL = "sqlite:./data/app.db", ISSUER = "http://localhost:3000/auth/", NODE_ENV } = process.env;

/** In development, the public secrets in this file are sufficient. Every other environment must set secret values. */
const isDevelopment = NODE_ENV !== "production" && new URL(ISSUER).hostname === "localhost";

function secret(name: "POSTERN_SECRET" | "BACKEND_SECRET", forDevelopment: string): string {
  const value = process.env[name] ?? (isDevelopment ? forDevelopment : undefined);
  if (value === undefined) throw new Error(`${name} is not set. It is required in production, and if the host of ISSUER is not localhost`);
  return value;
}

/**
 * Opens the identity service of this app, which handles every path below /auth/. Code that needs the database or a
 * secret must be inside this function, because `next build` also loads this file, without database and secrets.
 */
export async function openPostern(): Promise<Postern> {
  const data = await openDatabase(DATABASE_URL);
  await data.migrate();

  const postern = createPostern({
    issuer: ISSUER,
    data,
    crypto: { secret: secret("POSTERN_SECRET", "for-development-only-0123456789abcdef") },
    defaultTenantId: "main",
  });
  await postern.seed({
    tenantId: "main",
    clients: [
      {
        clientId: "backend",
        secret: secret("BACKEND_SECRET", "for-development-only"),
        settings: { name: "Backend", app_type: "non_interactive" },
        managesTenant: true,
      },
    ],
  });
  return postern;
}
