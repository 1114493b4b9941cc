import type { HostServices } from "../context.ts";
import { PosternError } from "../errors.ts";

/** The limits of {@link createAdmission}. */
export interface AdmissionLimits {
  /**
   * Maximum number of requests that are handled at the same time. One tenant can use at most half of this number, but
   * always at least one.
   */
  readonly inFlight: number;
  /** How long a request may wait before it is rejected, in milliseconds. */
  readonly waitMs: number;
}

/**
 * Limits the number of requests that are handled at the same time. Without a limit, an overloaded process accepts
 * requests faster than it completes them, until all of them time out.
 */
export interface Admission {
  /**
   * Waits until the request can be handled.
   * @throws {OverloadError} after `waitMs`, or at once if too many requests are waiting.
   */
  enter(): Promise<AdmittedRequest>;
}

/** A request that is being handled. */
export interface AdmittedRequest {
  /**
   * Counts the request towards its tenant's share of the limit, and waits while that share is used up.
   * @throws {OverloadError} as `enter`.
   */
  assign(tenantId: string): Promise<void>;
  /** Ends the request. Further calls do nothing. */
  leave(): void;
}

/** The error for a request that was not handled because of {@link AdmissionLimits}. */
export class OverloadError extends PosternError {
  constructor() {
    super("temporarily_unavailable", "the service is handling too many requests; try again", { headers: { "retry-after": "1" } });
  }
}

/**
 * The maximum number of waiting requests for each request that can be handled at the same time. A longer queue could
 * not be served within `waitMs`.
 */
const maxWaitingPerSlot = 16;

/** Minimum milliseconds between two warnings. */
const warningInterval = 1000;

interface Waiter {
  readonly tenantId: string | undefined;
  readonly start: () => void;
}

/** Creates an {@link Admission}. */
export function createAdmission(
  { inFlight, waitMs }: AdmissionLimits,
  { wait, logger, clock, telemetry }: Pick<HostServices, "wait" | "logger" | "clock" | "telemetry">,
): Admission {
  const tenantShare = Math.max(1, Math.floor(inFlight / 2));
  const byTenant = new Map<string, number>();
  const waiting = new Set<Waiter>();
  let running = 0;
  let rejected = 0;
  let lastWarning = -Infinity;
  telemetry?.metrics.observe("admissionActive", () => running);
  telemetry?.metrics.observe("admissionWaiting", () => waiting.size);

  const hasShare = (tenantId: string | undefined): boolean => tenantId === undefined || (byTenant.get(tenantId) ?? 0) < tenantShare;
  const canStart = (tenantId: string | undefined): boolean => running < inFlight && hasShare(tenantId);
  const start = (tenantId: string | undefined): void => {
    running++;
    if (tenantId !== undefined) byTenant.set(tenantId, (byTenant.get(tenantId) ?? 0) + 1);
  };
  const end = (tenantId: string | undefined): void => {
    running--;
    if (tenantId !== undefined) {
      const left = (byTenant.get(tenantId) ?? 1) - 1;
      if (left === 0) byTenant.delete(tenantId);
      else byTenant.set(tenantId, left);
    }
    // A set iterates in the order of insertion, so the request that has waited longest starts first.
    for (const waiter of waiting) {
      if (running >= inFlight) break;
      if (!canStart(waiter.tenantId)) continue;
      waiting.delete(waiter);
      start(waiter.tenantId);
      waiter.start();
    }
  };
  const reject = (): OverloadError => {
    rejected++;
    telemetry?.metrics.count("admissionRejected", {});
    if (clock.now() - lastWarning >= warningInterval) {
      logger.log({ level: "warn", event: "overload", rejected, in_flight: running, waiting: waiting.size });
      lastWarning = clock.now();
      rejected = 0;
    }
    return new OverloadError();
  };

  /** Starts a request, at once or within `waitMs`. */
  const admit = async (tenantId: string | undefined): Promise<void> => {
    if (canStart(tenantId)) return start(tenantId);
    if (waitMs === 0 || waiting.size >= inFlight * maxWaitingPerSlot) throw reject();
    const started = new AbortController();
    const waiter: Waiter = { tenantId, start: () => started.abort() };
    waiting.add(waiter);
    await wait(waitMs, started.signal);
    if (waiting.delete(waiter)) throw reject();
  };

  return {
    async enter() {
      await admit(undefined);
      let tenantId: string | undefined;
      let isRunning = true;
      return {
        async assign(assigned) {
          if (hasShare(assigned)) byTenant.set(assigned, (byTenant.get(assigned) ?? 0) + 1);
          else {
            // While the request waits for its tenant's share, its slot is free for requests of other tenants.
            end(undefined);
            isRunning = false;
            await admit(assigned);
            isRunning = true;
          }
          tenantId = assigned;
        },
        leave() {
          if (isRunning) end(tenantId);
          isRunning = false;
        },
      };
    },
  };
}
