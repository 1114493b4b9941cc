import { createElapsed } from "../../adapters/clock.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import type { DoctorContext } from "./run-checks.ts";

/** Milliseconds for which a result is cached. */
const lifetime = 1000;

/** Milliseconds that the data store may take to respond, so that the readiness check responds within 2 seconds. */
const responseTime = 1800;

/** Responds to a readiness check. */
type Readiness = () => Promise<Response>;

/**
 * Creates a {@link Readiness}. It responds with 200 if the data store responds and its schema fits this version, else
 * with 503. The reason is logged, and is not part of the response.
 * @param onReady is called with each result that the data store is ready.
 */
export function createReadiness(parts: Pick<DoctorContext, "installation" | "checkData">, onReady: () => void): Readiness {
  const { clock, logger, telemetry } = parts.installation.host;
  const elapsed = createElapsed(clock);
  let lastResult: boolean | undefined;
  telemetry?.metrics.observe("ready", () => (lastResult === undefined ? undefined : Number(lastResult)));
  let last: { readonly at: number; readonly ready: Promise<boolean> } | undefined;
  const check = async (): Promise<boolean> => {
    try {
      await requireDataStore(parts);
      onReady();
      return true;
    } catch (error) {
      logger.log({ level: "error", event: "not_ready", error });
      return false;
    }
  };
  return async () => {
    const now = elapsed();
    if (last === undefined || now - last.at >= lifetime) last = { at: now, ready: check() };
    const ready = await last.ready;
    lastResult = ready;
    return Response.json(
      { status: ready ? "ready" : "not ready" },
      { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
    );
  };
}

/**
 * Requires that the data store responds within 2 seconds, and that its schema fits this version.
 * @throws the data store's error, or a `DeadlineError`.
 */
export function requireDataStore({ installation, checkData }: Pick<DoctorContext, "installation" | "checkData">): Promise<void> {
  const { collections, defaultTenantId, host } = installation;
  const query = async (): Promise<void> => {
    await checkData();
    // `checkData` compares the schema only until it has succeeded, so the data store is also queried each time.
    await collections.tenants.find({ where: { id: defaultTenantId ?? "main" }, limit: 1 });
  };
  return withDeadline(query, responseTime, "the data store", host.wait);
}
