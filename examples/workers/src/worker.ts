import { createPostern, type Postern } from "@postern/core";
import { createD1Adapter, type D1Database } from "@postern/kysely/d1";
import { keepAlive, type WorkerContext } from "./keep-alive.ts";

/** The variables of `wrangler.jsonc`, its database, and the secrets. */
interface Env {
  readonly DB: D1Database;
  readonly ISSUER: string;
  readonly CALLBACK_URL: string;
  readonly LOGOUT_URL: string;
  readonly POSTERN_SECRET?: string;
  readonly WEB_SECRET?: string;
  readonly MANAGER_SECRET?: string;
}

/**
 * The service for all requests in this isolate. The first request opens the service, because Workers cannot create keys
 * or query a database before the first request.
 */
let opened: Promise<Postern> | undefined;

function openPostern(env: Env): Promise<Postern> {
  opened ??= start(env).catch((error: unknown) => {
    opened = undefined; // The next request retries.
    throw error;
  });
  return opened;
}

async function start(env: Env): Promise<Postern> {
  const data = createD1Adapter({ database: env.DB });
  const postern = createPostern({ issuer: env.ISSUER, data, crypto: { secret: secret(env, "POSTERN_SECRET") }, defaultTenantId: "main" });
  await postern.seed({
    tenantId: "main",
    clients: [
      {
        clientId: "web",
        secret: secret(env, "WEB_SECRET"),
        settings: { name: "Web", app_type: "regular_web", callbacks: [env.CALLBACK_URL], allowed_logout_urls: [env.LOGOUT_URL] },
      },
      {
        clientId: "manager",
        secret: secret(env, "MANAGER_SECRET"),
        settings: { name: "Manager", app_type: "non_interactive" },
        managesTenant: true,
      },
    ],
  });
  return postern;
}

function secret(env: Env, name: "POSTERN_SECRET" | "WEB_SECRET" | "MANAGER_SECRET"): string {
  const value = env[name];
  if (value === undefined) throw new Error(`${name} is not set: wrangler secret put ${name}`);
  return value;
}

export default {
  fetch(request: Request, env: Env, context: WorkerContext): Promise<Response> {
    const waitUntil = (work: Promise<unknown>): void => context.waitUntil(work);
    // Cloudflare sets this header and replaces a value that the client sent.
    const clientAddress = request.headers.get("cf-connecting-ip");
    const extra = { waitUntil, ...(clientAddress !== null && { clientAddress }) };
    return keepAlive(
      openPostern(env).then((postern) => postern.fetch(request, extra)),
      context,
    );
  },

  /** The cron trigger. */
  async scheduled(_event: unknown, env: Env, context: WorkerContext): Promise<void> {
    await keepAlive(
      openPostern(env).then((postern) => postern.jobs.sweep({ budget: 1000 })),
      context,
    );
  },
};
