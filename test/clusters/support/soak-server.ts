/**
 * Serves Postern as the standalone example does: with its listener, its log, its rate limiter, its jobs and the same
 * password hashing. Its clock can be moved forward. Takes a {@link SoakServerOrder} as its argument and
 * {@link SoakServerCommand}s over IPC.
 */
import { getHeapSpaceStatistics } from "node:v8";
import { createPasswordHasher, createPostern } from "@postern/core";
import type { Handler } from "../../../examples/standalone/src/server.ts";
import { openData } from "../../../examples/standalone/src/database.ts";
import { createLimiter } from "../../../examples/standalone/src/limiter.ts";
import { createLog } from "../../../examples/standalone/src/log.ts";
import { keyRingFromSecrets } from "../../../examples/standalone/src/secrets.ts";
import { startServer } from "../../../examples/standalone/src/server.ts";
import { startDelivering, startSweeping } from "../../../examples/standalone/src/sweeper.ts";
import { cpuOfMainThread, recordStalls, type Stall } from "./stalls.ts";

/** The configuration of the server. */
export interface SoakServerOrder {
  readonly databaseUrl: string;
  readonly issuer: string;
  /** As `POSTERN_SECRET` of the standalone example. */
  readonly secret: string;
  /** A client of the control plane with every scope. */
  readonly manager: { readonly clientId: string; readonly secret: string };
  /** Milliseconds between two sweeps. 0: none. */
  readonly sweepInterval: number;
  /**
   * Faults to inject, to check that the test detects them: `leak` keeps 1 kB of each request, and `stall` blocks the
   * event loop.
   */
  readonly faults: readonly string[];
}

/** A command to the server. */
export type SoakServerCommand =
  | { readonly kind: "advance"; readonly milliseconds: number }
  /** Collects garbage, and responds with a {@link SoakMeasurement}. */
  | { readonly kind: "measure" }
  | { readonly kind: "stop" };

/** The memory and the stalls of the server. */
export interface SoakMeasurement {
  readonly kind: "measurement";
  /** Bytes of the heap, and of buffers outside it, after a garbage collection. */
  readonly heap: number;
  /** The part of the heap that is compiled code, in bytes. */
  readonly code: number;
  /** Resident memory in bytes, before the garbage collection. */
  readonly rss: number;
  /** CPU time of all threads since the start, in milliseconds. */
  readonly cpu: number;
  /** The stalls since the last measurement. */
  readonly stalls: readonly Stall[];
}

/** Every message of the server. */
export type SoakServerMessage =
  | { readonly kind: "ready"; readonly port: number }
  | { readonly kind: "advanced" }
  | SoakMeasurement
  | { readonly kind: "mail"; readonly to: string; readonly link?: string };

const order = JSON.parse(process.argv[2] ?? "") as SoakServerOrder;
const report = (message: SoakServerMessage): void => void process.send?.(message);

const { gc: collectGarbage } = globalThis;
if (collectGarbage === undefined) throw new Error("the server needs --expose-gc");

const activities = new Set<{ readonly name: string }>();
/** Runs work whose name a stall reports. */
async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  const activity = { name };
  activities.add(activity);
  try {
    return await work();
  } finally {
    activities.delete(activity);
  }
}
const stalls = recordStalls(20, () => [...activities].map(({ name }) => name));

let ahead = 0;
const log = createLog("json", process.stdout, process.stderr, (_style, text) => text);
const server = await startServer("127.0.0.1", 0);
const data = await openData(order.databaseUrl);
const postern = createPostern({
  issuer: order.issuer,
  data,
  crypto: { secret: keyRingFromSecrets(order.secret), hasher: createPasswordHasher({ algorithm: "argon2id" }) },
  defaultTenantId: "main",
  controlPlane: { tenantId: "main" },
  trustedProxies: ["127.0.0.1"],
  rateLimiter: createLimiter(60),
  messages: { mail: { send: async ({ to, link }) => report({ kind: "mail", to, ...(link !== undefined && { link }) }) } },
  network: { allowedPrivateAddresses: ["127.0.0.0/8"] },
  logger: log,
  testing: { clock: { now: () => Date.now() + ahead, monotonic: () => performance.now() + ahead } },
});
await postern.seed({
  tenantId: "main",
  clients: [
    {
      clientId: order.manager.clientId,
      secret: order.manager.secret,
      settings: { name: "Soak", app_type: "non_interactive" },
      managesTenant: true,
    },
  ],
});

const leaked: Buffer[] = [];
let requests = 0;
function makeFault(): void {
  if (order.faults.includes("leak")) leaked.push(Buffer.from("x".repeat(1024)));
  if (!order.faults.includes("stall") || ++requests % 1000 > 0) return;
  const end = cpuOfMainThread() + 150;
  while (cpuOfMainThread() < end) continue;
}
const handler: Handler = (request, extra) =>
  named(`${request.method} ${new URL(request.url).pathname}`, () => {
    makeFault();
    return postern.fetch(request, extra);
  });
server.serve(handler);
const jobs = {
  sweep: (options?: object) => named("sweep", () => postern.jobs.sweep(options)),
  deliverEvents: (options?: object) => named("deliverEvents", () => postern.jobs.deliverEvents(options)),
};
if (order.sweepInterval > 0) startSweeping(jobs, log, order.sweepInterval);
const deliverer = startDelivering(jobs, log);

async function advance(milliseconds: number): Promise<void> {
  // A sweep holds leases, which the step of the clock would end.
  while ([...activities].some(({ name }) => name === "sweep")) await new Promise((resolve) => setTimeout(resolve, 5));
  ahead += milliseconds;
  report({ kind: "advanced" });
}

process.on("message", (command: SoakServerCommand) => {
  switch (command.kind) {
    case "advance":
      return void advance(command.milliseconds);
    case "stop":
      return void deliverer.stop().then(() => process.exit(0));
    case "measure": {
      const taken = stalls.take();
      const { rss } = process.memoryUsage();
      collectGarbage();
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const code = getHeapSpaceStatistics()
        .filter(({ space_name: name }) => name.includes("code") || name.includes("trusted"))
        .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
      report({ kind: "measurement", heap: heapUsed + external, code, rss, cpu: (user + system) / 1000, stalls: taken });
      // The garbage collection itself is no stall of the server.
      stalls.take();
    }
  }
});
process.on("disconnect", () => process.exit(0));
// Until then, the log keeps its lines.
log.ready(
  {
    url: order.issuer,
    issuer: order.issuer,
    tenant_id: "main",
    management_client: { client_id: order.manager.clientId, client_secret: "" },
    spa_client: { client_id: "" },
    web_client: { client_id: "", client_secret: "" },
    user: { email: "", password: "" },
  },
  { inbox: false, secretLocation: undefined },
);
report({ kind: "ready", port: server.port });
