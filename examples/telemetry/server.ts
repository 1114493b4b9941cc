import { stopTelemetry } from "./opentelemetry.ts";
import { serve } from "@hono/node-server";

// Loaded after OpenTelemetry is registered: the API has no meter before.
const { app, postern } = await import("./app.ts");

const { PORT = "3000", METRICS_PORT = "9464" } = process.env;

/** Accepts connections only from this machine, for example from a TLS proxy. */
const server = serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" }, () => {
  console.log(`http://localhost:${PORT}/auth/.well-known/openid-configuration, metrics at http://localhost:${METRICS_PORT}/metrics`);
});

void postern.jobs.sweep();
const jobs = [setInterval(() => void postern.jobs.deliverEvents(), 5000), setInterval(() => void postern.jobs.sweep(), 60_000)];

async function stop(): Promise<void> {
  for (const job of jobs) clearInterval(job);
  server.close();
  await postern.close();
  await stopTelemetry();
}

process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
