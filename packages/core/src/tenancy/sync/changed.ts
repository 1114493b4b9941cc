import type { RequestInfo } from "../../domain/request-info.ts";
import type { Installation } from "../installation.ts";
import { syncAll } from "./copy-to-all.ts";

/** Installations of which a walk is under way, and whether what it brings has changed since it began. */
const walks = new WeakMap<Installation, { again: boolean }>();

/** Brings a change of what the control plane shares to every tenant, when the answer to whoever made it is on its way. */
export function controlPlaneChanged(installation: Installation, { afterAnswer }: RequestInfo): void {
  const { resourceServers, roles } = installation.sync;
  if (!resourceServers && !roles) return;
  const work = () => walk(installation);
  if (afterAnswer === undefined) void work();
  else afterAnswer(work);
}

/** One walk at a time: a change while one is under way is brought by the next, which begins when it is over. */
async function walk(installation: Installation): Promise<void> {
  const known = walks.get(installation);
  if (known !== undefined) {
    known.again = true;
    return;
  }
  const state = { again: true };
  walks.set(installation, state);
  const { logger } = installation.environment;
  try {
    while (state.again) {
      state.again = false;
      await syncAll(installation, { position: "", report: async () => {} });
    }
  } catch (error) {
    logger.log({ level: "error", event: "sync_failed", error });
  } finally {
    walks.delete(installation);
  }
}
