import { createElapsed } from "../adapters/clock.ts";
import type { Patient } from "./examine.ts";

/** Milliseconds for which what was found out about the data store is told again. */
const remembered = 1000;

/** Whether this process can answer: for whoever sends it requests. */
export type Ready = () => Promise<Response>;

/** Answers readiness: 200 while the data store can be asked and is what this version needs, else 503. It says nothing of why: the log does. */
export function createReady({ installation, checkData }: Pick<Patient, "installation" | "checkData">): Ready {
  const { clock, logger } = installation.environment;
  const elapsed = createElapsed(clock);
  let last: { readonly at: number; readonly ready: Promise<boolean> } | undefined;
  const ask = async (): Promise<boolean> => {
    try {
      await checkData();
      // The comparison is made once; that the store still answers is asked each time.
      await installation.collections.tenants.find({ where: { id: installation.defaultTenantId ?? "main" }, limit: 1 });
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
