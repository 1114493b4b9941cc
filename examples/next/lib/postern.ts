import { createPostern, type Postern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

const { DATABASE_URL = "sqlite:./data/app.db", ISSUER = "http://localhost:3000/auth/", NODE_ENV } = process.env;

/** On a developer's machine the secrets in this file will do. Anywhere else they would be no secrets: everybody can read them here. */
const isDevelopment = NODE_ENV !== "production" && new URL(ISSUER).hostname === "localhost";

function secret(name: "POSTERN_SECRET" | "BACKEND_SECRET", forDevelopment: string): string {
  const value = process.env[name] ?? (isDevelopment ? forDevelopment : undefined);
  if (value === undefined) throw new Error(`${name} is not set, as it must be in production, and where ISSUER is not on localhost`);
  return value;
}

/**
 * Opens the identity service of this app; everything below /auth/ is Postern's. All that needs the database or a secret stands in here and not beside it:
 * `next build` loads this file too, and has neither.
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
