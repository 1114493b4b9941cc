import { createElapsed } from "../../adapters/clock.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import type { DoctorContext } from "./run-checks.ts";

/** Milliseconds for which a result is returned again. */
const lifetime = 1000;

/** Milliseconds that the data store may take to respond: the readiness check responds within 2 seconds. */
const responseTime = 1800;

/** Responds to a readiness check. */
type Readiness = () => Promise<Response>;

/**
 * Creates {@link Readiness}: 200 if the data store responds and has what this version needs, else 503. Only the log has
 * the reason.
 */
export function createReadiness(parts: Pick<DoctorContext, "installation" | "checkData">): Readiness {
  const { clock, logger } = parts.installation.host;
  const elapsed = createElapsed(clock);
  let last: { readonly at: number; readonly ready: Promise<boolean> } | undefined;
  const check = async (): Promise<boolean> => {
    try {
      await requireDataStore(parts);
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
    return Response.json(
      { status: ready ? "ready" : "not ready" },
      { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
    );
  };
}

/**
 * Requires that the data store responds within 2 seconds, and has what this version needs.
 * @throws the data store's error, or a `DeadlineError`.
 */
export function requireDataStore({ installation, checkData }: Pick<DoctorContext, "installation" | "checkData">): Promise<void> {
  const { collections, defaultTenantId, host } = installation;
  const query = async (): Promise<void> => {
    await checkData();
    // The first call compares the schema. Each call queries the data store.
    await collections.tenants.find({ where: { id: defaultTenantId ?? "main" }, limit: 1 });
  };
  return withDeadline(query, responseTime, "the data store", host.wait);
}
