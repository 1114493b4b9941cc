import { createPostern } from "@postern/core";
import { toHonoHandler } from "@postern/hono";
import { openDatabase } from "@postern/kysely/url";
import { Hono } from "hono";

const { DATABASE_URL = "sqlite:./data/app.db", ISSUER = "http://localhost:3000/auth/" } = process.env;
const { POSTERN_SECRET = "for-development-only-0123456789abcdef", BACKEND_SECRET = "for-development-only" } = process.env;

const data = await openDatabase(DATABASE_URL);
await data.migrate();

const postern = createPostern({ issuer: ISSUER, data, secret: POSTERN_SECRET, defaultTenantId: "main" });
await postern.seed({
  tenantId: "main",
  clients: [
    { clientId: "backend", secret: BACKEND_SECRET, settings: { name: "Backend", app_type: "non_interactive" }, managesTenant: true },
  ],
});

/** An app with pages of its own; everything below /auth/ is Postern's. */
export const app = new Hono();
app.all("/auth/*", toHonoHandler(postern));
app.get("/", (context) => context.text("My own page"));
