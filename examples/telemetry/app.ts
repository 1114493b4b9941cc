import { context, metrics, propagation, SpanKind, trace } from "@opentelemetry/api";
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

const data = await openDatabase(DATABASE_URL);
await data.migrate();

/** The identity service, with the tracer and the meter that `opentelemetry.ts` registered. */
export const postern = createPostern({
  issuer: ISSUER,
  data,
  crypto: { secret: secret("POSTERN_SECRET", "for-development-only-0123456789abcdef") },
  defaultTenantId: "main",
  telemetry: {
    tracer: trace.getTracer("postern"),
    meter: metrics.getMeter("postern"),
    activeSpan: trace.getActiveSpan,
  },
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

const tracer = trace.getTracer("app");

/** The example app. It serves its own pages, and passes every path below /auth/ to Postern. */
export const app = new Hono();

// Continues the trace of the caller (`traceparent`), and starts the app's own span of the request. If your app uses
// `@opentelemetry/instrumentation-http` or `@hono/otel`, they do this, and this function is not needed.
app.use(async ({ req, res }, next) => {
  const caller = propagation.extract(context.active(), Object.fromEntries(req.raw.headers));
  await context.with(caller, () =>
    tracer.startActiveSpan(req.method, { kind: SpanKind.SERVER }, async (span) => {
      await next().finally(() => span.end());
      return res;
    }),
  );
});
app.all("/auth/*", toHonoHandler(postern));
app.get("/ready", () => postern.ready());
app.get("/", (hono) => hono.text("My own page"));
