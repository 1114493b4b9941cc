import { createElapsed } from "../../adapters/clock.ts";
import { withDeadline } from "../../domain/deadline.ts";
import type { Patient } from "./run-checks.ts";

/** Milliseconds for which what was found out about the data store is told again. */
const remembered = 1000;

/** Milliseconds that the data store may take to respond: the readiness check responds within 2 seconds. */
const responseTime = 1800;

/** Whether this process can answer: for whoever sends it requests. */
export type Ready = () => Promise<Response>;

/** Answers readiness: 200 while the data store can be asked and is what this version needs, else 503. It says nothing of why: the log does. */
export function createReady(parts: Pick<Patient, "installation" | "checkData">): Ready {
  const { clock, logger } = parts.installation.environment;
  const elapsed = createElapsed(clock);
  let last: { readonly at: number; readonly ready: Promise<boolean> } | undefined;
  const ask = async (): Promise<boolean> => {
    try {
      await assertResponds(parts);
      return true;
    } catch (error) {
      logger.log({ level: "error", event: "not_ready", error });
      return false;
    }
  };
  return async () => {
    const now = elapsed();
    if (last === undefined || now - last.at >= remembered) last = { at: now, ready: ask() };
    const ready = await last.ready;
    return Response.json(
      { status: ready ? "ready" : "not ready" },
      { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
    );
  };
}

/** Requires that the data store responds within 2 seconds, and is what this version needs. @throws what the data store throws, or a `DeadlineError`. */
export function assertResponds({ installation, checkData }: Pick<Patient, "installation" | "checkData">): Promise<void> {
  const { collections, defaultTenantId, environment } = installation;
  const ask = async (): Promise<void> => {
    await checkData();
    // The comparison is made once; that the store still answers is asked each time.
    await collections.tenants.find({ where: { id: defaultTenantId ?? "main" }, limit: 1 });
  };
  return withDeadline(ask, responseTime, "the data store", environment.wait);
}
